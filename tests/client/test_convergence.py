"""Two devices of one user and an agent over a network that lags, doubles, loses and breaks: all agree.

What is checked at every step: what was pressed shows at once and stays until the gateway has it; a confirmed
badge never shows an older state again; a message is shown exactly once; a bubble keeps its key and its row.
After quiet: every screen equals the store, the last wish stands, and nothing took effect twice. Programs are
killed too: what was on disk is there again, and goes out once.
"""

from __future__ import annotations

import asyncio
import itertools
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tui_tapback.client.outbox import KeptPrompt, Outbox
from tui_tapback.client.reconnect import ReconnectPolicy
from tui_tapback.client.session import ChatClient
from tui_tapback.client.state import ClientState, Phase
from tui_tapback.domain.errors import Busy
from tui_tapback.domain.messages import Message, Role, Status
from tui_tapback.domain.reactions import Author
from tui_tapback.testing.client import counted
from tui_tapback.testing.lagging_network import LaggingNetwork
from tui_tapback.testing.scripted_gateway import ScriptedGateway
from tui_tapback.testing.scripted_turns import ScriptedSession, reactions_in

AT_ONCE = ReconnectPolicy(
    first=0.0, cap=0.0, stable=0.0, handshake=1e6, call=1e6, ping=1e6, silence=1e9, again=0.0, keep=1e6
)
EMOJIS = ("👍", "❤️", "😂")
DEVICES = st.integers(0, 1)
PICKS = st.integers(0, 50)
WISHES = st.sampled_from([*EMOJIS, None])


class Device:
    """A client with its network, and what its person has seen and done."""

    def __init__(self, name: str, gateway: ScriptedGateway, session: ScriptedSession, folder: Path) -> None:
        self.network = LaggingNetwork(gateway)
        self.name = name
        self.folder = folder
        self.lives = 0
        self.session_id = session.id
        self.pressed: dict[str, str | None] = {}
        self.said: dict[str, str] = {}
        self.rows: dict[str, int] = {}
        self.floor: dict[int, int] = {}
        self.former: set[int] = set()
        self.vague = False
        self.wake_up()

    def wake_up(self) -> None:
        """The program is started, for the first time or after it was killed."""
        self.lives += 1
        self.outbox = Outbox(self.folder, self.name)
        self.client = ChatClient(
            self.network,
            policy=AT_ONCE,
            clock=lambda: 5000.0,
            ids=counted(f"{self.name}{self.lives}-"),
            jitter=lambda: 0.0,
            outbox=self.outbox,
        )

    @property
    def kept(self) -> set[str]:
        """The messages that are on disk."""
        return {i.text for chat in self.outbox.written for i in chat.items if isinstance(i, KeptPrompt)}

    @property
    def state(self) -> ClientState:
        return self.client.state

    def bubbles(self) -> list[Message]:
        return [m for m in self.state.messages if m.reactable]


def emoji_of(message: Message, author: Author = Author.USER) -> str | None:
    present = message.reactions.by(author)
    return present.emoji if present is not None else None


class Convergence(RuleBasedStateMachine):
    hermes = False

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.words = itertools.count(1)
        self.log: dict[int, list[str | None]] = {}
        self.touched: dict[int, set[int]] = {}
        self.spoiled: set[int] = set()

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    def breathe(self, rounds: int = 25) -> None:
        """Let every task go on until none has anything to do."""

        async def idle() -> None:
            for _ in range(rounds):
                await asyncio.sleep(0)

        self.run(idle())

    @initialize()
    def begin(self) -> None:
        self.gateway = ScriptedGateway(hermes=self.hermes, ring=12)
        self.store = self.gateway.sessions
        self.session = self.store.add(("user", "old question"), ("assistant", "old answer"))
        emit = self.store.emit

        def watched(params: dict[str, Any]) -> None:
            self.note_store()
            emit(params)

        self.store.emit = watched
        self.note_store()
        count = 1 if self.hermes else 2
        self.folder = tempfile.TemporaryDirectory()
        folder = Path(self.folder.name)
        self.devices = [Device(f"d{n}-", self.gateway, self.session, folder) for n in range(count)]
        for device in self.devices:
            self.run(device.client.start(session_id=self.session.id))
        self.settle()

    def note_store(self) -> None:
        """Remember which values the user's slot of each row has had."""
        live = [self.session.live] if self.session.live else []
        for row in [*self.session.rows, *live]:
            if row.get("row_id") is not None:
                value = next((r["emoji"] for r in reactions_in(row) if r["author"] == "user"), None)
                seen = self.log.setdefault(row["row_id"], [])
                if not seen or seen[-1] != value:
                    seen.append(value)

    # --- people ----------------------------------------------------------------------------------------

    @rule(number=DEVICES, pick=PICKS, emoji=WISHES)
    def tap(self, number: int, pick: int, emoji: str | None) -> None:
        device = self.devices[number % len(self.devices)]
        bubbles = device.bubbles()
        if not bubbles:
            return
        target = bubbles[-1 - pick % len(bubbles)]
        device.client.set_reaction(target.key, emoji)
        device.pressed[target.key] = emoji
        shown = next(m for m in device.state.messages if m.key == target.key)
        assert emoji_of(shown) == emoji, "what is pressed shows at once"
        assert not shown.reaction_error
        self.breathe()

    @rule(number=DEVICES)
    def say(self, number: int) -> None:
        device = self.devices[number % len(self.devices)]
        text = f"message {next(self.words)}"
        key = device.client.send(text)
        device.said[key] = text
        assert device.state.messages[-1].text == text, "what is said shows at once"
        self.breathe()

    @rule(number=DEVICES, pick=PICKS)
    def discard(self, number: int, pick: int) -> None:
        device = self.devices[number % len(self.devices)]
        waiting = [m for m in device.state.messages if m.status is Status.WAITING and m.key in device.said]
        sent = {params["text"] for params in self.gateway.called("prompt.submit")}
        waiting = [m for m in waiting if m.text not in sent]
        if waiting and device.network.link is not None and not device.network.link.waiting:
            target = waiting[pick % len(waiting)]
            try:
                assert device.client.discard(target.key) == target.text
            except Busy:
                return  # the request lies in a queue
            del device.said[target.key]
            device.pressed.pop(target.key, None)
            self.breathe()

    @rule(number=DEVICES)
    def moment_passes(self, number: int) -> None:
        """What waits is written to disk."""
        keeper = self.devices[number % len(self.devices)].client._keeper  # pyright: ignore[reportPrivateUsage]
        assert keeper is not None
        keeper.flush()

    @rule(number=DEVICES)
    def program_is_killed(self, number: int) -> None:
        """What was neither on disk nor stored is gone; everything else is there again."""
        device = self.devices[number % len(self.devices)]
        device.network.cut()
        kept = device.kept
        device.outbox.close()
        self.run(device.client.close())
        stored = [row["text"] for row in (*self.session.rows, *self.session.queue) if row["role"] == "user"]
        device.said = {
            key: text for key, text in device.said.items() if text in kept or self.times_shown(stored, text)
        }
        # What an earlier life wished may still go out, so that no other device's wish must stand there.
        device.former |= self.wished_rows(device)
        device.vague = device.vague or any(key not in device.rows for key in device.pressed)
        device.pressed, device.rows, device.floor = {}, {}, {}
        device.wake_up()
        self.run(device.client.start(session_id=self.session.id))
        self.breathe(40)
        assert device.kept == kept, "nothing that waited is lost"

    # --- the agent -------------------------------------------------------------------------------------

    @rule()
    @precondition(lambda self: self.session.running)
    def agent_writes(self) -> None:
        self.store.write(self.session, f"w{next(self.words)} ")
        self.note_store()
        self.breathe()

    @rule(status=st.sampled_from(["complete", "complete", "interrupted"]))
    @precondition(lambda self: self.session.running)
    def agent_ends(self, status: str) -> None:
        self.store.end(self.session, status)
        self.breathe()

    @rule()
    @precondition(lambda self: self.session.running)
    def agent_uses_a_tool(self) -> None:
        self.store.tool(self.session, "read_file", "call-same", {"content": "x"})
        self.breathe()

    @rule(pick=PICKS, emoji=WISHES)
    def agent_reacts(self, pick: int, emoji: str | None) -> None:
        rows = [row for row in self.session.rows if row["role"] == "user" and "row_id" in row]
        self.store.agent_reacts(self.session, rows[-1 - pick % len(rows)]["row_id"], emoji)
        self.breathe()

    # --- the network -----------------------------------------------------------------------------------

    @rule(number=DEVICES, what=st.sampled_from(["request", "answer", "event", "event twice", "lose event"]))
    def move(self, number: int, what: str) -> None:
        link = self.devices[number % len(self.devices)].network.link
        if link is None:
            return
        match what:
            case "request":
                self.run(link.move_request())
                self.note_store()
            case "answer":
                link.move_answer()
            case "event":
                link.move_event()
            case "event twice":
                link.move_event(times=2)
            case _ if not self.hermes:
                link.lose_event()
            case _:
                link.move_event()
        self.breathe()

    @rule(number=DEVICES)
    def flush(self, number: int) -> None:
        device = self.devices[number % len(self.devices)]
        for _ in range(60):
            if not self.run(device.network.flush()):
                break
            self.note_store()
            self.breathe()

    @rule(number=DEVICES)
    def cut(self, number: int) -> None:
        self.devices[number % len(self.devices)].network.cut()
        self.breathe(40)

    @rule(number=DEVICES, up=st.booleans())
    def switch_network(self, number: int, up: bool) -> None:
        device = self.devices[number % len(self.devices)]
        device.network.up = up
        if not up:
            device.network.cut()
        device.client.reconnect_now()
        self.breathe(40)

    @rule()
    def restart_gateway(self) -> None:
        self.gateway.restart()
        self.note_store()
        self.breathe(40)

    @rule(method=st.sampled_from(["reaction.set", "prompt.submit"]), code=st.sampled_from([4804, 4024, 4001]))
    def refuse_next(self, method: str, code: int) -> None:
        if self.hermes and method == "reaction.set":
            method = "message.react"
        self.gateway.refuse(method, code, f"refused with {code}")

    # --- what holds at every step ----------------------------------------------------------------------

    @invariant()
    def screens_are_sound(self) -> None:
        for device in getattr(self, "devices", []):
            self.screen_is_sound(device)

    def screen_is_sound(self, device: Device) -> None:
        state = device.state
        keys = [m.key for m in state.messages]
        assert len(keys) == len(set(keys)), "no bubble twice"
        rows = [m.row_id for m in state.messages if m.row_id is not None]
        assert len(rows) == len(set(rows)), "no row twice"
        self.order_is_sound(state)
        shown = [m.text for m in state.messages if m.role is Role.USER]
        for text in device.said.values() if not state.loading else ():
            assert self.times_shown(shown, text) == 1, f"{text} is shown exactly once"
        for message in state.messages:
            if message.row_id is not None:
                assert device.rows.setdefault(message.key, message.row_id) == message.row_id
            self.badge_is_sound(device, message)

    def order_is_sound(self, state: ClientState) -> None:
        """A message never stands behind its answer, nor any row before an older one."""
        placed = {row.get("row_id"): place for place, row in enumerate(self.session.rows)}
        shown = [placed[m.row_id] for m in state.messages if self.has_its_place(m) and m.row_id in placed]
        assert shown == sorted(shown), [(str(m.role), m.text, m.row_id) for m in state.messages]

    @staticmethod
    def has_its_place(message: Message) -> bool:
        return message.row_id is not None and message.status is not Status.WAITING

    @staticmethod
    def times_shown(shown: list[str], text: str) -> int:
        # Messages that a Hermes gateway queued become one row, with a blank line between them.
        return sum(part == text for whole in shown for part in whole.split("\n\n"))

    def badge_is_sound(self, device: Device, message: Message) -> None:
        value = emoji_of(message)
        present = message.reactions.by(Author.USER)
        wish = device.client._book.current.overlay.wish(message.key, None)  # pyright: ignore[reportPrivateUsage]
        if wish is not None:
            pressed = device.pressed.get(message.key, wish.emoji)  # a wish of an earlier life
            assert value == pressed, "what was pressed stays until the gateway has it"
            return
        assert present is None or present.confirmed
        if message.row_id is None:
            return
        log = self.log.get(message.row_id, [None])
        floor = device.floor.get(message.row_id, 0)
        assert value in log[floor:], (
            f"{message.text}: {value} is older than what was shown, {log} from {floor}"
        )
        device.floor[message.row_id] = log.index(value, floor)

    # --- after quiet -----------------------------------------------------------------------------------

    def settle(self) -> None:
        for device in self.devices:
            device.network.up = True
            device.client.reconnect_now()
        # Nobody can know of a lost event before the next one shows the gap.
        self.store.tell(self.session, "session.info", {"title": "quiet now"})
        for _ in range(300):
            self.breathe(10)
            moved = [self.run(device.network.flush()) for device in self.devices]
            self.note_store()
            self.breathe(10)
            if self.session.running and not any(moved):
                self.store.end(self.session)
                moved.append(True)
            self.screens_are_sound()
            if not any(moved) and all(d.state.connection.phase is Phase.ONLINE for d in self.devices):
                self.breathe(60)
                if not any(d.network.link is not None and d.network.link.waiting for d in self.devices):
                    return
        raise AssertionError("the network never came to rest")

    def teardown(self) -> None:
        if hasattr(self, "devices"):
            try:
                self.gateway._rules.clear()  # pyright: ignore[reportPrivateUsage]
                self.settle()
                self.everything_agrees()
            finally:
                for device in self.devices:
                    self.run(device.client.close())
                self.run(asyncio.sleep(0))
                self.loop.close()
                self.folder.cleanup()

    def everything_agrees(self) -> None:
        stored = [
            (row["role"], row["text"].strip(), sorted((r["author"], r["emoji"]) for r in reactions_in(row)))
            for row in self.session.rows
            if row["role"] != "tool"
        ]
        for device in self.devices:
            refused = [m for m in device.state.messages if m.status is Status.FAILED and m.row_id is None]
            shown = [
                (str(m.role), m.text.strip(), sorted((str(r.author), r.emoji) for r in m.reactions))
                for m in device.state.messages
                if m.reactable and m not in refused
            ]
            assert shown == stored, f"{shown} is not {stored}"
            assert device.state.waiting == 0, f"{device.state} still waits"
            assert not device.state.running
            self.last_wishes_stand(device)
        said = [text for device in self.devices for text in device.said.values()]
        texts = [row["text"] for row in self.session.rows if row["role"] == "user"]
        assert all(self.times_shown(texts, text) <= 1 for text in said)
        assert set(self.store.effects.values()) <= {1}, "nothing takes effect twice"

    def last_wishes_stand(self, device: Device) -> None:
        if any(d.vague for d in self.devices):
            return
        others = device.former | {row for d in self.devices if d is not device for row in self.wished_rows(d)}
        for message in device.state.messages:
            if message.key in device.pressed and not message.reaction_error and message.row_id not in others:
                assert emoji_of(message) == device.pressed[message.key], "the last wish stands"

    @staticmethod
    def wished_rows(device: Device) -> set[int]:
        return device.former | {device.rows[key] for key in device.pressed if key in device.rows}


class HermesConvergence(Convergence):
    hermes = True


SOUND = settings(
    max_examples=60,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


class TestConvergence(Convergence.TestCase):
    settings = SOUND
    pytestmark = pytest.mark.slow


class TestHermesConvergence(HermesConvergence.TestCase):
    settings = SOUND
    pytestmark = pytest.mark.slow
