"""The words of the interface: English stands in the source and is translated when it is shown."""

from .chosen import _, language, mark, plural, use
from .languages import AUTO, LANGUAGES, choose

__all__ = ("AUTO", "LANGUAGES", "_", "choose", "language", "mark", "plural", "use")
