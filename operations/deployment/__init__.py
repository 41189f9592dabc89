"""Files that deploy a server: settings, services, proxy, containers."""
