"""What happens to an intent that the gateway would not carry out."""

from __future__ import annotations

from .conversation import Conversation
from .intents import Intent, Progress, PromptIntent, ReactionIntent


def roll_back(conversation: Conversation, intent: Intent, reason: str) -> bool:
    """Roll back this intent alone; False where it is so already, and nobody needs to be told."""
    match intent:
        case ReactionIntent():
            if conversation.user_emoji(intent.key, intent.part) == intent.emoji:
                # The event came before an answer that calls it a conflict: it is as wanted.
                conversation.overlay.done(intent)
                return False
            return conversation.overlay.refused(intent, reason)
        case PromptIntent():
            if conversation.mirror.transcript.get(intent.key) is not None:
                conversation.overlay.done(intent)
                return False
            intent.progress = Progress.REFUSED
            intent.error = reason
            return True


def give_up(conversation: Conversation, reason: str) -> list[Intent]:
    """Nothing of what waits here will be delivered; returns what was rolled back."""
    conversation.attached = False
    conversation.unresolved = False
    conversation.loaded = True
    open_states = (Progress.WAITING, Progress.SENT)
    waiting = [intent for intent in conversation.overlay if intent.progress in open_states]
    return [intent for intent in waiting if roll_back(conversation, intent, reason)]
