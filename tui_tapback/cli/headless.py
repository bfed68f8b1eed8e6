"""The commands without a screen, each over the same client as the chat; send and react stand here."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager

from tui_tapback.app.ports import ChatSession
from tui_tapback.client.state import ClientState, Phase
from tui_tapback.domain.errors import (
    GatewayRefused,
    GatewayUnreachable,
    InvalidInput,
    LinkDown,
    NotAnEmoji,
    RowNotFound,
    SessionNotFound,
)
from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.reactions import Author
from tui_tapback.domain.text import clean_line
from tui_tapback.emoji.quick import QUICK_REACTIONS
from tui_tapback.emoji.resolve import resolve
from tui_tapback.export.bare import bare_line
from tui_tapback.words import _, mark, plural

from .asked import question_words
from .compose import Program
from .output import message_json, say, say_json

STDIN_LIMIT = 4_000_000
"""Characters read from standard input at most; the gateway's own limit is far below."""


_ANSWER_THERE = mark("Answer it in the chat; send waits.")


def run_command(program: Program, options: argparse.Namespace) -> int:
    """Run ``options.command`` against the chosen gateway; returns the exit status. Raises TapbackError."""
    text = message_text(options.text, sys.stdin.read) if options.command == "send" else ""
    quick = program.settings.quick_reactions
    return asyncio.run(_command(program.client(options), options, text, quick))


def message_text(words: list[str], read: Callable[[int], str]) -> str:
    """The message of ``send``: its words, or for none or ``-`` what ``read`` gives, less its last newline."""
    return " ".join(words) if words and words != ["-"] else read(STDIN_LIMIT).removesuffix("\n")


async def _command(chat: ChatSession, options: argparse.Namespace, text: str, quick: Sequence[str]) -> int:
    if options.command == "watch":
        from .watch import watch

        return await watch(chat, options)
    timeout: float = getattr(options, "timeout", 30.0)
    try:
        async with asyncio.timeout(timeout), opened(chat, options):
            match options.command:
                case "send":
                    return await send(chat, text, as_json=options.json)
                case "react":
                    return await react(chat, options, quick)
                case "export":
                    from .export import export_session

                    return await export_session(chat, options.format, options.output)
                case _:
                    from .listing import sessions

                    return await sessions(chat, options)
    except TimeoutError as error:
        raise LinkDown(
            _("Nothing came back within {timeout:g} seconds.").format(timeout=timeout),
            hint=_("Try a longer --timeout."),
        ) from error


@asynccontextmanager
async def opened(chat: ChatSession, options: argparse.Namespace) -> AsyncGenerator[None]:
    """The chat, connected and with its session read. Raises GatewayUnreachable, GatewayRefused."""
    session, new = getattr(options, "session", None), getattr(options, "new", False)
    if options.command == "sessions":
        # Only renaming needs a session open; the list is asked for without reading one.
        session, new = (options.id, False) if options.doing == "rename" else (None, True)
    await chat.start(session_id=session, new=new)
    try:
        state = await until(chat, is_ready)
        if options.command != "sessions":  # which says itself what it does not find
            require_session(state, session)
        yield
    finally:
        await chat.close()


def is_ready(state: ClientState) -> bool:
    """Whether the link stands and the session, if there is one, was read."""
    return state.connection.phase is Phase.ONLINE and not state.loading


def require_session(state: ClientState, wanted: str | None) -> None:
    """Raise SessionNotFound where the session that was asked for did not open.

    The chat goes on without one then; a command must not act on another than it was told.
    """
    if wanted and state.session_id is None:
        raise no_such_session(wanted)


def no_such_session(wanted: str) -> SessionNotFound:
    """What is raised for a session that is not there, with the way to those that are."""
    return SessionNotFound(
        _("There is no session “{id}”.").format(id=clean_line(wanted, 80)),
        hint=_("tui-tapback sessions shows them."),
    )


async def until(chat: ChatSession, holds: Callable[[ClientState], bool]) -> ClientState:
    """Wait for a state. Raises where the link is refused or given up."""
    async with aclosing(states(chat)) as following:
        async for state in following:
            if holds(state):
                return state
    raise LinkDown(_("The chat was closed."))


async def states(chat: ChatSession) -> AsyncGenerator[ClientState]:
    """The states of a chat for as long as there is hope for the link."""
    async for state in chat.changes():
        detail = clean_line(state.connection.detail, 400)
        match state.connection.phase:
            case Phase.REFUSED:
                raise GatewayRefused(detail or _("The gateway refused this connection."))
            case Phase.OFFLINE:
                raise GatewayUnreachable(detail or _("The gateway cannot be reached."))
            case Phase.CLOSED:
                return
            case _:
                yield state


async def send(chat: ChatSession, text: str, *, as_json: bool) -> int:
    """Send ``text`` and print the answer as it comes; 1 where the turn failed or was interrupted."""
    before = {message.key for message in chat.state.messages}
    key = chat.send(text)
    printed = 0
    fresh: list[Message] = []
    told: set[str] = set()
    async with aclosing(states(chat)) as following:
        async for state in following:
            for question in state.questions:
                if question.id not in told:
                    told.add(question.id)
                    say(f"tui-tapback: {question_words(question)} {_(_ANSWER_THERE)}", stream=sys.stderr)
            fresh = [m for m in state.messages if m.key not in before]
            if not as_json:
                printed = _print_growth(answer_text(fresh), printed)
            if turn_is_over(state, fresh, key):
                break
    failed = [m for m in fresh if m.status in (Status.FAILED, Status.INTERRUPTED)]
    if as_json:
        say_json(
            {
                "session_id": chat.state.session_id,
                "ok": not failed,
                "messages": [message_json(m) for m in fresh],
            }
        )
    elif printed:
        say("")
    for message in failed:
        said = clean_line(message.error, 400) or _("The answer was not completed.")
        say(f"tui-tapback: {said}", stream=sys.stderr)
    return 1 if failed else 0


def answer_text(fresh: list[Message]) -> str:
    """The text of all bubbles of the agent, with an empty line between two."""
    return "\n\n".join(m.text for m in fresh if m.role is Role.ASSISTANT and m.text)


def turn_is_over(state: ClientState, fresh: list[Message], key: str) -> bool:
    """Whether the turn that message ``key`` began has ended, well or not."""
    if state.running or state.waiting:
        return False
    own = next((m for m in fresh if m.key == key), None)
    if own is None or own.status is Status.FAILED:
        return True
    if own.status is not Status.STORED:
        return False
    settled = (Status.STORED, Status.INTERRUPTED, Status.FAILED)
    return any(m.role is Role.ASSISTANT and m.status in settled for m in fresh[fresh.index(own) + 1 :])


def _print_growth(text: str, printed: int) -> int:
    if len(text) > printed:
        say(text[printed:], end="")
    return max(printed, len(text))


async def react(
    chat: ChatSession, options: argparse.Namespace, quick: Sequence[str] = QUICK_REACTIONS
) -> int:
    """Set or take back the user's tapback; a digit means one of ``quick``. Raises TapbackError."""
    emoji = None if options.emoji == "-" else named(options.emoji, quick)
    target = target_message(chat.state, options.row, options.back)
    chat.set_reaction(target.key, emoji)

    def settled(state: ClientState) -> bool:
        message = next((m for m in state.messages if m.key == target.key), None)
        return message is None or bool(message.reaction_error) or not state.waiting

    state = await until(chat, settled)
    message = next((m for m in state.messages if m.key == target.key), None)
    if message is None:
        raise RowNotFound(_("That message was removed meanwhile."))
    if message.reaction_error:
        raise InvalidInput(clean_line(message.reaction_error, 400))
    mine = message.reactions.by(Author.USER)
    if options.json:
        say_json(message_json(message))
    else:
        quote = bare_line(message, 60)
        say(
            _("You reacted {emoji} to “{quote}”.").format(emoji=mine.emoji, quote=quote)
            if mine
            else _("You have no tapback on “{quote}”.").format(quote=quote)
        )
    return 0


def named(words: str, quick: Sequence[str]) -> str:
    """The emoji of that name, or of that key: the digits are those of the chat. Raises NotAnEmoji."""
    place = words.strip()
    if place in (digits := tuple(map(str, range(1, len(quick) + 1)))):
        return quick[digits.index(place)]
    try:
        return resolve(words)
    except NotAnEmoji as error:
        if not (place.isascii() and place.isdecimal()):
            raise
        hint = _("1 to {count} are the quick reactions; which message is said by --back {number}.")
        back = max(1, int(place[:9]))
        raise NotAnEmoji(str(error), hint=hint.format(count=len(quick), number=back)) from error


def target_message(state: ClientState, row: int | None, back: int) -> Message:
    """The message with that row id, else the agent's ``back``-th last. Raises RowNotFound."""
    if row is not None:
        found = [m for m in state.messages if m.row_id == row and m.reactable]
        if not found:
            raise RowNotFound(
                _("There is no message {row} in this session.").format(row=row),
                hint=_("export --json shows the ids."),
            )
        return found[0]
    answers = [m for m in state.messages if m.role is Role.ASSISTANT]
    if len(answers) < back:
        raise RowNotFound(
            plural(
                "The agent has written {count} message in this session, so there is nothing to react to.",
                "The agent has written {count} messages in this session, so there is nothing to react to.",
                len(answers),
            ).format(count=len(answers))
        )
    return answers[-back]
