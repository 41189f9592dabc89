"""Operation of a production server: deployment, checks, backups, upgrades, metrics."""
