"""The chat program: one action table, the screens, the sync worker, themes."""
