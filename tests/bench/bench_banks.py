"""Quizzes to measure with: each has one question, of the length that real ones have."""

from __future__ import annotations

from pathlib import Path

from quizzes import write_bank

_BANK = """\
schema: quizbot/1
language: en
title: Layout {number}
questions:
  - id: only
    text: In the layout that is numbered {number}, how are the two weight matrices partitioned?
    options:
      a: The first column-wise, the second row-wise
      b: The first row-wise, the second column-wise
      c: Both the first and the second column-wise
      d: Both the first and the second row-wise
    correct: a
    explain: >-
      The columns of the first matrix yield complete units, which the rows of the second can use
      without any exchange. A non-linearity may be applied to complete units but not to partial
      sums: `GeLU(x + y)` is not `GeLU(x) + GeLU(y)`. So one all-reduce after the second matrix is
      enough in the forward pass, and one at the input of the block in the backward pass.
    why:
      b: Starting with rows shares the work just as evenly, but leaves partial sums to be added.
    sources: [{{title: A paper on layouts, year: 2019, url: "https://example.org/layouts"}}]
"""

_FRENCH = """\
title: Disposition {number}
questions:
  only:
    text: Dans la disposition {number}, comment les deux matrices de poids sont-elles partagées ?
    options:
      a: La première par colonnes, la seconde par lignes
      b: La première par lignes, la seconde par colonnes
      c: Les deux par colonnes
      d: Les deux par lignes
    explain: >-
      Les colonnes de la première matrice donnent des unités complètes, dont les lignes de la
      seconde se servent sans échange. Une fonction non linéaire s’applique à des unités complètes,
      pas à des sommes partielles : `GeLU(x + y)` n’est pas `GeLU(x) + GeLU(y)`. Une seule réduction
      suffit donc après la seconde matrice à l’aller, et une au début du bloc au retour.
    why:
      b: Commencer par les lignes partage aussi bien, mais laisse des sommes à additionner.
"""


def name(number: int) -> str:
    return f"layout-{number}"


def write_banks(folder: Path, count: int) -> Path:
    for number in range(count):
        texts = {"bank": _BANK, "fr": _FRENCH}
        filled = {file: text.format(number=number) for file, text in texts.items()}
        write_bank(folder, name(number), **filled)
    return folder
