"""The data file of the embedded gateway: one process, one connection, one row per message."""
