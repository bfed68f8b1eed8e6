"""The JSON-RPC 2.0 wire without input or output: frames, method table, events, conversion, peer."""
