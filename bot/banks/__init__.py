"""Quizzes as files: read strictly, checked whole, translated with care."""

from bot.banks.faults import Fault
from bot.banks.load import Loaded, load
from bot.banks.shipped import shipped_folder

__all__ = ["Fault", "Loaded", "load", "shipped_folder"]
