"""Actions of who types: sending, reacting to the last answer, looking for what was sent."""

from __future__ import annotations

from typing import Final

from .action import Action, Group

COMPOSING: Final[tuple[Action, ...]] = (
    Action("send", ("enter",), "Send", Group.COMPOSER, "send the message", command="submit", basic=True),
    Action(
        "newline",
        ("ctrl+j", "shift+enter", "alt+enter"),
        "New line",
        Group.COMPOSER,
        "break the line; many terminals send the last two as plain Enter",
        command="newline",
        basic=True,
    ),
    Action(
        "react_last",
        ("ctrl+t", "alt+r"),
        "React",
        Group.COMPOSER,
        "open the tapback pill on the agent's last message",
        "/react NAME",
        True,
        command="pill",
        basic=True,
    ),
    Action("unreact_last", (), "Take back", Group.COMPOSER, "take your tapback from it", "/unreact"),
    Action(
        "search_history",
        ("ctrl+r",),
        "Search what you sent",
        Group.COMPOSER,
        "in all chats; Enter takes it, Esc leaves it",
        palette=True,
        command="history",
    ),
    Action(
        "external_editor",
        ("ctrl+g",),
        "Your own editor",
        Group.COMPOSER,
        "write in $VISUAL or $EDITOR",
        palette=True,
        command="external_editor",
    ),
    Action("complete", ("tab",), "Complete", Group.COMPOSER, "take what the list offers", command="complete"),
    Action(
        "to_transcript",
        ("alt+up",),
        "Transcript",
        Group.COMPOSER,
        "go up to the messages; Esc as well",
        command="transcript",
        basic=True,
    ),
    Action(
        "typed_reaction",
        (),
        "Typed tapback",
        Group.COMPOSER,
        "react to the last answer; 2+:tada: to the one before, -:tada: takes back",
        "+:tada:",
    ),
    Action("quick_reactions", (), "Quick reactions", Group.COMPOSER, "choose the six", "/reactions", True),
    Action("pins", (), "Pinned messages", Group.COMPOSER, "of all sessions", "/pins", True),
    Action("pin_message", (), "Pin", Group.COMPOSER, "the selected message", palette=True),
    Action("figures", (), "My tapbacks in figures", Group.COMPOSER, "counted here only", "/stats", True),
    Action("mute_tapbacks", (), "Mute tapbacks", Group.COMPOSER, "neither counted nor told", "/mute", True),
    Action(
        "share",
        (),
        "Share card",
        Group.COMPOSER,
        "save the message as svg, png, html or text",
        "/share FORM",
        True,
    ),
)
"""The composer's own keys, and what is only typed or chosen from the palette."""
