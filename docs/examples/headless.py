"""A chat without a screen: say something and tap back on the answer.

Run: ``tui-tapback serve --socket chat.sock &`` and then ``python docs/examples/headless.py chat.sock``.
"""

import asyncio
import sys
from pathlib import Path

from tui_tapback.client import ChatClient, unix_connector


async def main(socket: Path) -> str:
    """Returns the answer; ``url_connector(url, token)`` goes to a gateway far away."""
    chat = ChatClient(unix_connector(socket))
    await chat.start(new=True)
    chat.send("Hello! Thank you.")
    async for state in chat.changes():  # always the newest state: frozen values, all of them
        if len(state.messages) > 1 and not state.running and not state.waiting:
            answer = state.messages[-1]
            chat.set_reaction(answer.key, "❤️")
            await chat.close()  # waits a moment, so that the tapback still goes out
            return answer.text
    return ""


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Which gateway? tui-tapback serve --socket chat.sock & python headless.py chat.sock")
    sys.stdout.write(asyncio.run(main(Path(sys.argv[1]))) + "\n")
