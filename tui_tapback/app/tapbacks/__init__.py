"""What one can do with tapbacks beyond setting one: pure models behind the chat screen."""
