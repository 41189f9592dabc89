"""What a process runs beside its sockets: clock, heartbeat, lifespan, health, stopping.

What one match does belongs in `engine`.
"""
