"""The typed commands against a real gateway: each does what the action of the screen does, and says so."""

from __future__ import annotations

from pathlib import Path

from tui_tapback.client.transport import unix_connector
from tui_tapback.gateway.service.ports import Turn
from tui_tapback.testing.agents import Call, Fail, Say, Wait
from tui_tapback.testing.client import until
from tui_tapback.testing.gateway import RunningServer
from tui_tapback.testing.plain import PlainBench, running_plain


async def talk(plain: PlainBench, server: RunningServer, said: str, answer: str) -> None:
    server.bench.agent.expect(Say(answer))
    await plain.ask(said)
    await plain.hear(answer)
    await plain.until(lambda: not plain.room.state.running and not plain.room.state.waiting)


async def test_a_conversation_needs_neither_screen_nor_mouse(
    plain: PlainBench, server: RunningServer
) -> None:
    # case B187: list, react to the last reply, retract, search, all by typed commands
    await talk(plain, server, "shall we have a party?", "A party it is.")
    listed = await plain.ask("/list")
    assert [line.partition(". ")[0] for line in listed] == ["1", "2"]
    assert listed[0].endswith(": shall we have a party?")
    assert listed[1].endswith(": A party it is.")
    await plain.ask("/react thumbs up")
    await plain.hear("You liked message 2, “A party it is.”.")
    await plain.ask("/unreact")
    await plain.hear("You took back thumbs up 👍 from message 2, “A party it is.”.")
    found = await plain.ask("/search party")
    assert found[0] == "2 messages found."
    assert found[1].startswith("1. message 2, Agent,") and found[1].endswith(": A party it is.")


async def test_five_changes_in_a_burst_are_one_sentence(plain: PlainBench, server: RunningServer) -> None:
    # case B184: one line for each settled change, however many keys there were
    await talk(plain, server, "hello", "Hi.")
    before = len(plain.console.said)
    plain.type("/react heart", "/react 2", "/react laugh", "/react question", "/react tada")
    await plain.hear("You reacted party popper 🎉 to message 2", since=before)
    assert [line for line in plain.console.said[before:] if "message 2" in line] == [
        "You reacted party popper 🎉 to message 2, “Hi.”."
    ]


async def test_a_tapback_of_the_agent_is_one_sentence(plain: PlainBench, server: RunningServer) -> None:
    # case B184: agent reacts once
    async def love(turn: Turn) -> str:
        await server.bench.service.react_as_agent(turn.session_id, "❤️")
        return "{}"

    server.bench.agent.expect(Call("send_message", result=love), Say("There."))
    await plain.ask("see you at 8")
    await plain.hear("There.")
    assert await plain.hear("Agent loved message 1, “see you at 8”.", since=0)
    assert not [line for line in plain.console.said if "send_message" in line]


async def test_words_and_short_forms_name_a_tapback(plain: PlainBench, server: RunningServer) -> None:
    await talk(plain, server, "one", "First.")
    await talk(plain, server, "two", "Second.")
    await plain.ask("2+:tada:")
    await plain.hear("You reacted party popper 🎉 to message 2, “First.”.")
    await plain.ask("/react emphasize on 4")
    await plain.hear("You emphasized message 4, “Second.”.")
    assert await plain.ask("/react emphasize") == [
        "Your double exclamation mark ‼️ is on message 4, “Second.” already; /unreact takes it back."
    ]
    assert "neither one emoji nor the name" in (await plain.ask("/react flurble"))[0]
    assert (await plain.ask("/react"))[0].startswith("Which tapback?")
    assert "no message 9" in (await plain.ask("/react heart on 9"))[0]


async def test_steps_are_undone_and_done_again(plain: PlainBench, server: RunningServer) -> None:
    await talk(plain, server, "one", "First.")
    assert (await plain.ask("/undo"))[0].startswith("There is no tapback to take back.")
    await plain.ask("+:tada:")
    await plain.hear("You reacted party popper")
    await plain.ask("/undo")
    await plain.hear("You took back party popper 🎉")
    await plain.ask("/redo")
    await plain.hear("You reacted party popper 🎉")
    await plain.ask("/repeat 1")
    await plain.hear("to message 1, “one”.")


async def test_who_and_what_the_agent_will_see(plain: PlainBench, server: RunningServer) -> None:
    await talk(plain, server, "one", "First.")
    assert await plain.ask("/who 2") == ["Nobody has reacted to message 2."]
    await plain.ask("/react heart")
    await plain.hear("You loved message 2")
    (told,) = await plain.ask("/who")
    assert told.startswith("You loved message 2, “First.”. At ")
    assert told.endswith("The agent hears of it with your next message.")
    assert (await plain.ask("/pending"))[1].startswith("message 2: [The user reacted ❤️")
    assert await plain.ask("/withhold 2") == ["The agent is not told of your tapback on message 2."]
    assert (await plain.ask("/who 2"))[0].endswith("It is kept back from the agent.")
    assert await plain.ask("/tell 2") == ["The agent is told of your tapback on message 2."]
    assert await plain.ask("/filter heart") == [
        "1 message with that tapback.",
        (await plain.ask("/list 1"))[0],
    ]
    assert (await plain.ask("/stats"))[0] == "You gave 1 tapback: 1 red heart ❤️."


async def test_one_goes_from_message_to_message(plain: PlainBench, server: RunningServer) -> None:
    await talk(plain, server, "one", "First.")
    await talk(plain, server, "two", "Second.")
    await plain.ask("+:tada:")
    await plain.hear("You reacted")
    assert (await plain.ask("/previous mine"))[0].startswith("3. You")
    assert (await plain.ask("/previous"))[0].startswith("2. Agent")
    assert (await plain.ask("/next reacted"))[0].startswith("4. Agent")
    assert await plain.ask("/next") == ["There is no such message after this one."]
    assert (await plain.ask("/first"))[0].startswith("1. You")
    assert await plain.ask("/previous") == ["There is none before this one."]
    assert (await plain.ask("/last"))[-1] == "Tapback: party popper 🎉 from you."
    assert "kinds are reacted and mine" in (await plain.ask("/next loud"))[0]


async def test_a_message_is_said_anew(plain: PlainBench, server: RunningServer) -> None:
    await talk(plain, server, "one", "First.")
    asked = await plain.ask("/edit")
    assert asked[0] == "This takes back 2 messages in 1 turn, with their tapbacks."
    assert plain.console.prompts[-1] == ("New text: ", False, "one")
    server.bench.agent.expect(Say("Uno."))
    await plain.ask("eins")
    await plain.hear("Uno.")
    said = await plain.ask("/list")
    assert [line[:2] for line in said] == ["3.", "4."]  # numbers are never given twice
    await plain.ask("/edit")
    assert await plain.ask("") == ["Nothing was changed."]


async def test_taking_back_asks_first(plain: PlainBench, server: RunningServer) -> None:
    await talk(plain, server, "one", "First.")
    await talk(plain, server, "two", "Second.")
    asked = await plain.ask("/rewind 1")
    assert asked == ["This takes back 4 messages in 2 turns, with their tapbacks. Do it?"]
    assert await plain.ask("no") == ["Nothing was done."]
    assert "is the agent's" in (await plain.ask("/rewind 2"))[0]
    await plain.ask("/undo turn")
    await plain.ask("yes")
    await plain.hear("Taken back. You had said: two", since=0)
    assert len(await plain.ask("/list")) == 2
    await plain.ask("/rewind 1")
    await plain.ask("yes")
    await plain.hear("Taken back. You had said: one")
    assert (await plain.ask("/list"))[0].startswith("There is no message in this chat yet.")


async def test_what_failed_is_said_with_the_way_to_try_again(
    plain: PlainBench, server: RunningServer
) -> None:
    server.bench.agent.expect(Fail(RuntimeError("boom")))
    await plain.ask("one")
    failed = await plain.hear("The answer failed.")
    assert "/retry 2 tries again." in failed
    server.bench.agent.expect(Say("Better."))
    assert await plain.ask("/retry") == ["Trying again."]
    await plain.hear("Better.")


async def test_the_agent_is_interrupted_by_ctrl_c_and_twice_leaves(
    plain: PlainBench, server: RunningServer
) -> None:
    wait = Wait()
    server.bench.agent.expect(Say("A long\n\n"), wait)
    await plain.ask("go")
    await plain.hear("A long")
    await plain.ask("/stop")
    await plain.hear("The answer was interrupted.")
    assert await plain.ask("/stop") == ["The agent is not at work, so there is nothing to stop."]
    wait = Wait()
    server.bench.agent.expect(Say("Another\n\n"), wait)
    await plain.ask("go on")
    await plain.hear("Another")
    plain.interrupt()
    await plain.hear("The answer was interrupted.")
    plain.interrupt()
    await plain.hear("Ctrl+C once more leaves.")


async def test_chats_are_listed_named_and_brought_back(plain: PlainBench, server: RunningServer) -> None:
    await talk(plain, server, "one", "First.")
    assert await plain.ask("/title Plans") == ["This chat is called “Plans”."]
    await plain.ask("/new")
    await plain.hear("A new chat.")
    await talk(plain, server, "two", "Second.")
    listed = await plain.ask("/sessions")
    assert "“two”, 2 messages" in listed[0] and listed[0].endswith("open now.")
    assert listed[1].startswith("2. “Plans”, 2 messages")
    await plain.ask("/open 2")
    await plain.hear("Chat “Plans”, 2 messages.")
    assert (await plain.ask("/find second"))[1].startswith("1. “two”, Agent")
    assert (await plain.ask("/hit 1"))[-1].startswith("2. Agent")
    await plain.ask("/sessions")
    assert await plain.ask("/delete 2") == ["Delete “Plans” with 2 messages?"]
    assert "/restore brings it back" in (await plain.ask("yes"))[0]
    assert await plain.ask("/restore") == ["It is among your chats again."]
    assert "/restore takes it back" in (await plain.ask("/archive 2"))[0]
    assert "Plans" in (await plain.ask("/archived"))[0]
    await plain.ask("/restore")
    await plain.ask("/sessions")
    assert await plain.ask("/rename 2 Other") == ["It is called “Other” now."]
    assert "no chat 7" in (await plain.ask("/open 7"))[0]


async def test_a_branch_is_another_chat(plain: PlainBench, server: RunningServer) -> None:
    await talk(plain, server, "one", "First.")
    await talk(plain, server, "two", "Second.")
    said = await plain.ask("/branch Plan B at 2")
    assert "This is the branch; the chat that it came from stays as it was." in said
    await plain.hear("Chat “Plan B”, 2 messages.", since=0)
    assert len(await plain.ask("/list")) == 2


async def test_code_links_tables_and_files(plain: PlainBench, server: RunningServer, tmp_path: Path) -> None:
    text = "See [the page](https://example.org/a).\n\n```python\nprint(1)\nprint(2)\n```"
    server.bench.agent.expect(Say(text))
    await plain.ask("show")
    await plain.hear("End of code.")
    await plain.until(lambda: not plain.room.state.running)
    assert await plain.ask("/code") == ["print(1)", "print(2)"]
    assert await plain.ask("/links") == ["1. the page: https://example.org/a"]
    file = tmp_path / "chat.md"
    assert await plain.ask(f"/export markdown {file}") == [f"2 messages written to {file}."]
    assert "print(1)" in file.read_text("utf-8") and file.stat().st_mode & 0o777 == 0o600
    assert "is there already" in (await plain.ask(f"/export {file}"))[0]


async def test_what_is_waited_for_quietly_comes_with_enter(server: RunningServer, tmp_path: Path) -> None:
    async with running_plain(unix_connector(server.path), tmp_path) as plain:
        await plain.ask("/quiet on")
        server.bench.agent.expect(Say("Hush."))
        await plain.ask("hello")
        before = len(plain.console.said)
        await until(plain.room.chat, lambda state: len(state.messages) == 2 and not state.running)
        assert not [line for line in plain.console.said[before:] if "Hush." in line]
        await plain.ask("/status")
        await plain.hear("Hush.", since=0)


async def test_several_lines_are_one_message(plain: PlainBench, server: RunningServer) -> None:
    server.bench.agent.expect(Say("Read."))
    await plain.ask("/paste")
    assert plain.console.prompts[-1][0] == "more: "
    await plain.ask("/react is only text here")
    await plain.ask("second")
    await plain.ask("/end")
    await plain.hear("Read.")
    assert plain.room.state.messages[0].text == "/react is only text here\nsecond"
    server.bench.agent.expect(Say("Again."))
    await plain.ask("first \\")
    await plain.ask("last")
    await plain.hear("Again.")
    assert plain.room.numbers.messages[2].text == "first \nlast"


async def test_unknown_and_senseless_commands_say_what_there_is_instead(plain: PlainBench) -> None:
    assert "Did you mean /react" in (await plain.ask("/raect heart"))[0]
    assert await plain.ask("/theme") == ["Plain mode has no colours."]
    assert (await plain.ask("/share svg"))[0].startswith("Here /share is /export FORM FILE: ")
    assert (await plain.ask("/help react"))[0].startswith("/react NAME on N: ")
    assert (await plain.ask("/help tapbacks"))[0] == "Tapbacks:"
    assert (await plain.ask("/help pins"))[0].startswith("/pins N: ")


async def test_settings_are_read_and_set(plain: PlainBench, tmp_path: Path) -> None:
    assert (await plain.ask("/settings plain_emoji"))[0].startswith('plain_emoji: "both". ')
    await plain.ask("/settings plain_emoji names")
    assert 'plain_emoji = "names"' in (tmp_path / "settings.toml").read_text("utf-8")
    assert await plain.ask("/reactions") == [
        "1. red heart", "2. thumbs up", "3. thumbs down", "4. face with tears of joy",
        "5. double exclamation mark", "6. red question mark",
    ]  # fmt: skip
    assert "plain_emojo" in (await plain.ask("/settings plain_emojo"))[0]
    assert await plain.ask("/speak both") == ["red heart ❤️"]
    assert "as names or as both" in (await plain.ask("/speak loudly"))[0]


async def test_emoji_are_found_with_their_place(plain: PlainBench) -> None:
    found = await plain.ask("/emoji grinning cat")
    assert found[0].startswith("1 of ") and "grinning cat" in found[0]
