"""The terminal's screen: what is shown, and the line below which one types."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TextIO

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.segment import Segment, Segments
from rich.table import Table
from rich.text import Text

from adapters.local import terminal_render as render
from adapters.local.terminal import Session, Turn
from adapters.local.terminal_keys import LANGUAGE, MORE, STOP, Key, Keys
from adapters.local.terminal_render import KEY, WEAK, bound, clean
from bot.messages import Bold, Message, Plain
from bot.wording.voice import Voice

_WIDEST = 92
_MARGIN = 2
_PROMPT = "> "


class Screen:
    """Writes to a terminal with colour and bars, and to anything else in plain lines."""

    def __init__(self, out: TextIO | None = None, *, width: int | None = None) -> None:
        self._console = Console(
            file=out or sys.stdout, width=width, markup=False, emoji=False, highlight=False
        )
        self._widest = width or _WIDEST

    @property
    def is_terminal(self) -> bool:
        return self._console.is_terminal

    def show(self, message: Message, keys: Mapping[str, str] | None = None) -> None:
        """A message; `keys` are those of choices that it names itself."""
        self._print("", render.message(message, bars=self.is_terminal, keys=keys))

    def show_turn(self, turn: Turn, session: Session) -> None:
        """What came of a line, and what can be typed next."""
        for message in turn.messages:
            self.show(message, _named(message, session.keys.of("choice")))
        if turn.over:
            return
        voice = Voice.of(session.language)
        if session.filling is not None:
            self._print(
                "", Text(bound(voice.phrase("Enter keeps it, {stop} goes back", stop=STOP)), WEAK)
            )
            return
        if turn.lists_keys:
            self._print("", _everything(session, voice))
        elif turn.messages and (choices := _unnamed(turn.messages[-1], session.keys)):
            self._print("", _choices(choices))
        self._print("", *self._legend(session, voice))

    def say_goodbye(self, session: Session) -> None:
        voice = Voice.of(session.language)
        if session.is_under_way:
            line = voice.phrase(
                "Stopped. What you answered is kept, and the quiz goes on from here."
            )
            self._print("", Text(bound(line), WEAK))

    def read(self) -> str | None:
        """The next line that is typed; None at the end of the input."""
        try:
            if sys.stdin.isatty() and self.is_terminal:
                return input(_PROMPT)
            line = sys.stdin.readline()
        except (EOFError, KeyboardInterrupt):
            self._console.print()
            return None
        if line:
            # Nobody saw it being typed: what is read later should read as a dialogue.
            self._console.print(Text(_PROMPT + clean(line.rstrip("\n"))))
        return line or None

    def _legend(self, session: Session, voice: Voice) -> list[RenderableType]:
        """What can be typed, on the line above the prompt."""
        keys, answers = session.keys, session.keys.of("answer")
        others = _pairs(key for key in keys.of("other") if key != keys.first)
        if answers:
            sentence = [_question(answers, voice, has_language=bool(keys.of("language")))]
            return [*sentence, *_flow(others, self._width)]
        lead: list[RenderableType] = []
        if keys.of("choice"):
            lead.append(Text(bound(voice.phrase("Type a number or a name")), WEAK))
        pairs = [("Enter", keys.first.label)] if keys.first else []
        if not pairs and session.has_way_back:
            pairs = [("Enter", voice.phrase("back"))]
        pairs += others + [(key.key, key.label) for key in keys.of("language")]
        pairs += [(MORE, voice.phrase("more")), (STOP, voice.phrase("stop"))]
        return [*lead, *_flow(pairs, self._width)]

    @property
    def _width(self) -> int:
        """Asked for anew each time: a window may have been drawn smaller."""
        return min(self._console.width, self._widest)

    def _print(self, *parts: RenderableType) -> None:
        for part in parts:
            margin = 0 if part == "" else _MARGIN
            options = self._console.options.update_width(self._width)
            padded = Padding(part, (0, 0, 0, margin))
            for line in self._console.render_lines(padded, options, pad=False):
                shown = [_unbound(part) for part in _without_end(line)]
                self._console.print(Segments([*shown, Segment.line()]), end="")


def _question(answers: tuple[Key, ...], voice: Voice, *, has_language: bool) -> RenderableType:
    """`Your answer (A–D), l for another language, ? for more, q to stop`."""
    parts = {
        "first": (Bold((Plain(answers[0].key),)),),
        "last": (Bold((Plain(answers[-1].key),)),),
        "more": (Bold((Plain(MORE),)),),
        "stop": (Bold((Plain(STOP),)),),
    }
    if not has_language:
        return render.line(
            voice.say("Your answer ({first}–{last}), {more} for more, {stop} to stop", **parts),
            WEAK,
        )
    language = (Bold((Plain(LANGUAGE),)),)
    sentence = voice.say(
        "Your answer ({first}–{last}), {language} for another language, {more} for more, "
        "{stop} to stop",
        language=language,
        **parts,
    )
    return render.line(sentence, WEAK)


def _without_end(line: list[Segment]) -> list[Segment]:
    """A line without the blanks at its end, which would be copied with it."""
    kept = list(line)
    while kept and not kept[-1].text.strip():
        kept.pop()
    return [*kept[:-1], Segment(kept[-1].text.rstrip(), kept[-1].style)] if kept else []


def _unbound(part: Segment) -> Segment:
    return Segment(render.unbound(part.text), part.style, part.control)


def _named(message: Message, choices: Iterable[Key]) -> dict[str, str]:
    """The keys of choices by their labels, if the message has a line for each of them."""
    lines = {render.words_of(block) for block in message.blocks}
    keys = {choice.label: choice.key for choice in choices}
    return keys if keys.keys() <= lines else {}


def _unnamed(message: Message, keys: Keys) -> tuple[Key, ...]:
    """What is to be listed below a message."""
    choices = keys.of("choice")
    return keys.of("link") if _named(message, choices) else (*choices, *keys.of("link"))


def _pairs(keys: Iterable[Key]) -> list[tuple[str, str]]:
    """Keys with their labels; numbers that say no more than themselves as `1–5`."""
    keys = tuple(keys)
    numbers = [key.key for key in keys if key.key == key.label]
    named = [(key.key, key.label) for key in keys if key.key != key.label]
    if not numbers:
        return named
    run = numbers[0] if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"
    return [(run, ""), *named]


def _flow(pairs: Iterable[tuple[str, str]], width: int) -> list[Text]:
    """Keys with their labels in as few lines as they fit into, none torn apart."""
    lines: list[Text] = []
    for key, label in pairs:
        pair = Text.assemble((key, KEY), (f" {bound(label)}" if label else "", WEAK))
        if lines and lines[-1].cell_len + 3 + pair.cell_len <= width - 2:
            lines[-1].append("   ").append_text(pair)
        else:
            lines.append(pair)
    return lines


def _choices(keys: Iterable[Key]) -> RenderableType:
    """Numbered choices below what they are for, and addresses that can be opened elsewhere."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(overflow="fold")
    group = ""
    for key in keys:
        if key.group != group:
            group = key.group
            grid.add_row("", Text(bound(group), WEAK))
        if key.kind == "link":
            address = key.token if render.is_web(key.token) else ""
            grid.add_row("", Text.assemble(bound(key.label), " ", (bound(address), WEAK)))
        else:
            grid.add_row(Text(key.key, KEY), Text(bound(key.label)))
    return grid


def _everything(session: Session, voice: Voice) -> RenderableType:
    """Every key of the message, then the commands."""
    grid = Table.grid(padding=(0, 2))
    # Where there is little room, both columns give way, so that neither is a letter wide.
    grid.add_column()
    grid.add_column(overflow="fold")
    answers = session.keys.of("answer")
    if answers:
        letters = f"{answers[0].key}–{answers[-1].key}"
        words = voice.phrase("your answer; its words do as well")
        grid.add_row(Text(letters, KEY), Text(bound(words)))
    for key in session.keys.of("choice", "language", "other"):
        grid.add_row(Text(key.key, KEY), Text(bound(key.label)))
    grid.add_row(Text(STOP, KEY), Text(bound(voice.phrase("stop; what you answered is kept"))))
    grid.add_row("", "")
    for usage, description in session.menu():
        grid.add_row(Text(bound(usage), KEY), Text(bound(description)))
    return grid
