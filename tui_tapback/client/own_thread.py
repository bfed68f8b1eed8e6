"""Runs what blocks on somebody else's machine in a thread for which the end of the program does not wait."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def own_thread(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What ``call`` returns or raises. Cancelled, it goes on unheard, and leaving the program ends it.

    ``asyncio.to_thread`` is for what must be finished: the loop waits for it before it closes.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(done: Callable[[], None]) -> None:
        if not future.done():
            done()

    def run() -> None:
        try:
            done = partial(future.set_result, call(*args, **kwargs))
        except Exception as error:  # noqa: BLE001  # it is raised where it is waited for
            done = partial(future.set_exception, error)
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, done)

    threading.Thread(target=run, name="own-thread", daemon=True).start()
    return await future
