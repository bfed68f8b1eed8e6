"""What the transcript tells its parents: wishes and news, never done by itself."""

from __future__ import annotations

from typing import Literal

from textual.message import Message

from tui_tapback.domain.parts import Part

Edge = Literal["first", "last"]
CopyKind = Literal["text", "markdown", "code", "link"]
Wish = Literal["repeat", "echo", "undo", "redo", "who", "unread", "lens", "menu", "big"]

TurnWish = Literal["edit", "rewind", "again", "branch", "quote", "discard"]


class TranscriptEvents:
    """Holds the messages, so that they read ``Transcript.ReactionRequested``; ``key`` is a message's key."""

    class ReactionRequested(Message, namespace="transcript"):
        """The user wants ``emoji`` as their reaction, None for none. Absolute, not a toggle.

        ``part`` is None for the whole message, else the part that is meant: its anchor and its quote.
        ``joins``: it belongs to the same wish as the request before, which was about a range.
        """

        def __init__(
            self, key: str, emoji: str | None, part: Part | None = None, *, joins: bool = False
        ) -> None:
            super().__init__()
            self.key = key
            self.emoji = emoji
            self.part = part
            self.joins = joins

    class Asked(Message, namespace="transcript"):
        """The user asks for something that the transcript cannot do itself, about what is selected.

        ``wish`` is the name in the table of keys, ``digit`` the quick reaction it is about (0: none).
        """

        def __init__(self, wish: Wish, digit: int = 0) -> None:
            super().__init__()
            self.wish: Wish = wish
            self.digit = digit

    class PickerRequested(Message, namespace="transcript"):
        """The user wants to choose from all emoji for the message, or for a part of it."""

        def __init__(self, key: str, part: Part | None = None) -> None:
            super().__init__()
            self.key = key
            self.part = part

    class SelectionChanged(Message, namespace="transcript"):
        """Another message is selected, or none."""

        def __init__(self, key: str | None) -> None:
            super().__init__()
            self.key = key

    class ComposerRequested(Message, namespace="transcript"):
        """The user wants to write."""

    class RetryRequested(Message, namespace="transcript"):
        """The user wants a failed message or turn tried again."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class MessageActivated(Message, namespace="transcript"):
        """Enter on a message that did not fail."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class CopyRequested(Message, namespace="transcript"):
        """The user wants ``text`` in the clipboard: of the message ``key``, or of what is selected.

        It is what the authors wrote, never what stands for it on this terminal. ``kind``: as ``"text"``, as
        ``"markdown"`` source, the ``"code"`` of a block alone, or a ``"link"``.
        """

        def __init__(self, key: str, text: str, kind: CopyKind = "text") -> None:
            super().__init__()
            self.key = key
            self.text = text
            self.kind: CopyKind = kind

    class PillOpened(Message, namespace="transcript"):
        """The pill is open for a message."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class PillClosed(Message, namespace="transcript"):
        """The pill is gone, by whatever way."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class RangeChanged(Message, namespace="transcript"):
        """A range of messages is selected: their keys from the top; none when it was given up."""

        def __init__(self, keys: tuple[str, ...]) -> None:
            super().__init__()
            self.keys = keys

    class KeysChanged(Message, namespace="transcript"):
        """Keys mean something else now: text is selected with them, a query is typed, or no longer."""

    class LinkRequested(Message, namespace="transcript"):
        """The user wants to go where a message leads: one address, or several to choose from."""

        def __init__(self, key: str, links: tuple[str, ...]) -> None:
            super().__init__()
            self.key = key
            self.links = links

    class TurnWanted(Message, namespace="transcript"):
        """The user wants to say or have said otherwise what stands at the selected message."""

        def __init__(self, wish: TurnWish) -> None:
            super().__init__()
            self.wish: TurnWish = wish

    class OlderWanted(Message, namespace="transcript"):
        """The reader comes near the first message held here, ``key``, and there are older ones."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class NewerWanted(Message, namespace="transcript"):
        """The reader comes near the last message held here, ``key``, and there are newer ones."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class EdgeWanted(Message, namespace="transcript"):
        """The user wants the very first or the very last message, which is not held here.

        When it has been shown (``show`` with nothing more ``older`` or ``newer``), the window goes there.
        """

        def __init__(self, edge: Edge) -> None:
            super().__init__()
            self.edge: Edge = edge

    class SearchRequested(Message, namespace="transcript"):
        """The user searches for ``query`` ("" ends it). Whoever knows of hits in messages that are not held
        here offers them with ``offer_hits``."""

        def __init__(self, query: str) -> None:
            super().__init__()
            self.query = query

    class RowWanted(Message, namespace="transcript"):
        """The user wants to see the message with the durable id ``row_id``, which is not held here.

        When messages around it have been shown, ``show_hit`` goes there.
        """

        def __init__(self, row_id: int) -> None:
            super().__init__()
            self.row_id = row_id
