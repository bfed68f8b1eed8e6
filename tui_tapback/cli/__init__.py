"""The command line: ``tui-tapback`` opens the chat, its subcommands do the same without the screen."""
