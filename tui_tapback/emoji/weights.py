"""The numbers of the ranking; how they were set stands in docs/emoji.md."""

from __future__ import annotations

from tui_tapback.domain.values import value


@value
class Weights:
    """The numbers of the ranking, on a scale where 11 is an emoji's own name typed in full.

    Tuples run over ``Kind``: name, shortcode, keyword, further keyword, group.
    """

    whole: tuple[float, ...] = (11.5, 11.0, 9.5, 8.7, 5.0)
    word: tuple[float, ...] = (7.0, 6.2, 5.6, 4.0, 3.0)
    prefix: tuple[float, ...] = (5.0, 4.8, 2.6, 2.4, 0.7)
    share: float = 1.35
    abroad: float = 10.5
    first: float = 1.9
    last: float = 0.7
    run: float = 0.8
    completion: float = 0.8
    evidence: float = 0.06
    evidence_cap: float = 12.0
    number_form: float = 0.8
    verb_form: float = 0.48
    typo: float = 1.2
    related: float = 0.62
    typo_prefix: float = 0.6
    inside: float = 0.45
    spread: float = 0.75
    relaxed: float = 0.58
    parted: float = 0.85
    prior: float = 1.4
    prior_open: float = 1.6
    recent: float = 1.1
    weak: float = 3.8
    foreign: float = 0.9
    toned: float = 0.65
    plain: float = 0.2  # off for each further word of the English name, in other languages
    beside: float = 0.88  # English beside the person's own language


DEFAULT = Weights()
