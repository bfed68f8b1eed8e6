"""Telegram: a bot replaces its whole set of reactions, of one emoji at most, out of an allowed list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tui_tapback.domain.reactions import Author, Reaction, ReactionSet
from tui_tapback.emoji.normalise import base_of, normalise, normalise_or_none

_LISTED = """\
👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥
🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨
🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡"""
ALLOWED = frozenset(normalise(emoji) for emoji in _LISTED.split())
"""The emoji that a bot may react with, fully qualified."""

# What comes close enough to be understood as the same; the rest is not sent at all.
_NEAREST = {
    "😂": "🤣",
    "😆": "🤣",
    "😄": "😁",
    "😀": "😁",
    "🙂": "😁",
    "✅": "👍",
    "✔️": "👍",
    "❌": "👎",
    "💖": "❤️",
    "💕": "❤️",
    "💙": "❤️",
    "💚": "❤️",
    "💛": "❤️",
    "🧡": "❤️",
    "💜": "❤️",
    "🖤": "❤️",
    "🩷": "❤️",
    "🥳": "🎉",
    "🎊": "🎉",
    "❓": "🤔",
    "🧐": "🤔",
    "‼️": "🔥",
    "😥": "😢",
    "🙁": "😢",
    "🤖": "👾",
    "🚀": "🏆",
}

TelegramReaction = dict[str, Any]
"""``{type: "emoji", emoji}``; or ``custom_emoji`` and ``paid``, which are pictures of Telegram's own."""


def telegram_emoji(emoji: str) -> str | None:
    """What Telegram shows for ``emoji`` (itself, without its tone, or the nearest), or None for nothing."""
    for candidate in (emoji, base_of(emoji)):
        if candidate in ALLOWED:
            return candidate
        if candidate in _NEAREST:
            return _NEAREST[candidate]
    return None


def to_telegram(reactions: ReactionSet) -> list[TelegramReaction]:
    """The ``reaction`` of ``setMessageReaction``: the agent's, or an empty list, which removes."""
    own = reactions.by(Author.AGENT)
    shown = None if own is None else telegram_emoji(own.emoji)
    # Telegram writes its list without variation selectors.
    return [] if shown is None else [{"type": "emoji", "emoji": shown.replace("\ufe0f", "")}]


def from_telegram(
    before: ReactionSet, new_reaction: Sequence[TelegramReaction], author: Author, at: float
) -> ReactionSet:
    """``before`` after an update that tells a person's whole new set; of several the last one stays.

    A set of nothing that we could show empties the slot, too.
    """
    given = [normalise_or_none(str(entry.get("emoji", ""))) for entry in new_reaction]
    emoji = next((found for found in reversed(given) if found is not None), None)
    return before.remove(author) if emoji is None else before.set(Reaction(emoji, author, at))
