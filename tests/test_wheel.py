"""What is published works where nothing but it is installed, in an empty folder."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parent.parent

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built with the build backend of the development install."""
    folder = tmp_path_factory.mktemp("wheel")
    build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    run([sys.executable, "-m", "pip", *build, str(folder), str(ROOT)], ROOT)
    (built,) = folder.glob("quizbot-*.whl")
    return built


@pytest.fixture(scope="module")
def quizbot(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The command of a new environment that holds the wheel and its dependencies alone."""
    folder = tmp_path_factory.mktemp("installed")
    run([sys.executable, "-m", "venv", str(folder / "venv")], folder)
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    constraints = str(ROOT / "constraints.txt")
    # What is not run need not be compiled: that takes longer than all the rest.
    install = ["install", "--quiet", "--no-compile", "-c", constraints, str(wheel)]
    run([str(programs / "pip"), *install], folder)
    empty = folder / "empty"
    empty.mkdir()
    return lambda *words, **options: run([str(programs / "quizbot"), *words], empty, **options)


def run(command: list[str], folder: Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command to its end, and fail with all that it printed where it fails."""
    # Nothing of this checkout may be found by way of the environment.
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "QUIZBOT_"))}
    done = subprocess.run(
        command, cwd=folder, env=environment, input=typed, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{command} exited {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def test_the_wheel_carries_every_file_of_the_product(wheel: Path):
    """The quizzes, catalogues, migrations and the room's files are no code, and easily left out."""
    carried = set(ZipFile(wheel).namelist())
    places = {"bot": "bot", "adapters": "adapters", "banks": "bot/shipped_banks"}
    expected = {
        f"{place}/{file.relative_to(ROOT / folder).as_posix()}"
        for folder, place in places.items()
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert expected - carried == set()


def test_the_shipped_quizzes_are_found_and_sound(quizbot: Run):
    quizbot("banks", "check")


def test_a_shipped_quiz_can_be_played_through_a_pipe(quizbot: Run):
    assert quizbot("play", "pipeline", "--count", "1", typed="a\n").stdout
