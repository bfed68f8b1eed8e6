"""The chat in a real browser: Chromium without a window, driven over its DevTools socket."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from tui_tapback.export.png import find_browser
from tui_tapback.testing.home import Home

pytestmark = [pytest.mark.browser, pytest.mark.slow]
DEADLINE = 40.0
HEART = re.compile(r"▐❤ ▌|\[❤ \]")
# The page keeps its terminal to itself: take hold of it when it is made, and read its cells as text.
HOOK = """
Object.defineProperty(Object.prototype, "unicode11Addon", {configurable: true, set(value) {
  window.chat = this;
  Object.defineProperty(this, "unicode11Addon", {value, writable: true});
}});
window.chatText = () => {
  if (!window.chat) return document.body ? document.body.innerText : "";
  const buffer = window.chat.terminal.buffer.active, lines = [];
  for (let y = 0; y < window.chat.terminal.rows; y++)
    lines.push(buffer.getLine(buffer.baseY + y)?.translateToString(true) ?? "");
  return lines.join("\\n");
};
window.chatCell = (x, y) => {
  const box = document.querySelector(".xterm-screen").getBoundingClientRect();
  return [box.left + (x + 0.5) * box.width / window.chat.terminal.cols,
          box.top + (y + 0.5) * box.height / window.chat.terminal.rows];
};
"""


class Tab:
    """One page: goes to addresses, reads the terminal in it, types and clicks."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.call(
            "Emulation.setDeviceMetricsOverride", width=1000, height=700, deviceScaleFactor=1, mobile=False
        )
        self.call("Page.addScriptToEvaluateOnNewDocument", source=HOOK)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self._browser.call(method, self._session, **parameters)

    def evaluate(self, script: str) -> Any:
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def goto(self, url: str) -> None:
        self.call("Page.navigate", url=url)

    def reload(self) -> None:
        self.evaluate("window.chat = undefined")
        self.call("Page.reload")

    @property
    def text(self) -> str:
        return str(self.evaluate("window.chatText ? window.chatText() : ''"))

    def wait(self, condition: Callable[[str], object], what: str) -> str:
        end = time.monotonic() + DEADLINE
        while not condition(text := self.text):
            assert time.monotonic() < end, f"waited for {what}; the page shows:\n{text}"
            self._browser.pause()
        return text

    def rest(self) -> str:
        """Wait until the page shows the same twice in a row."""
        end = time.monotonic() + DEADLINE
        before = self.text
        while time.monotonic() < end:
            self._browser.pause(0.5)
            if (now := self.text) == before:
                return now
            before = now
        raise AssertionError("the page never came to rest")

    def type(self, text: str) -> None:
        self.evaluate("window.chat.terminal.focus()")
        self.call("Input.insertText", text=text)

    def press(self, key: str, code: int, text: str = "", modifiers: int = 0) -> None:
        self.evaluate("window.chat.terminal.focus()")
        pressed = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self.call("Input.dispatchKeyEvent", type="keyDown", **pressed, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **pressed)

    def click(self, column: int, row: int, times: int = 1) -> None:
        x, y = self.evaluate(f"window.chatCell({column}, {row})")
        place = {"x": x, "y": y, "button": "left"}
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for count in range(1, times + 1):
            self.call("Input.dispatchMouseEvent", type="mousePressed", clickCount=count, **place)
            self.call("Input.dispatchMouseEvent", type="mouseReleased", clickCount=count, **place)


class Browser:
    """A Chromium without a window; ``tab`` opens pages that share its cookies."""

    def __init__(self, folder: Path) -> None:
        program = find_browser()
        assert program is not None
        flags = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync")
        network = ("--disable-background-networking", "--disable-component-update")
        self._process = subprocess.Popen(
            [
                program,
                *flags,
                *network,
                f"--user-data-dir={folder}",
                "--remote-debugging-port=0",
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._ids = itertools.count(1)
        self._stack = ExitStack()
        link = connect(self._address(folder), max_size=None, compression=None)
        self._socket: ClientConnection = self._stack.enter_context(link)

    def _address(self, folder: Path) -> str:
        file, end = folder / "DevToolsActivePort", time.monotonic() + DEADLINE
        while not (file.exists() and len(lines := file.read_text("utf-8").splitlines()) > 1):
            assert time.monotonic() < end and self._process.poll() is None, "Chromium did not start"
            self.pause()
        return f"ws://127.0.0.1:{lines[0]}{lines[1]}"

    def pause(self, seconds: float = 0.05) -> None:
        time.sleep(seconds)

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        number = next(self._ids)
        request = {"id": number, "method": method, "params": parameters}
        self._socket.send(json.dumps(request | ({"sessionId": session} if session else {})))
        while True:
            answer = json.loads(self._socket.recv(timeout=DEADLINE))
            if answer.get("id") == number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]

    def tab(self) -> Tab:
        return Tab(self)

    def close(self) -> None:
        self._stack.close()
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    folder = tmp_path / "chromium"
    browser = Browser(folder)
    yield browser
    browser.close()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def service(home: Home) -> Iterator[str]:
    """The address, with its token, of a web service over the offline companion."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tui_tapback.cli.main", "web", "--port", "0"],
        env=home.env | {"OPENAI_MODEL": "companion"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    told = process.stdout.readline()
    yield told.split(" at ")[1].strip()
    process.send_signal(signal.SIGINT)
    assert process.wait(DEADLINE) in (0, 130, -signal.SIGINT)
    process.stdout.close()


def place_of(text: str, words: str) -> tuple[int, int]:
    """Column and row of ``words``, where nothing wide stands before them in their row."""
    row = next(number for number, line in enumerate(text.split("\n")) if words in line)
    return text.split("\n")[row].index(words), row


def test_a_conversation_with_tapbacks_in_a_browser(browser: Browser, service: str) -> None:
    tab = browser.tab()
    tab.goto(service)
    tab.wait(lambda text: "online" in text, "the chat")
    assert "token" not in tab.evaluate("location.href")
    # Nobody has clicked yet: the keys are the chat's from the start.
    assert "xterm" in tab.evaluate("document.activeElement.className")

    tab.type("hello from a browser")
    tab.wait(lambda text: "hello from a browser" in text, "what was typed")
    tab.press("Enter", 13, "\r")
    tab.wait(lambda text: re.search(r"(?m)^ ?[│┃] \S", text), "the answer")
    tab.rest()

    # By keys: Esc to the transcript, 1 is the heart; the browser's profile draws it in two cells.
    tab.press("Escape", 27)
    tab.rest()
    tab.press("1", 49, "1")
    text = tab.wait(HEART.search, "the heart on the bubble")
    cells = {len(line) for line in text.split("\n")}
    assert max(cells) <= tab.evaluate("window.chat.terminal.cols")

    # By clicks: a double click on the bubble opens the pill, a click on its second slot replaces the heart.
    column, row = place_of(text, next(w for w in ("companion", "script", "model") if w in text))
    tab.click(column, row, times=2)
    text = tab.wait(lambda text: re.search("─1─+2─", text), "the pill")
    tab.rest()
    line = next(line for line in text.split("\n") if re.search("─1─+2─", line))
    bottom = text.split("\n").index(line)
    tab.click(line.index("─2─") + 1, bottom - 1)
    tab.wait(lambda text: "▐👍▌" in text and not HEART.search(text), "the thumb instead")

    # A reload and a second tab need no token any more and show the same.
    tab.reload()
    tab.wait(lambda text: "▐👍▌" in text and "hello from a browser" in text, "the chat after a reload")
    second = browser.tab()
    second.goto(service.split("?")[0])
    second.wait(lambda text: "▐👍▌" in text, "the chat in a second tab")
    second.press("Escape", 27)
    second.rest()
    second.press("1", 49, "1")
    second.wait(HEART.search, "the heart in the second tab")
    tab.wait(HEART.search, "the heart in the first tab, live")


def test_a_wrong_token_sees_nothing(browser: Browser, service: str) -> None:
    tab = browser.tab()
    for address in (service.split("?")[0], service[:-4] + "xxxx"):
        tab.goto(address)
        text = tab.wait(lambda text: "needs the token" in text, "the refusal")
        assert "online" not in text and tab.evaluate("typeof window.chat") == "undefined"
