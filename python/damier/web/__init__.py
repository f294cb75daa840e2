"""The server behind the browser: pages, games and analysis over HTTP and one websocket. It knows no rules."""
