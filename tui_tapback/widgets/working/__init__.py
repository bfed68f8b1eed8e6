"""What stands between the messages and the composer: the agent's list to do, and files that go out next."""

from .attached import AttachedFiles, ShownFile
from .todos import TodoBlock

__all__ = ("AttachedFiles", "ShownFile", "TodoBlock")
