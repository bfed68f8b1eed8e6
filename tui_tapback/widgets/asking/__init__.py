"""The card on which something is asked of the person in the middle of a turn."""

from .card import QuestionCard
from .sheet import Asking, CardKeys, Option

__all__ = ["Asking", "CardKeys", "Option", "QuestionCard"]
