"""The screens of the chat program: the chat itself, help, and the list of sessions."""
