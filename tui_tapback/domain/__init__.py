"""Values and rules of the chat, standard library only: messages, reactions, events, errors, clean text."""
