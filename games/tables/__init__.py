"""What one viewer may know of a room: the read model, and packets made of it."""
