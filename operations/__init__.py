"""Running a server that people rely on: deploying, checking, backing up, upgrading, measuring."""
