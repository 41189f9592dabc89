"""Everything a server would miss, in one file: taken while people play, put back elsewhere."""
