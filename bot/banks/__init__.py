"""Quizzes as files: read strictly, checked whole, translated with care."""

from bot.banks.faults import Fault
from bot.banks.load import Loaded, load

__all__ = ["Fault", "Loaded", "load"]
