"""`quizbot run` as a program of its own on a stand-in Discord: the command line, and all of it."""

from __future__ import annotations

import sys

from discord_child import point

from adapters.main import perform

if __name__ == "__main__":
    point(*sys.argv[1:3])
    sys.exit(perform(["run"]))
