"""The Hub protocol, version 2 (Fabien Letouzey's Scan), for every kind of draughts: `HubServer`, `HubEngine`."""
