"""What a server needs besides Parlour: settings, services, a proxy, containers; as files."""
