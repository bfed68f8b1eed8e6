"""``tui-tapback sessions``: list, search, rename, archive, delete and bring back over a gateway."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import datetime

from tui_tapback.app.ports import ChatSession
from tui_tapback.client.abilities import Ability, lack_of
from tui_tapback.client.library import Hit
from tui_tapback.client.state import SessionSummary
from tui_tapback.domain.errors import InvalidInput
from tui_tapback.domain.text import clean_line
from tui_tapback.emoji.resolve import resolve
from tui_tapback.words import _, plural

from .headless import no_such_session
from .output import say, say_json

_AUTHORS = {"user": "You", "assistant": "Agent"}


async def sessions(chat: ChatSession, options: argparse.Namespace) -> int:
    """Do what ``options.doing`` says (None: list). Raises TapbackError."""
    as_json: bool = options.json
    match options.doing:
        case "search":
            return await search(chat, options)
        case "rename":
            title = clean_line(" ".join(options.title), 200)
            if not title:
                raise InvalidInput(_("A session needs a title that can be read."))
            if chat.state.session_id != options.id:
                raise no_such_session(options.id)
            await chat.set_title(title)
            return _done(
                as_json,
                _("The session is called “{title}” now.").format(title=title),
                id=options.id,
                title=title,
            )
        case "archive" | "unarchive":
            archived = options.doing == "archive"
            await chat.sessions.archive(options.id, archived)
            told = (
                _("The session is put away; sessions list --archived shows it.")
                if archived
                else _("The session is back in the list.")
            )
            return _done(as_json, told, id=options.id, archived=archived)
        case "delete":
            return await delete(chat, options.id, as_json=as_json, sure=options.yes)
        case "restore":
            await chat.sessions.restore(options.id)
            return _done(as_json, _("The session is back."), id=options.id)
        case _:
            return await listed(chat, options)


async def listed(chat: ChatSession, options: argparse.Namespace) -> int:
    """Print the sessions, newest first; 1 where some were looked for and none was found."""
    query, reacted = getattr(options, "query", None), getattr(options, "reacted", None)
    archived = bool(getattr(options, "archived", False))
    found = await chat.sessions.list(
        query,
        archived=archived or None,
        reacted_with=resolve(reacted) if reacted else None,
        limit=getattr(options, "limit", None),
    )
    found = tuple(sorted(found, key=lambda s: s.last_active, reverse=True))
    sought = bool(query or reacted or archived)
    if options.json:
        say_json([session_json(s) for s in found])
        return int(sought and not found)
    for s in found:
        title = clean_line(s.title, 60) or clean_line(s.preview, 60) or "Untitled"
        say(f"{clean_line(s.id, 40)}  {_moment(s.last_active)}  {s.message_count:>5}  {title}")
    if not found:
        say(_("No session was found.") if sought else _("There are no sessions yet."))
    return int(sought and not found)


async def search(chat: ChatSession, options: argparse.Namespace) -> int:
    """Print the messages found, newest first; 1 where there is none."""
    emoji = resolve(options.reacted) if options.reacted else None
    query = " ".join(options.words)
    if not query.strip() and emoji is None:
        raise InvalidInput(_("There is nothing to search for."), hint=_("Give words, or --reacted EMOJI."))
    found = await chat.sessions.search(
        query,
        session_id=getattr(options, "session", None),
        author=options.author,
        emoji=emoji,
        limit=options.limit,
    )
    if options.json:
        say_json({"hits": [hit_json(hit) for hit in found.hits], "more": found.more})
        return int(not found.hits)
    for hit in found.hits:
        say(_hit_line(hit))
    if not found.hits:
        say(_("No message was found."))
    elif found.more:
        say(_("There are more than these {count}; --limit shows them.").format(count=len(found.hits)))
    return int(not found.hits)


async def delete(chat: ChatSession, session_id: str, *, as_json: bool, sure: bool) -> int:
    """Delete it, unless nobody could bring it back and the person did not say that they are sure."""
    if Ability.RESTORE not in chat.state.abilities and not sure:
        raise InvalidInput(lack_of(Ability.RESTORE), hint=_("With --yes it is deleted for good."))
    seconds = await chat.sessions.delete(session_id)
    told = _("The session is deleted.")
    if seconds:
        minutes = max(1, round(seconds / 60))
        restore = f"tui-tapback sessions restore {clean_line(session_id, 80)}"
        told += " " + plural(
            "For {count} minute {command} brings it back.",
            "For {count} minutes {command} brings it back.",
            minutes,
        ).format(count=minutes, command=restore)
    return _done(as_json, told, id=session_id, undo_seconds=seconds)


def session_json(session: SessionSummary) -> dict[str, object]:
    """A session as ``sessions --json`` gives it; ``last_active`` in Unix seconds."""
    return {
        "id": session.id,
        "title": session.title,
        "preview": session.preview,
        "last_active": session.last_active,
        "message_count": session.message_count,
        "archived": session.archived,
        "reactions": session.reactions,
    }


def hit_json(hit: Hit) -> dict[str, object]:
    """A message found; ``spans`` are the finds within ``snippet``, in code points, the end excluded."""
    return {
        "session_id": hit.session_id,
        "session_title": hit.session_title,
        "row_id": hit.row_id,
        "role": hit.role,
        "at": hit.at,
        "snippet": hit.snippet,
        "spans": [list(span) for span in hit.spans],
    }


def marked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """``text`` with ``«»`` around the finds."""
    pieces: list[str] = []
    place = 0
    for start, end in sorted(spans):
        if start < place or end > len(text) or end <= start:
            continue  # a gateway that counts otherwise
        pieces += [text[place:start], "«", text[start:end], "»"]
        place = end
    return "".join((*pieces, text[place:]))


def _hit_line(hit: Hit) -> str:
    title = clean_line(hit.session_title, 40) or "Untitled"
    snippet = clean_line(marked(hit.snippet, hit.spans), 200)
    author = _AUTHORS.get(hit.role, clean_line(hit.role, 20))
    where = f"{clean_line(hit.session_id, 40)}  row {hit.row_id}  {_moment(hit.at)}  {title}"
    return f"{where}\n  {author}: {snippet}"


def _done(as_json: bool, told: str, **facts: object) -> int:
    if as_json:
        say_json({"ok": True} | facts)
    else:
        say(told)
    return 0


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M")
