"""The one tree of exceptions; edges turn them into sentences, nobody else does."""

from __future__ import annotations

from .reactions import ReactionSet


class TapbackError(Exception):
    """Anything this program raises on purpose.

    ::

        TapbackError
        ├── InvalidInput            what a person, a tool or a peer asked for cannot be
        │   ├── NotAnEmoji
        │   ├── EmptyMessage
        │   ├── MessageTooLong
        │   ├── WouldEmptyChat      an edit that nobody has confirmed
        │   ├── StaleReaction       another choice was made meanwhile
        │   ├── OperationReused     an id that belongs to another request already
        │   ├── TooManySessions     the file takes no further one
        │   └── WrongAuthor         nobody speaks for the other side
        ├── NotFound
        │   ├── RowNotFound
        │   ├── TurnNotFound        the message from which to rewind
        │   └── SessionNotFound
        ├── Busy                    a turn is running
        ├── NotSupported            this gateway cannot do that
        ├── WireError               the other side of the link
        │   ├── MalformedFrame
        │   ├── RpcError            a refusal with a code
        │   └── LinkDown
        │       ├── GatewayUnreachable
        │       │   └── GatewayNotStarted   our own could not be started, and said why
        │       ├── GatewayRefused      token or origin
        │       │   └── LoginNeeded         nobody is logged in there, or no longer
        │       └── IncompatibleGateway
        ├── StoreError              the data folder or its database
        │   ├── StoreLocked
        │   ├── StoreReadOnly
        │   ├── DiskFull
        │   ├── StoreTooNew
        │   └── StoreDamaged
        ├── ModelError              the model behind the agent
        │   ├── ModelUnreachable
        │   ├── ModelRefused        key, quota, unknown model
        │   ├── ModelTimeout
        │   ├── ModelFailed         status 5xx
        │   └── ModelGarbled        an answer that is no answer, or one cut in the middle
        ├── PlatformError           a platform adapter, or the service behind it
        └── SettingsError
            └── SecretStoreFailed   a keyring that is locked, a folder that cannot be written

    ``str(error)`` is a whole sentence in plain words that says what happened; ``error.hint`` says
    what the person can do, and may be empty.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    def sentence(self) -> str:
        """What happened and what to do, for a person."""
        text = str(self)
        return f"{text} {self.hint}" if self.hint else text


class InvalidInput(TapbackError):
    """A request that cannot be carried out as asked; nothing was changed."""


class NotAnEmoji(InvalidInput):
    """A reaction must be one emoji."""


class TooManySessions(InvalidInput):
    """The limit of sessions is reached."""


class EmptyMessage(InvalidInput):
    """Nothing but blanks was sent."""


class MessageTooLong(InvalidInput):
    """A message above the limit of the gateway."""


class WouldEmptyChat(InvalidInput):
    """An edit before which nothing would be left of the chat, and nobody said that this is meant."""


class StaleReaction(InvalidInput):
    """The reaction is no longer what the caller saw last. ``present`` holds the reactions as they are."""

    def __init__(self, message: str, present: ReactionSet, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.present = present


class OperationReused(InvalidInput):
    """A request bears the id of an earlier one and asks for something else."""


class WrongAuthor(InvalidInput):
    """An attempt to react in the name of the other side."""


class NotFound(TapbackError):
    """The thing addressed is not there."""


class RowNotFound(NotFound):
    """No such message in this session (or it was rewound)."""


class TurnNotFound(NotFound):
    """No message of the user stands there from which the chat could be rewound. ``user_turns`` counts those
    that stand."""

    def __init__(self, message: str, user_turns: int, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.user_turns = user_turns


class SessionNotFound(NotFound):
    """No session of that id."""


class Busy(TapbackError):
    """A turn is running and the request needs a quiet session."""


class NotSupported(TapbackError):
    """The gateway at the other end has no such power; nothing was sent."""


class WireError(TapbackError):
    """The link to the gateway."""


class MalformedFrame(WireError):
    """A frame that is not what the protocol says; ``field`` names the culprit where known."""

    def __init__(self, message: str, *, hint: str = "", field: str = "") -> None:
        super().__init__(message, hint=hint)
        self.field = field


class RpcError(WireError):
    """The gateway refused a request. ``code`` is the JSON-RPC error code, the text what the gateway said,
    ``told`` what the code says in the person's language where the gateway speaks another one."""

    def __init__(self, code: int, message: str, data: object = None, *, told: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.data = data
        self.told = told

    def sentence(self) -> str:
        """What happened, for a person."""
        return self.told or super().sentence()


class LinkDown(WireError):
    """No connection, or it broke before the answer came."""


class GatewayUnreachable(LinkDown):
    """Nothing answers at that address."""


class GatewayNotStarted(GatewayUnreachable):
    """The gateway of this user could not be started; trying again helps once its reason is gone."""


class GatewayRefused(LinkDown):
    """The gateway answered, and would not let us in."""


class LoginNeeded(GatewayRefused):
    """The gateway wants to know who is there; no attempt helps before somebody logs in."""


class IncompatibleGateway(LinkDown):
    """The other side speaks another protocol or version."""


class StoreError(TapbackError):
    """The database of the embedded gateway."""


class StoreLocked(StoreError):
    """Another process holds the database."""


class StoreReadOnly(StoreError):
    """The data folder cannot be written."""


class DiskFull(StoreError):
    """No space left; nothing of the failed write was kept."""


class StoreTooNew(StoreError):
    """The database was written by a newer version of the program."""


class StoreDamaged(StoreError):
    """The file is not a sound database."""


class ModelError(TapbackError):
    """The model behind the agent did not give an answer."""


class ModelUnreachable(ModelError):
    """No server at the model's address."""


class ModelRefused(ModelError):
    """The server refused: key, quota or an unknown model (status 4xx)."""


class ModelTimeout(ModelError):
    """The model kept silent for too long."""


class ModelFailed(ModelError):
    """The model's server failed (status 5xx)."""


class ModelGarbled(ModelError):
    """The answer was no answer, or broke off in the middle."""


class PlatformError(TapbackError):
    """A platform adapter could not do what it was asked."""


class SettingsError(TapbackError):
    """A settings file or value that cannot be used."""


class SecretStoreFailed(SettingsError):
    """A place for secrets that cannot be read or written just now."""
