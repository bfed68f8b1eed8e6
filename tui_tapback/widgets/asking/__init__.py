"""The card on which something is asked of the person in the middle of a turn."""

from .card import QuestionCard
from .sheet import Asking, Option

__all__ = ["Asking", "Option", "QuestionCard"]
