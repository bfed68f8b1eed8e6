"""A terminal chat in which people and their AI agent tap back on each other's messages."""

__version__ = "0.1.0"
