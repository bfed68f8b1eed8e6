from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

# Prints every fitted text in a real terminal and asks after each where the cursor is (CSI 6n).
SCRIPT = r"""
import json, os, re, sys, termios, tty
from pathlib import Path
import emoji
from tui_tapback.terminal.cells import EmojiFitter
from tui_tapback.terminal.profile import detect_profile

profile = detect_profile(os.environ)
fitter = EmojiFitter(profile)
texts = sorted({fitter.fit(sequence) for sequence in emoji.EMOJI_DATA})
terminal = os.open("/dev/tty", os.O_RDWR)
tty.setraw(terminal)
wrong = []
for first in range(0, len(texts), 100):
    chunk = texts[first : first + 100]
    os.write(terminal, "".join(f"\x1b[1;1H\x1b[2K{text}\x1b[6n" for text in chunk).encode())
    answer = b""
    while len(columns := re.findall(rb"\x1b\[\d+;(\d+)R", answer)) < len(chunk):
        answer += os.read(terminal, 65536)
    wrong += [(text, int(column) - 1) for text, column in zip(chunk, columns) if int(column) != 3]
part = Path(sys.argv[1] + ".part")
part.write_text(json.dumps({"profile": profile.name, "texts": len(texts), "wrong": wrong}))
part.rename(sys.argv[1])
"""


@pytest.mark.slow
@pytest.mark.terminal
def test_every_fitted_emoji_moves_the_cursor_of_tmux_by_two(tmp_path: Path) -> None:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    script, answer, socket = tmp_path / "probe.py", tmp_path / "answer.json", tmp_path / "tmux"
    script.write_text(SCRIPT, "utf-8")
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8", "TERM": "xterm-256color"}
    tmux = ["tmux", "-S", str(socket), "-f", "/dev/null", "-u"]
    command = [*tmux, "new-session", "-d", "-x", "80", "-y", "24", sys.executable, str(script), str(answer)]
    subprocess.run(command, env=environ, check=True, timeout=20)
    try:
        deadline = time.monotonic() + 60
        while not answer.exists():
            assert time.monotonic() < deadline, "the probe inside tmux gave no answer"
            time.sleep(0.05)
    finally:
        subprocess.run([*tmux, "kill-server"], env=environ, check=False, timeout=20, capture_output=True)
    told = json.loads(answer.read_text("utf-8"))
    assert told["profile"] == "safe"
    assert told["texts"] > 1000
    assert told["wrong"] == []
