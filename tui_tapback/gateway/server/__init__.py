"""The server edge of the gateway: links, connections, dispatch of the method table, answers."""
