"""What is looked for among the stored sessions, apart from the screens that ask for it."""
