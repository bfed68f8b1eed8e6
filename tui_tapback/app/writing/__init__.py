"""What the program keeps for the writer: what was sent before, and what was pasted."""
