"""Starts the gateway in the background, as the chat does: ``python -m tui_tapback.gateway.main``."""

import sys

from . import main

sys.exit(main(foreground=False))
