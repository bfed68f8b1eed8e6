"""The table of posts: messages that went out to other chats, each with the row that shows it here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from .database import Database


@dataclass(frozen=True, slots=True)
class Address:
    """A message of another chat: the platform's name, the chat there, and its id there."""

    platform: str
    chat: str
    message: str


@dataclass(frozen=True, slots=True)
class Post:
    """``row_id`` of ``session_id`` shows the message here; ``taps``: who reacted there with what, oldest
    first, as (person, emoji)."""

    session_id: str
    row_id: int
    taps: tuple[tuple[str, str], ...] = ()


class PostTable:
    """One line a message. Writing belongs inside ``Database.transaction``."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, address: Address) -> Post | None:
        """The post, or None for a message that did not go out from here."""
        row = self._db.row(
            "SELECT session_id, row_id, taps FROM posts WHERE platform = ? AND chat = ? AND message = ?",
            (address.platform, address.chat, address.message),
        )
        if row is None:
            return None
        taps = msgspec.json.decode(row[2], type=tuple[tuple[str, str], ...])
        return Post(row[0], row[1], taps)

    def marked(self, key: str) -> list[tuple[Address, Post]]:
        """The posts whose rows stand and have ``key`` in their metadata, oldest first."""
        rows = self._db.rows(
            "SELECT platform, chat, message, posts.session_id, posts.row_id FROM posts "
            "JOIN messages ON messages.row_id = posts.row_id "
            "JOIN sessions ON sessions.id = posts.session_id "
            "WHERE messages.active = 1 AND sessions.deleted_at IS NULL AND display_metadata LIKE ? "
            "ORDER BY posts.row_id",
            (f'%"{key}":%',),
        )
        return [(Address(row[0], row[1], row[2]), Post(row[3], row[4])) for row in rows]

    def set(self, address: Address, post: Post) -> None:
        """Keep a post; one of the same address is replaced."""
        values: tuple[Any, ...] = (address.platform, address.chat, address.message)
        taps = msgspec.json.encode(post.taps).decode()
        self._db.run(
            "INSERT OR REPLACE INTO posts(platform, chat, message, session_id, row_id, taps) "
            "VALUES(?,?,?,?,?,?)",
            (*values, post.session_id, post.row_id, taps),
        )
