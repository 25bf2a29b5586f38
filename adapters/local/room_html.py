"""HTML that cannot be written unescaped: every text is escaped, once, here.

No text turns what stands around it either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from adapters.local.turns import balanced


class Html(str):
    """Markup that was made by `el`, and so is safe to put inside other markup."""

    __slots__ = ()


Child = str | Iterable["Child"] | None
"""Text (escaped), markup (kept), nothing, or several of these."""

Attributes = Mapping[str, str | bool | None]
"""True writes the bare name; False and None leave the attribute out."""

_VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})


def el(tag: str, attributes: Attributes | None = None, *children: Child) -> Html:
    """One element. Tag and attribute names are written in the code, never taken from outside."""
    written = "".join(_attribute(name, value) for name, value in (attributes or {}).items())
    if tag in _VOID:
        return Html(f"<{tag}{written}>")
    return Html(f"<{tag}{written}>{join(children)}</{tag}>")


def join(children: Child) -> Html:
    """Several children as one piece of markup."""
    if children is None:
        return Html("")
    if isinstance(children, Html):
        return children
    if isinstance(children, str):
        return Html(escape(balanced(children)))
    return Html("".join(join(child) for child in children))


def _attribute(name: str, value: str | bool | None) -> str:
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{escape(value)}"'
