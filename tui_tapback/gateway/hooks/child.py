"""The process of a package's hook: reads the event, calls the function that the argument names, and ends."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import sys


def main(arguments: list[str]) -> int:
    """``module:function``; the function gets the event as a dictionary and may be a coroutine function;
    a dictionary that it returns is its answer."""
    module, _, path = arguments[0].partition(":")
    found: object = importlib.import_module(module)
    for name in path.split("."):
        found = getattr(found, name)
    if not callable(found):
        sys.stderr.write(f"{arguments[0]} cannot be called.\n")
        return 2
    result = found(json.load(sys.stdin))
    if inspect.iscoroutine(result):
        result = asyncio.run(result)
    if isinstance(result, dict):
        # Whatever the function has printed before, this is the last line.
        sys.stdout.write("\n" + json.dumps(result) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
