"""The variables of the environment in which tokens are given; arguments are for all to read."""

from __future__ import annotations

from typing import Final

TOKEN_VARIABLE: Final = "TUI_TAPBACK_TOKEN"
"""The token that a client shows, and that a gateway wants."""
WEB_TOKEN_VARIABLE: Final = "TUI_TAPBACK_WEB_TOKEN"
"""A token of one's own for ``tui-tapback web``."""
