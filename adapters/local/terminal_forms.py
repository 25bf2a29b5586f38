"""A form in the terminal: one field after the other, each on a line of its own."""

from __future__ import annotations

from collections.abc import Mapping

from bot import messages as m
from bot.spelling import fold


class Filling:
    """A form that is being filled in. What is left empty keeps the value that it had."""

    def __init__(self, form: m.Form) -> None:
        self.form = form
        self._values: dict[str, str] = {}

    @property
    def field(self) -> m.Field:
        """The one that is asked for."""
        return self.form.fields[len(self._values)]

    @property
    def is_done(self) -> bool:
        return len(self._values) == len(self.form.fields)

    @property
    def values(self) -> Mapping[str, str]:
        return self._values

    def question(self) -> m.Message:
        """The field as a message, with what was wrong with it."""
        field, blocks = self.field, list[m.Block]()
        if not self._values:
            blocks.append(m.Heading((m.Plain(self.form.title),)))
        errors = dict(self.form.errors)
        if field.name in errors:
            blocks.append(m.Paragraph((m.Bold((m.Plain(errors[field.name]),)),)))
        value = _value(field)
        label = f"{field.label} [{value}]" if value else field.label
        blocks.append(m.Paragraph((m.Plain(label),)))
        if isinstance(field, m.ChoiceField):
            for number, choice in enumerate(field.choices, start=1):
                blocks.append(
                    m.Small((m.Bold((m.Plain(str(number)),)), m.Plain(f"  {choice.label}")))
                )
        elif isinstance(field, m.TextField | m.SearchField) and field.hint:
            blocks.append(m.Small((m.Plain(field.hint),)))
        return m.Message(tuple(blocks), language=self.form.language)

    def enter(self, line: str) -> bool:
        """Take a line for the field that is asked for; False if it cannot be that."""
        field = self.field
        typed = line.strip()
        if isinstance(field, m.ChoiceField):
            chosen = _chosen(field, typed)
            if chosen is None:
                return False
            self._values[field.name] = chosen
            return True
        if not typed and not isinstance(field, m.PersonField | m.PlaceField):
            typed = field.value
        self._values[field.name] = typed
        return True


def _value(field: m.Field) -> str:
    match field:
        case m.ChoiceField(_, _, choices, value):
            return next((choice.label for choice in choices if choice.value == value), "")
        case m.TextField() | m.SearchField():
            return field.value
        case m.PersonField() | m.PlaceField():
            return ""


def _chosen(field: m.ChoiceField, typed: str) -> str | None:
    if not typed:
        return field.value
    for number, choice in enumerate(field.choices, start=1):
        if typed == str(number) or fold(typed) in (fold(choice.label), fold(choice.value)):
            return choice.value
    return None
