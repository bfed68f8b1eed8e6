"""The commands about tapbacks and for reading messages, for the table of all commands."""

from __future__ import annotations

from typing import Final

from tui_tapback.words import mark

from .command import Command, Topic


def _each(name: str, *numbers: int) -> tuple[str, ...]:
    return tuple(f"{name}_{number}" for number in numbers)


_SIX: Final = (1, 2, 3, 4, 5, 6)

TAPBACKS: Final = (
    Command(
        "react",
        "NAME on N",
        mark("react to message N, or to the agent's last one"),
        Topic.TAPBACKS,
        covers=(
            "react_last",
            "typed_reaction",
            "open_pill",
            "open_picker",
            "activate",
            *_each("react", *_SIX),
            *_each("pill", *_SIX, 7),
            "pill_choose",
            "pill_picker",
            "picker_apply",
            "picker_tone",
            "picker_tones",
        ),
        more=mark(
            "NAME is an emoji, its name, a short name such as tada, one of love, like, dislike, laugh, "
            "emphasize and question, or the number of a quick reaction from /reactions. Names may carry a "
            "skin tone: /react thumbs up: dark skin tone. Shorter: +:tada: reacts to the last answer, "
            "2+:tada: to the one before it. /react NAME on N part K reacts to one part of a message, "
            "/parts reads them."
        ),
    ),
    Command(
        "unreact",
        "N",
        mark("take your tapback back from message N, or from the agent's last one"),
        Topic.TAPBACKS,
        covers=("unreact_last", "take_back", "pill_remove"),
        more=mark(
            "Shorter: - takes it from the last answer, 2- from the one before it. "
            "/unreact N part K takes it from part K."
        ),
    ),
    Command(
        "parts",
        "N",
        mark("the parts of message N with their tapbacks: paragraphs, lists, code, tools"),
        Topic.TAPBACKS,
        covers=("next_part", "previous_part"),
        more=mark("/react NAME on N part K reacts to one of them, /unreact N part K takes it back."),
    ),
    Command("repeat", "N", mark("react with your last emoji again"), Topic.TAPBACKS, covers=("repeat",)),
    Command("echo", "N", mark("answer the agent's tapback with the same"), Topic.TAPBACKS, covers=("echo",)),
    Command(
        "undo",
        "",
        mark("take back the last change of a tapback; /undo turn takes the last turn back"),
        Topic.TAPBACKS,
        covers=("undo_tapback", "undo_turn"),
    ),
    Command("redo", "", mark("do again what /undo took back"), Topic.TAPBACKS, covers=("redo_tapback",)),
    Command(
        "who", "N", mark("who reacted and when, and what the agent will see"), Topic.TAPBACKS, covers=("who",)
    ),
    Command(
        "reactions",
        "",
        mark("the quick reactions by number; the setting quick_reactions chooses them"),
        Topic.TAPBACKS,
        covers=("quick_reactions",),
    ),
    Command(
        "emoji",
        "WORDS",
        mark("find an emoji by what it means"),
        Topic.TAPBACKS,
        covers=("picker_search",),
        more=mark("Each line is an emoji with its place among those found and the name for /react."),
    ),
    Command(
        "pending",
        "",
        mark("what the agent will be told of your tapbacks with the next message"),
        Topic.TAPBACKS,
    ),
    Command("withhold", "N", mark("do not tell the agent of your tapback on message N"), Topic.TAPBACKS),
    Command("tell", "N", mark("tell it after all"), Topic.TAPBACKS),
    Command("stats", "", mark("your tapbacks in figures"), Topic.TAPBACKS, covers=("figures",)),
    Command(
        "mute",
        "",
        mark("say nothing of the agent's tapbacks, here and on the screen"),
        Topic.TAPBACKS,
        covers=("mute_tapbacks",),
    ),
    Command("unmute", "", mark("say them again"), Topic.TAPBACKS),
    Command(
        "enable",
        "tapbacks",
        mark("have the model hear of your tapbacks, where a gateway keeps them from it"),
        Topic.TAPBACKS,
    ),
)

MESSAGES: Final = (
    Command(
        "list",
        "N",
        mark("the last N messages with their numbers, the newest last"),
        Topic.MESSAGES,
        ("messages",),
        covers=("to_transcript", "page_up", "half_page_up", "page_down", "half_page_down"),
        more=mark("/list 20 to 30 reads these. A number stays with its message until a chat is opened."),
    ),
    Command(
        "read",
        "N",
        mark("all of message N, or of the one where you are"),
        Topic.MESSAGES,
        covers=("message_menu",),
    ),
    Command(
        "next",
        "KIND",
        mark("the next message; KIND may be reacted or mine"),
        Topic.MESSAGES,
        covers=("next_message", "next_prompt", "next_reacted"),
        more=mark("Behind the last message it says so; /first and /last go to the ends."),
    ),
    Command(
        "previous",
        "KIND",
        mark("the message before; KIND may be reacted or mine"),
        Topic.MESSAGES,
        ("prev",),
        covers=("previous_message", "previous_prompt", "previous_reacted"),
    ),
    Command("first", "", mark("the first message"), Topic.MESSAGES, covers=("first_message",)),
    Command("last", "", mark("the last message"), Topic.MESSAGES, covers=("last_message", "next_unread")),
    Command(
        "find",
        "WORDS",
        mark("messages that say all these words, in all chats"),
        Topic.MESSAGES,
        ("search",),
        covers=("find", "search", "search_history", "hit_up", "hit_down", "session_search"),
        more=mark(":heart: among the words keeps messages with that tapback. /hit N goes to what was found."),
    ),
    Command("hit", "N", mark("go to number N of what /find found"), Topic.MESSAGES),
    Command(
        "filter",
        "NAME",
        mark("messages with that tapback; without a name, with any"),
        Topic.MESSAGES,
        covers=("lens",),
    ),
    Command("pin", "N", mark("pin message N, to find it again"), Topic.MESSAGES, covers=("pin_message",)),
    Command(
        "pins",
        "N",
        mark("the pinned messages of all chats; with a number, go to one"),
        Topic.MESSAGES,
        covers=("pins",),
    ),
    Command("unpin", "N", mark("take the pin off number N of /pins"), Topic.MESSAGES),
    Command("code", "N", mark("only the code of message N"), Topic.MESSAGES, covers=("copy_code",)),
    Command("links", "N", mark("the links of message N"), Topic.MESSAGES, covers=("open_link", "copy_links")),
    Command(
        "tools",
        "N",
        mark("the last N things the agent used, with what came of them"),
        Topic.MESSAGES,
        covers=("fold",),
    ),
    Command("thoughts", "N", mark("what the agent thought before it wrote message N"), Topic.MESSAGES),
    Command(
        "export",
        "FORM FILE",
        mark("write this chat to a file: text, markdown, html or json"),
        Topic.MESSAGES,
        covers=("share", "copy", "copy_markdown"),
    ),
)
