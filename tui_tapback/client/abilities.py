"""What a client can do on the gateway at the other end, known before it is tried."""

from __future__ import annotations

from enum import StrEnum

from tui_tapback.words import _, mark


class Ability(StrEnum):
    """A power that not every gateway has."""

    UNDO = "undo"
    EDIT = "edit"
    BRANCH = "branch"
    COMPRESS = "compress"
    STEER = "steer"
    PARTS = "parts"  # tapbacks on a part of a message
    PENDING = "pending"  # what the model will be told of the tapbacks
    WITHHOLD = "withhold"  # keeping a line of that back
    RETRACTIONS = "retractions"  # a tapback that was told and taken back is told as taken back
    PAGES = "pages"  # a long chat comes in parts
    SEARCH = "search"
    ARCHIVE = "archive"
    DELETE = "delete"
    RESTORE = "restore"
    COMMANDS = "commands"  # slash commands of the gateway
    TASKS = "tasks"  # helpers of the agent, and what runs behind the chat
    MODELS = "models"  # other models can be chosen
    ATTACH = "attach"  # images and files go with a message


COMMON = frozenset(
    {
        Ability.UNDO,
        Ability.EDIT,
        Ability.BRANCH,
        Ability.COMPRESS,
        Ability.STEER,
        Ability.PENDING,
        Ability.ARCHIVE,
        Ability.DELETE,
    }
)
HERMES = COMMON | {Ability.COMMANDS, Ability.TASKS, Ability.MODELS, Ability.ATTACH}
TAPBACK = COMMON | {
    Ability.PARTS,
    Ability.WITHHOLD,
    Ability.RETRACTIONS,
    Ability.PAGES,
    Ability.SEARCH,
    Ability.RESTORE,
}
_SENTENCES = {
    Ability.PARTS: mark("This gateway knows only tapbacks on whole messages."),
    Ability.WITHHOLD: mark("This gateway cannot keep a tapback from the model."),
    Ability.SEARCH: mark("This gateway cannot search in messages."),
    Ability.RESTORE: mark("This gateway cannot bring back a deleted chat."),
    Ability.COMMANDS: mark("This gateway has no slash commands of its own."),
    Ability.TASKS: mark("This gateway runs nothing behind a chat."),
    Ability.MODELS: mark("This gateway answers with one model, which its own settings name."),
    Ability.ATTACH: mark("This gateway takes no images or files; paste the text instead."),
}


def lack_of(ability: Ability) -> str:
    """The sentence that says that the gateway cannot."""
    if ability in _SENTENCES:
        return _(_SENTENCES[ability])
    return _("This gateway does not know how to {ability}.").format(ability=ability)
