"""Our two themes, calm ones in which the user's blue and the agent's grey badges are easy to tell apart."""

from __future__ import annotations

from textual.theme import BUILTIN_THEMES, Theme

LIGHT = Theme(
    name="tapback-light",
    primary="#0a62e6",
    secondary="#5b6b7f",
    accent="#0a5fdf",
    warning="#9a6200",
    error="#c4314b",
    success="#1f7a3d",
    foreground="#1c1f24",
    background="#fbfbfd",
    surface="#f2f3f7",
    panel="#e6e8ee",
    dark=False,
    variables={
        "border": "#c9ced8",
        "border-blurred": "#d9dde5",
        "footer-key-foreground": "#0a5fdf",
        "input-selection-background": "#0a6cff 25%",
        "scrollbar": "#c3c9d4",
        "scrollbar-background": "#f2f3f7",
    },
)

DARK = Theme(
    name="tapback-dark",
    primary="#216bdb",
    secondary="#8b97a8",
    accent="#5aa2ff",
    warning="#e5b567",
    error="#ff7a85",
    success="#7fd18b",
    foreground="#e4e7ec",
    background="#14161a",
    surface="#1b1e24",
    panel="#272b33",
    dark=True,
    variables={
        "border": "#3a404b",
        "border-blurred": "#2b3038",
        "footer-key-foreground": "#5aa2ff",
        "input-selection-background": "#3b8eff 35%",
        "scrollbar": "#3a404b",
        "scrollbar-background": "#14161a",
    },
)

OURS = (DARK, LIGHT)


def available() -> tuple[str, ...]:
    """Names that ``/theme`` and ``--theme`` take: ``auto``, ``light``, ``dark``, then all themes."""
    return ("auto", "light", "dark", *(theme.name for theme in OURS), *sorted(BUILTIN_THEMES))


def resolve(setting: str, *, dark_terminal: bool = True) -> str | None:
    """The theme a setting stands for, None if there is no such theme."""
    setting = setting.strip().lower()
    if setting in ("", "auto"):
        return DARK.name if dark_terminal else LIGHT.name
    if setting in ("light", "dark"):
        return LIGHT.name if setting == "light" else DARK.name
    return setting if setting in available() else None


def terminal_is_dark(colorfgbg: str) -> bool:
    """What ``COLORFGBG`` (``15;0``) says of the background; dark where it says nothing usable."""
    background = colorfgbg.rpartition(";")[2]
    return not (background.isdigit() and int(background) in (7, 15))
