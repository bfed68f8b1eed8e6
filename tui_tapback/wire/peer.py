"""The client's end of the wire without input or output: ids, pending calls, answers, events, questions."""

from __future__ import annotations

from dataclasses import field
from typing import Any, get_args, get_origin

import msgspec

from tui_tapback.domain.errors import MalformedFrame, RpcError
from tui_tapback.domain.text import clean_line
from tui_tapback.domain.values import record, value

from .base import Method, Params, Result
from .errors import Code, words_of
from .events import EventParams, event_params
from .foreign import FOREIGN
from .frames import Frame, RpcFault, decode, encode
from .methods import METHODS

SHOWN_QUESTIONS = frozenset({"approval", "clarify", "secret", "sudo"})
"""What a gateway may ask of a person here."""
NOT_SHOWN_QUESTIONS = frozenset(
    {
        "display.install.sudo", "preview.act", "preview.read", "setup_beat", "terminal.read", "theme.apply",
        "theme.pick", "tour", "vault.code", "vault.save_login", "vault.unlock_prompt", "window.read",
    }
)  # fmt: skip
"""What a gateway may ask of a desktop and this client does not show; the polite answer is 4404."""


@value
class Answered:
    """The answer to call ``id``."""

    id: int
    result: Result


@value
class Refused:
    """Call ``id`` failed: the gateway refused it (RpcError), or its answer made no sense (MalformedFrame)."""

    id: int
    error: RpcError | MalformedFrame


@value
class EventCame:
    """An event of the gateway, its payload not decoded yet."""

    params: EventParams


@value
class Asked:
    """The gateway wants to know something of the person. ``params`` are not checked yet."""

    id: str
    method: str
    params: Any


@value
class Reply:
    """A question of the gateway, by the name of ``method``, was declined; ``text`` is the frame to send."""

    text: str
    method: str = ""


@value
class Nothing:
    """A frame that asks for nothing (malformed, or an answer to a call that is no longer open)."""


Incoming = Answered | Refused | EventCame | Asked | Reply | Nothing


@record
class PeerCounters:
    """What was seen and set aside."""

    malformed: int = 0
    bad_items: int = 0
    stray_answers: int = 0
    declined: int = 0
    last_malformed: str = ""


@record
class Peer:
    """Turns calls into frames and frames into answers. One peer serves one connection."""

    counters: PeerCounters = field(default_factory=PeerCounters)
    _next_id: int = 1
    _pending: dict[int, Method] = field(default_factory=dict[int, Method])

    @property
    def pending(self) -> tuple[int, ...]:
        """Ids of the calls that are not answered."""
        return tuple(self._pending)

    def call(self, name: str, params: Params) -> tuple[int, str]:
        """The id and the frame of a call of the method table.

        Raises KeyError for an unknown method and TypeError for parameters of another one: faults of ours.
        """
        method = METHODS.get(name) or FOREIGN[name]
        if not isinstance(params, method.params):
            raise TypeError(f"{name} takes {method.params.__name__}, not {type(params).__name__}.")
        number = self._next_id
        self._next_id += 1
        self._pending[number] = method
        return number, encode(Frame(id=number, method=name, params=msgspec.to_builtins(params)))

    def forget(self, number: int) -> None:
        """Nobody waits for this call any more; its answer will be counted as stray."""
        self._pending.pop(number, None)

    def receive(self, text: str | bytes) -> Incoming:
        """Take one frame. Never raises for what the other side sent."""
        try:
            frame = decode(text)
        except MalformedFrame as error:
            return self._malformed(str(error))
        if frame.is_event:
            try:
                return EventCame(event_params(frame.params))
            except MalformedFrame as error:
                return self._malformed(str(error))
        if frame.is_request:
            if frame.method in SHOWN_QUESTIONS and isinstance(frame.id, str):
                return Asked(frame.id, frame.method, frame.params)
            return self._decline(frame)
        if frame.is_response:
            return self._answer(frame)
        return self._malformed("a frame that is no event, no request and no answer")

    def decline(self, question: str) -> str:
        """The frame that says that a question cannot be shown here."""
        self.counters.declined += 1
        return encode(Frame(id=question, error=RpcFault(Code.NOT_SHOWN_HERE, "not shown here")))

    def _malformed(self, why: str) -> Nothing:
        self.counters.malformed += 1
        self.counters.last_malformed = clean_line(why, 200)
        return Nothing()

    def _decline(self, frame: Frame) -> Reply:
        self.counters.declined += 1
        known = frame.method in NOT_SHOWN_QUESTIONS
        fault = (
            RpcFault(Code.NOT_SHOWN_HERE, "not shown here")
            if known
            else RpcFault(Code.UNKNOWN_METHOD, "unknown method")
        )
        return Reply(encode(Frame(id=frame.id, error=fault)), frame.method or "")

    def _answer(self, frame: Frame) -> Incoming:
        number = frame.id
        method = self._pending.pop(number, None) if isinstance(number, int) else None
        if method is None or not isinstance(number, int):
            self.counters.stray_answers += 1
            return Nothing()
        if frame.error is not None:
            message = clean_line(frame.error.message, 300) or "The gateway refused without a reason."
            return Refused(
                number, RpcError(frame.error.code, message, frame.error.data, told=words_of(frame.error.code))
            )
        try:
            return Answered(number, self._read(frame.result, method.result))
        except msgspec.ValidationError as error:
            self._malformed(str(error))
            return Refused(
                number,
                MalformedFrame(
                    f"The gateway's answer to {method.name} does not fit the protocol: {error}.",
                    field=method.name,
                ),
            )

    def _read(self, raw: Any, kind: type[Result]) -> Result:
        """The result; where a list in it holds entries that make no sense, without those."""
        try:
            return msgspec.convert(raw, kind)
        except msgspec.ValidationError:
            sound, dropped = without_bad_items(raw, kind)
            result = msgspec.convert(sound, kind)
            self.counters.bad_items += dropped
            return result


def without_bad_items(raw: Any, kind: type[msgspec.Struct]) -> tuple[Any, int]:
    """``raw`` without the entries of its lists of records that do not fit, and how many those were.

    One row of a chat that cannot be read must not cost the chat. Raises msgspec.ValidationError where ``raw``
    is no object, or such a list no list.
    """
    sound = msgspec.convert(raw, dict[str, Any])
    dropped = 0
    for member in msgspec.structs.fields(kind):
        entry = next(iter(get_args(member.type)), None)
        if get_origin(member.type) is not list or member.encode_name not in sound:
            continue
        if isinstance(entry, type) and issubclass(entry, msgspec.Struct):
            items = msgspec.convert(sound[member.encode_name], list[Any])
            kept = [item for item in items if _fits(item, entry)]
            dropped += len(items) - len(kept)
            sound[member.encode_name] = kept
    return sound, dropped


def _fits(item: Any, kind: type[msgspec.Struct]) -> bool:
    try:
        msgspec.convert(item, kind)
    except msgspec.ValidationError:
        return False
    return True
