"""What an agent works at, apart from the screens that show it: words for it, and paths in what is typed."""
