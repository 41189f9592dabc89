"""What several tests use: people, tables, servers, programs, laws. It holds no test."""
