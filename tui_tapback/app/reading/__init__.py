"""What the program knows of the reader: how much lies beyond what is held, and where one was reading."""
