"""What makes the tables that bots play by. It needs numpy, which nothing needs at run time."""
