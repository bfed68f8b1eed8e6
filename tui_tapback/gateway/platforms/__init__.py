"""Other chats: the contract of an adapter, and pure converters between our reactions and their shapes."""
