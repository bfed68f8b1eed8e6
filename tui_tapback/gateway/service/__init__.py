"""The use cases of the gateway: one path for each, whoever calls it."""
