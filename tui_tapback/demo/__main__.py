"""Starts the gallery of widgets: ``python -m tui_tapback.demo``."""

import sys

from tui_tapback.demo.gallery import main

sys.exit(main())
