"""Files needed to deploy a server: settings, services, proxy and containers."""
