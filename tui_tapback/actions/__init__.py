"""What one can do and by which keys, without any screen: the action table, keymaps and their conflicts."""
