"""The embedded gateway: server and agent over one service over one store."""
