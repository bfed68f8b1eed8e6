"""Hooks: what a person's own programs and packages are told about messages, reactions, turns and sessions."""
