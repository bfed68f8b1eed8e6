"""What the transcript tells its parents: wishes and news, never done by itself."""

from __future__ import annotations

from textual.message import Message


class TranscriptEvents:
    """Holds the messages, so that they read ``Transcript.ReactionRequested``; ``key`` is a message's key."""

    class ReactionRequested(Message, namespace="transcript"):
        """The user wants ``emoji`` as their reaction, None for none. Absolute, not a toggle."""

        def __init__(self, key: str, emoji: str | None) -> None:
            super().__init__()
            self.key = key
            self.emoji = emoji

    class PickerRequested(Message, namespace="transcript"):
        """The user wants to choose from all emoji for the message."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

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
        """The user wants the text of a message in the clipboard."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

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
