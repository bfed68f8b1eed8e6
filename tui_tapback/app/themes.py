"""Our themes: a calm pair, and one of high contrast; badges of both sides are easy to tell apart in all."""

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

CONTRAST_DARK = Theme(
    name="tapback-contrast-dark",
    primary="#9cc8ff",
    secondary="#d0d0d0",
    accent="#ffd75e",
    warning="#ffb84d",
    error="#ffa3a3",
    success="#8cf0a0",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1c1c1c",
    dark=True,
    variables={
        "border": "#ffffff",
        "border-blurred": "#b8b8b8",
        "text-primary": "#9cc8ff",
        "text-secondary": "#d0d0d0",
        "text-accent": "#ffd75e",
        "text-warning": "#ffb84d",
        "text-error": "#ffa3a3",
        "text-success": "#8cf0a0",
        "footer-key-foreground": "#ffd75e",
        "input-selection-background": "#ffd75e 40%",
        "scrollbar": "#ffffff",
        "scrollbar-background": "#000000",
    },
)

CONTRAST_LIGHT = Theme(
    name="tapback-contrast-light",
    primary="#00357a",
    secondary="#333333",
    accent="#5a1a8c",
    warning="#6b3a00",
    error="#8c0016",
    success="#004d1a",
    foreground="#000000",
    background="#ffffff",
    surface="#ffffff",
    panel="#ededed",
    dark=False,
    variables={
        "border": "#000000",
        "border-blurred": "#4a4a4a",
        "text-primary": "#00357a",
        "text-secondary": "#333333",
        "text-accent": "#5a1a8c",
        "text-warning": "#6b3a00",
        "text-error": "#8c0016",
        "text-success": "#004d1a",
        "footer-key-foreground": "#5a1a8c",
        "input-selection-background": "#5a1a8c 25%",
        "scrollbar": "#000000",
        "scrollbar-background": "#ffffff",
    },
)

OURS = (DARK, LIGHT, CONTRAST_DARK, CONTRAST_LIGHT)
_FOLLOWING = ("auto", "light", "dark", "contrast")


def available() -> tuple[str, ...]:
    """Names that ``--theme`` takes: ``auto``, ``light``, ``dark``, ``contrast``, then all themes."""
    return (*_FOLLOWING, *(theme.name for theme in OURS), *sorted(BUILTIN_THEMES))


def resolve(setting: str, *, dark_terminal: bool = True) -> str | None:
    """The theme a setting stands for, None if there is no such theme."""
    match setting.strip().lower():
        case "" | "auto":
            return DARK.name if dark_terminal else LIGHT.name
        case "light":
            return LIGHT.name
        case "dark":
            return DARK.name
        case "contrast":
            return CONTRAST_DARK.name if dark_terminal else CONTRAST_LIGHT.name
        case name:
            return name if name in available() else None


def follows_terminal(setting: str) -> bool:
    """Whether the theme of a setting is another on a light background."""
    return resolve(setting, dark_terminal=True) != resolve(setting, dark_terminal=False)


def terminal_is_dark(colorfgbg: str) -> bool:
    """What ``COLORFGBG`` (``15;0``) says of the background; dark where it says nothing usable."""
    background = colorfgbg.rpartition(";")[2]
    return not (background.isdigit() and int(background) in (7, 15))
