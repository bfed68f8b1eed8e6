"""What Esc and Ctrl+C do in each situation."""

from __future__ import annotations

import math

import pytest

from tui_tapback.app.ladders import QUIT_WINDOW, Situation, Step, ctrl_c, escape


@pytest.mark.parametrize(
    ("now", "step"),
    [
        (Situation(running=True), Step.INTERRUPT),
        (Situation(running=True, composing=False), Step.INTERRUPT),
        (Situation(), Step.ENTER_TRANSCRIPT),
        (Situation(draft=True), Step.ENTER_TRANSCRIPT),
        (Situation(messages=False), Step.NOTHING),
        (Situation(composing=False), Step.ENTER_COMPOSER),
    ],
)
def test_escape(now: Situation, step: Step) -> None:
    assert escape(now) is step


@pytest.mark.parametrize(
    ("now", "step"),
    [
        (Situation(selection=True, running=True, draft=True), Step.COPY),
        (Situation(running=True, draft=True), Step.INTERRUPT),
        (Situation(draft=True), Step.CLEAR),
        (Situation(), Step.WARN_QUIT),
    ],
)
def test_ctrl_c(now: Situation, step: Step) -> None:
    assert ctrl_c(now, since_last=math.inf) is step


def test_a_second_ctrl_c_quits_only_soon_after_the_first_and_only_when_there_is_nothing_else_to_do() -> None:
    assert ctrl_c(Situation(), since_last=QUIT_WINDOW) is Step.QUIT
    assert ctrl_c(Situation(), since_last=QUIT_WINDOW + 0.1) is Step.WARN_QUIT
    assert ctrl_c(Situation(draft=True), since_last=0) is Step.CLEAR
    assert ctrl_c(Situation(running=True), since_last=0) is Step.INTERRUPT
