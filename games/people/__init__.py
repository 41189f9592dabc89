"""What is kept about people, across their tables: merged, erased, exported, decided by staff."""
