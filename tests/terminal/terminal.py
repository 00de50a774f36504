#!/usr/bin/env python3
"""What people see and do at a real terminal: the commands run in tmux, are typed at, and are looked at.

Rooms are followed into the scrollback, with hostile words in them, in colour and without, over a restart of the hub;
questions are answered, rooms are moved and deleted, the page is opened, and the demo is played. Needs tmux and curl.

    python3 tests/terminal/terminal.py [SCENE…]
"""
from __future__ import annotations

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients"))

from checks import Checks, run  # noqa: E402
from desk import AGENTS, Desk  # noqa: E402
from hub import Hub  # noqa: E402
from screen import Terminal, Tmux, Unseen  # noqa: E402

LIMIT_SECONDS = 600
WAIT_SECONDS = 15
# The demo asks within ten seconds on a machine that has nothing else to do.
DEMO_SECONDS = 60
INTERRUPTED = 130
ESCAPE = "\x1b"
BOLD = f"{ESCAPE}[1m"
COLOURS = re.compile(ESCAPE + r"\[(?:1|2)m")
HOSTILE = f"look{ESCAPE}[2J{ESCAPE}[31m{ESCAPE}]0;stolen\x07{ESCAPE}[?1049h{ESCAPE}[?25l\rgone \u202e@Bob"
NARROW = 40


async def watch_follows(checks: Checks, desk: Desk) -> None:
    await desk.room("follow")
    await desk.send("@Alice", "follow", "The first words, @Bob.")
    terminal = await desk.terminal()
    settings = (await terminal.run("stty -a"))[1]
    watching = terminal.start("turnroom watch follow")
    await terminal.shows(r"^    The first words, @Bob\.$")
    await desk.send("@Bob", "follow", HOSTILE.replace("@Bob", "@Alice"))
    await terminal.shows(r"@Alice has the floor$")
    shown = terminal.text()
    checks.check("escape sequences are shown, not obeyed", "look␛[2J␛[31m␛]0;stolen␇␛[?1049h␛[?25l␍gone" in shown, shown)
    checks.check("what stood there stays", "The first words" in shown and not terminal.is_alternate(), shown)
    checks.check("the title stays", "stolen" not in terminal.title(), terminal.title())
    checks.check("no message chooses a colour", f"{ESCAPE}[31m" not in terminal.painted())
    checks.check("names stand out on a terminal", BOLD in terminal.painted(), terminal.painted())
    many = [f"Line {number} of many" for number in range(40)]
    await desk.send("@Alice", "follow", "\n".join([*many, "@Bob"]))
    await terminal.shows(r"^    Line 39 of many$")
    shown = terminal.text()
    checks.check("what scrolls away is in the scrollback", all(f"    {line}\n" in shown for line in many), shown)
    await end(checks, terminal, watching, "watch")
    again = (await terminal.run("stty -a"))[1]
    checks.check("the terminal is as before", again == settings, again)
    checks.check("the cursor is there", terminal.cursor_is_shown())


async def end(checks: Checks, terminal: Terminal, number: int, what: str) -> str:
    """Ends a command by Ctrl-C."""
    terminal.press("C-c")
    code, printed = await terminal.ends(number)
    checks.check(f"Ctrl-C ends {what} with {INTERRUPTED}", code == INTERRUPTED, code)
    checks.check(f"the prompt after {what} begins a line", printed.endswith("\n"), printed)
    return printed


async def watch_has_colour_only_where_it_helps(checks: Checks, desk: Desk) -> None:
    await desk.room("colour")
    await desk.send("@Alice", "colour", "In which colour, @Bob?")
    plain = {"with NO_COLOR": "NO_COLOR=1 turnroom watch colour", "on a dumb terminal": "TERM=dumb turnroom watch colour",
             "in a pipe": "turnroom watch colour | cat", "where it is not wanted": "turnroom watch colour --color never"}
    painted = {"with an empty NO_COLOR": "NO_COLOR= turnroom watch colour",
               "in a pipe that wants it": "turnroom watch colour --color always | cat"}
    terminal = await desk.terminal()
    for where, command in [*plain.items(), *painted.items()]:
        number = terminal.start(command)
        await terminal.shows(r"has the floor$")
        has_colour = COLOURS.search(terminal.painted()) is not None
        checks.check(f"colour {where}", has_colour == (where in painted), terminal.painted())
        terminal.press("C-c")
        # A shell ends the whole line when Ctrl-C ends its last command.
        await terminal.shows(rf"^(end-{number}=\d+|\$)$")


async def watch_survives_a_restart(checks: Checks, desk: Desk) -> None:
    await desk.room("restart")
    await desk.send("@Alice", "restart", "Before it, @Bob.")
    terminal, inbox = await desk.terminal(), await desk.terminal()
    watching, waiting = terminal.start("turnroom watch restart"), inbox.start("turnroom inbox --watch")
    await terminal.shows("Before it")
    await inbox.shows("nothing waits for you")
    desk.hub.kill()
    for one in (terminal, inbox):
        await one.shows("the hub is away; waiting for it")
    await desk.hub.start()
    await terminal.shows("the hub is back")
    await desk.send("@Bob", "restart", "After it, @user?")
    await terminal.shows("After it")
    await inbox.shows("@Bob asks @user in restart")
    checks.check("nothing is told twice", terminal.text().count("Before it") == 1, terminal.text())
    await end(checks, terminal, watching, "watch")
    await end(checks, inbox, waiting, "inbox --watch")
    await desk.shell("say", "restart", "Settled, @Bob.")
    await desk.shell("close", "restart", "--as", "@user")


async def watch_shows_all_rooms(checks: Checks, desk: Desk) -> None:
    for room in ("one", "two"):
        await desk.room(room)
        await desk.send("@Alice", room, f"In room {room}, @Bob.")
    terminal = await desk.terminal()
    watching = terminal.start("TURNROOM_ROOM=one turnroom watch --all")
    await terminal.shows("In room two")
    checks.check("all rooms are watched, each named", re.search(r"one #\d+ @Alice to @Bob", terminal.text()) and
                 re.search(r"two #\d+ @Alice to @Bob", terminal.text()), terminal.text())
    await desk.room("three")
    await desk.send("@Alice", "three", "In a new room, @Bob.")
    await terminal.shows(r"three #\d+ @Alice")
    await end(checks, terminal, watching, "watch of all rooms")
    code, printed = await terminal.run("turnroom watch nowhere")
    checks.check("a room that is not there is named, with those that are",
                 code == 1 and "there is no room `nowhere`" in printed and "three" in printed, printed)


async def a_question_is_answered(checks: Checks, desk: Desk) -> None:
    await desk.room("ask")
    inbox, terminal = await desk.terminal(), await desk.terminal()
    code, printed = await terminal.run("turnroom inbox")
    checks.check("an empty inbox says so", (code, printed) == (0, "nothing waits for you\n"), printed)
    waiting = inbox.start("turnroom inbox --watch")
    await inbox.shows("nothing waits for you")
    await desk.send("@Alice", "ask", "Which one, @user?", "--choice", "old", "--choice", "new")
    await inbox.shows(r"^@Alice asks @user in ask, #\d+, since ")
    name = (await inbox.shows(r"turnroom answer (ask#\d+) '…'$"))[1]
    await inbox.shows(r"^    2  new$")
    code, printed = await terminal.run("turnroom inbox")
    checks.check("the inbox has question and choices", code == 0 and "Which one" in printed and "1  old" in printed, printed)
    code, printed = await terminal.run(f"turnroom answer {name} 3")
    checks.check("a choice that is not there is named", code == 2 and "1 to 2" in printed, printed)
    code, printed = await terminal.run(f"turnroom answer {name} 2")
    checks.check("an answer is posted", code == 0 and "to @Alice" in printed, printed)
    await inbox.shows(r"^settled: @Alice asks @user in ask$")
    code, printed = await terminal.run(f"turnroom answer {name} 1")
    checks.check("the second answer is told that it was not the first", code == 1 and "question_answered" in printed, printed)
    await end(checks, inbox, waiting, "inbox --watch")
    answer = await desk.said("ask", "new")
    checks.check("what is typed at a terminal is verified", answer.get("is_verified"), answer)


async def only_typed_words_are_verified(checks: Checks, desk: Desk) -> None:
    await desk.room("typed")
    terminal = await desk.terminal()
    for command, words, is_verified in [
        ("turnroom say typed 'Typed, @Alice.'", "Typed, @Alice.", True),
        ("turnroom say typed '- a list, @Alice' --no-reply", "- a list, @Alice", True),
        ("echo 'Piped, @Alice.' | turnroom say typed -", "Piped, @Alice.", False),
        ("turnroom say typed 'From a script, @Alice.' </dev/null", "From a script, @Alice.", False),
    ]:
        code, printed = await terminal.run(command)
        checks.check(f"it is posted: {command}", code == 0 and "posted" in printed, printed)
        event = await desk.said("typed", words)
        checks.check(f"verified only if typed: {command}", event.get("is_verified", False) is is_verified, event)
    await desk.send("@Alice", "typed", "Really, @user?")
    name = await desk.question("typed")
    await terminal.run(f"echo 'Piped too.' | turnroom answer {name} -")
    event = await desk.said("typed", "Piped too.")
    checks.check("a piped answer is not verified", not event.get("is_verified"), event)
    code, printed = await terminal.run("turnroom say typed hello --to")
    checks.check("a missing value is named", code == 2 and "--to <@HANDLE>" in printed, printed)
    for command in ("turnroom say typed --privat", "turnroom answer 1 --privat"):
        code, printed = await terminal.run(command)
        checks.check(f"a wrong option is not said: {command}", code == 2 and "no such option" in printed, printed)


async def a_puzzle_is_moved_at_a_prompt(checks: Checks, desk: Desk) -> None:
    machine = {"id": "release", "initialState": "draft", "states": {
        "draft": {"actions": {"submit": {"targetState": "review"}}},
        "review": {"actions": {
            "approve": {"targetState": "published", "guard": {"participant": ["@user"], "question": "May it go out?"}},
            "send back": {"targetState": "draft"}}},
        "published": {"final": True}}}
    (desk.hub.notes / "machine.json").write_text(json.dumps(machine))
    await desk.shell("puzzle", "add", str(desk.hub.notes / "machine.json"), "--by", AGENTS[0])
    terminal = await desk.terminal()
    settings = (await terminal.run("stty -a"))[1]
    prompt = terminal.start("turnroom puzzle repl")
    await terminal.shows(r"^puzzle >$")
    for keys in ("use rel", "Tab", "Enter"):
        terminal.press(keys)
    await terminal.shows(r"^draft, version 1; actions: submit$")
    for keys in ("sub", "Tab", "Enter"):
        terminal.press(keys)
    await terminal.shows(r"^2 submit: draft → review by @user")
    await terminal.shows(r"^review, version 2; actions: approve, send back$")
    # What an agent does while a line is typed stands above it.
    terminal.press("hal")
    await terminal.shows(r"^release > hal$")
    await desk.hub.shell("puzzle", "act", "release", "approve", "--as", AGENTS[1])
    await terminal.shows(r"^3 approve: review → published waits for @user; guard g3 by @Bob")
    await terminal.shows(r"^release > hal$")
    for keys in ("C-u", "pass ", "Tab", "Looks good.", "Enter"):
        terminal.press(keys)
    await terminal.shows(r"^published, version 5; actions: none$")
    events = json.loads(await desk.shell("puzzle", "history", "release", "--json"))["events"]
    checks.check("what is typed at the prompt is verified", events[3].get("verified"), events)
    checks.check("its reason is kept", events[3].get("reason") == "Looks good.", events)
    terminal.press("C-d")
    code, _ = await terminal.ends(prompt)
    checks.check("Ctrl-D ends the prompt", code == 0, code)
    again = (await terminal.run("stty -a"))[1]
    checks.check("the terminal is as before", again == settings, again)
    asked = terminal.start("turnroom puzzle remove release")
    await terminal.shows(r"Remove it for good\? \[y/N\]")
    terminal.press("n", "Enter")
    code, printed = await terminal.ends(asked)
    checks.check("a puzzle that is wanted stays", code == 1 and "nothing was removed" in printed, printed)


async def a_person_moves_the_room(checks: Checks, desk: Desk) -> None:
    await desk.room("move")
    terminal = await desk.terminal()

    async def holder() -> str | None:
        return (await desk.state("move"))["active_turn"]

    for command, shown in [("turnroom give move @Bob", "turn  @Bob"), ("turnroom give @Alice --room move", "turn  @Alice"),
                           ("turnroom say move 'And then @Bob.'", "to @Bob"), ("turnroom pass move", "turn  @Bob"),
                           ("turnroom pause move", "phase       paused"), ("turnroom resume move", "phase       open")]:
        code, printed = await terminal.run(command)
        checks.check(f"at a terminal one is @user: {command}", code == 0 and shown in printed, printed)
    checks.check("the turn is where the person has put it", await holder() == "@Bob", await holder())
    code, printed = await terminal.run("turnroom read --as @user --room move")
    checks.check("the room tells who did it", "@user paused the conversation" in printed, printed)
    for command, told in [("turnroom give move @Nobody", "unknown_participant"), ("turnroom give move ''", "give a handle"),
                          ("turnroom pause nowhere", "there is no room `nowhere`")]:
        code, printed = await terminal.run(command)
        checks.check(f"what is wrong is told: {command}", code in (1, 2) and told in printed, printed)
    await desk.shell("close", "move", "--as", "@user")
    for command in ("say move 'Too late.'", "pass move", "give move @Bob", "pause move", "resume move"):
        code, printed = await terminal.run(f"turnroom {command}")
        checks.check(f"a closed room says so: {command}", code == 1 and "room_closed" in printed, printed)


async def a_room_is_deleted_only_on_yes(checks: Checks, desk: Desk) -> None:
    await desk.room("gone")
    await desk.send("@Alice", "gone", "Short lived, @Bob.")
    terminal = await desk.terminal()
    for answer in ("n", "", "no thanks"):
        number = terminal.start("turnroom delete gone")
        await terminal.shows(r"The room `gone` has 1 message and is open;[^?]*\? \[y/N\]")
        terminal.type(answer)
        code, printed = await terminal.ends(number)
        checks.check(f"`{answer}` deletes nothing", code == 1 and "nothing was deleted" in printed, printed)
    number = terminal.start("turnroom delete gone")
    await terminal.shows(r"\[y/N\]")
    await end(checks, terminal, number, "the question of delete")
    checks.check("the room is still there", (await desk.state("gone"))["message_count"] == 1)
    number = terminal.start("turnroom delete gone")
    await terminal.shows(r"\[y/N\]")
    terminal.type("y")
    code, printed = await terminal.ends(number)
    checks.check("`y` deletes it", code == 0 and re.search(r"deleted +gone", printed), printed)
    code, printed = await terminal.run("turnroom delete gone")
    checks.check("a room that is not there is not asked about", code == 1 and "y/N" not in printed, printed)
    checks.check("the transcript stays", (desk.hub.notes / "gone.md").exists())
    await desk.room("force")
    code, printed = await terminal.run("turnroom delete force --yes")
    checks.check("an open room wants --force", code == 1 and "--force" in printed, printed)
    code, printed = await terminal.run("turnroom delete force --yes --force --transcript")
    checks.check("--yes does not ask", code == 0 and not (desk.hub.notes / "force.md").exists(), printed)


async def says_yes(terminal: Terminal, command: str, question: str) -> tuple[int, str]:
    """Runs a command that asks, and says yes."""
    asked = terminal.start(command)
    await terminal.shows(rf"^{question}\? \[y/N\]")
    terminal.type("y")
    return await terminal.ends(asked)


async def warnings_are_acknowledged_on_yes(checks: Checks, desk: Desk) -> None:
    await desk.shell("task", "new", "--title", "Parser", "--description", "Write it", "--flow", "solo")
    await desk.shell("task", "publish", "parser", "--role", "executor", "--content-type", "code_changes", "--summary",
                     "Too early", "--body", "Done")
    terminal = await desk.terminal()
    asked = terminal.start("turnroom task ack parser")
    await terminal.shows(r"^Take note of what did not fit in record 1\? \[y/N\]")
    checks.check("one sees what did not fit", "OUT_OF_TABLE" in terminal.text(), terminal.text())
    terminal.type("n")
    code, printed = await terminal.ends(asked)
    checks.check("without a yes nothing is acknowledged", code == 1 and "nothing was decided" in printed, printed)
    code, printed = await says_yes(terminal, "turnroom task ack parser", "Take note of what did not fit in record 1")
    checks.check("a yes takes note", code == 0 and "agent:architect" in printed, printed)
    code, printed = await terminal.run("turnroom task decide parser close --expected-version 2")
    checks.check("who names the version is not asked", code == 0 and re.search(r"status +closed", printed), printed)


async def a_terminal_of_an_agent_is_no_persons(checks: Checks, desk: Desk) -> None:
    terminal = await desk.terminal()
    await desk.room("agent")
    await terminal.run("export TURNROOM_HANDLE=@Bob")
    await terminal.run("turnroom say agent --as @user 'For you, @Alice.'")
    event = await desk.said("agent", "For you, @Alice.")
    checks.check("what it says for the person is not verified", not event.get("is_verified"), event)
    code, printed = await terminal.run("turnroom open --print")
    checks.check("it gets no link to the page", code == 1 and "not_verified" in printed, printed)
    for command in ("mode auto", "mode auto --yes", "assign executor --start true"):
        code, printed = await terminal.run(f"turnroom task {command}")
        checks.check(f"it changes no settings: {command}", code == 1 and "@Bob is no person" in printed, printed)
    await terminal.run("unset TURNROOM_HANDLE")
    machine = {"id": "release", "initialState": "draft", "states": {"draft": {"actions": {"go": {"targetState": "out"}}},
                                                                    "out": {"final": True}}}
    (desk.hub.notes / "machine.json").write_text(json.dumps(machine))
    await desk.shell("puzzle", "add", str(desk.hub.notes / "machine.json"), "--by", AGENTS[0])
    await terminal.run("TURNROOM_HANDLE=@Bob turnroom puzzle act release go --as @user")
    events = json.loads(await desk.shell("puzzle", "history", "release", "--json"))["events"]
    checks.check("what it does for the person is not verified", "go" in json.dumps(events)
                 and not any(event.get("verified") for event in events), events)


async def a_task_is_decided_at_a_terminal(checks: Checks, desk: Desk) -> None:
    await desk.shell("task", "new", "--title", "Parser", "--description", "Write it", "--flow", "solo")
    for role, content, summary in [("architect", "design", "Two passes"), ("executor", "code_changes", "Both passes")]:
        await desk.shell("task", "publish", "parser", "--role", role, "--content-type", content, "--summary", summary,
                         "--body", f"{HOSTILE} {summary}")
    terminal = await desk.terminal()
    code, printed = await terminal.run("turnroom task decide parser approve </dev/null")
    checks.check("a decision from a script is only a proposal", code == 1 and "approve, by @user" in printed, printed)
    code, printed = await terminal.run("TURNROOM_HANDLE=@Bob turnroom task decide parser approve")
    checks.check("so is one of an agent that has a terminal", code == 1 and "approve, by @Bob" in printed, printed)
    code, printed = await terminal.run("turnroom task decide parser reject --reason 'One pass' --expected-version 2")
    checks.check("what came in meanwhile is not decided about", code == 1 and "version_conflict" in printed, printed)
    code, printed = await terminal.run("TURNROOM_HANDLE=@Bob turnroom task decide parser approve --by @user")
    checks.check("also if it says that it is the person", code == 1 and "approve, by @user" in printed, printed)
    # What is typed before the question stands there is no answer.
    gate = desk.hub.folder / "gate"
    asked = terminal.start(f"echo begun; until [ -e {gate} ]; do :; done; turnroom task decide parser approve")
    await terminal.shows(r"^begun$")
    terminal.type("y")
    await terminal.shows(r"^y$")
    gate.touch()
    await terminal.shows(r"^Approve records 1 to 5\? \[y/N\]")
    checks.check("one sees what is decided about", re.search(r"^ +1 design", terminal.text(), re.M)
                 and "only proposed" in terminal.text(), terminal.text())
    terminal.type("")
    code, printed = await terminal.ends(asked)
    checks.check("without a yes nothing is decided", code == 1 and "nothing was decided" in printed, printed)
    asked = terminal.start("turnroom task decide parser approve")
    await terminal.shows(r"\[y/N\]")
    await desk.shell("task", "publish", "parser", "--role", "executor", "--content-type", "note", "--summary", "Late",
                     "--body", "Something quite different", "--agent", "@Bob")
    terminal.type("y")
    code, printed = await terminal.ends(asked)
    checks.check("what comes while one is asked is not decided about", code == 1 and "version_conflict" in printed, printed)
    code, printed = await says_yes(terminal, "turnroom task decide parser reject --reason 'One pass'", "Reject records 1 to 6")
    checks.check("a decision typed at a terminal passes the gate", code == 0 and "implementing" in printed, printed)
    await desk.shell("task", "publish", "parser", "--role", "executor", "--content-type", "code_changes", "--summary",
                     "One pass", "--body", "Done")
    watching = terminal.start("turnroom task watch parser --follow --since-version 1")
    await terminal.shows(r"^8 code_changes by executor")
    checks.check("no record moves the terminal", f"{ESCAPE}[31m" not in terminal.painted() and not terminal.is_alternate())
    other = await desk.terminal()
    code, printed = await says_yes(other, "turnroom task decide parser approve", "Approve records 1 to 8")
    checks.check("only what came since the last decision is shown", code == 0 and "8 code_changes" in printed
                 and "1 design" not in printed, printed)
    code, printed = await says_yes(other, "turnroom task decide parser close", "Close the task, with records 1 to 9")
    checks.check("an approved task is closed", code == 0 and re.search(r"status +closed", printed), printed)
    code, printed = await terminal.ends(watching)
    checks.check("a watch ends with 2 when the task is closed", code == 2 and "10 decision" in printed, printed)


async def a_link_opens_once(checks: Checks, desk: Desk) -> None:
    terminal = await desk.terminal(width=140)
    code, printed = await terminal.run("turnroom open --print")
    link = printed.strip()
    checks.check("a link is printed, and nothing else", code == 0 and re.fullmatch(r"http://\S+/enter\?code=\w+", link), printed)
    jar = desk.hub.folder / "cookies"
    curl = f"curl -s -o /dev/null -w '%{{http_code}}\\n' -L -c {jar} -b {jar} '{link}'"
    code, printed = await terminal.run(curl)
    checks.check("the link lets in", printed.strip() == "200", printed)
    code, printed = await terminal.run(f"curl -s -o /dev/null -w '%{{http_code}}\\n' -L '{link}'")
    checks.check("and it does so once", printed.strip().startswith("4"), printed)
    code, printed = await terminal.run("turnroom open --print </dev/null")
    checks.check("a script gets none", code == 1 and "not_verified" in printed, printed)


async def the_demo_is_answered_in_its_own_terminal(checks: Checks, desk: Desk) -> None:
    terminal = await desk.terminal()
    number = terminal.start("turnroom demo")
    await terminal.shows(r"^@Alice: The release is ready", DEMO_SECONDS)
    await terminal.shows(r"^>$", DEMO_SECONDS)
    checks.check("the question stands there with its choices", "2  Wait for the fix" in terminal.text(), terminal.text())
    terminal.type("2")
    code, printed = await terminal.ends(number, DEMO_SECONDS)
    checks.check("the demo ends well", code == 0 and "we wait for the fix" in printed, printed)
    checks.check("it tells what to do next", "turnroom new --help" in printed and "turnroom delete demo" in printed, printed)
    answer = await desk.said("demo", "Wait for the fix")
    checks.check("the answer typed into the demo is verified", answer.get("is_verified"), answer)
    checks.check("its room is closed", (await desk.state("demo"))["phase"] == "closed")


async def the_demo_is_answered_elsewhere_and_stopped(checks: Checks, desk: Desk) -> None:
    terminal, other = await desk.terminal(), await desk.terminal(width=NARROW)
    number = terminal.start("turnroom demo --fast")
    name = (await terminal.shows(r"turnroom answer (demo#\d+) 1$", DEMO_SECONDS))[1]
    code, printed = await other.run(f"turnroom answer {name} 'As you like.'")
    checks.check("a demo is answered from another terminal", code == 0, printed)
    code, printed = await terminal.ends(number, DEMO_SECONDS)
    checks.check("and ends well", code == 0 and "\n@user: As you like." in printed, printed)
    number = terminal.start("turnroom demo")
    await terminal.shows(r"^@Bob: ", DEMO_SECONDS)
    room = (await terminal.shows(r"^room +(demo(?:-\d+)?)$"))[1]
    await end(checks, terminal, number, "the demo")
    state = await desk.state(room)
    checks.check("a demo that is stopped closes its room", state["phase"] == "closed", state)


async def a_narrow_terminal_keeps_words_whole(checks: Checks, desk: Desk) -> None:
    await desk.room("narrow")
    words = "These words are many more than forty columns can hold, and yet all of them stay whole, @Bob."
    await desk.send("@Alice", "narrow", words)
    await desk.send("@Bob", "narrow", "Shall we use the long name or the short one here, @user?", "--choice", "the long one")
    terminal = await desk.terminal(width=NARROW)
    watching = terminal.start("turnroom watch narrow")
    await terminal.shows("choices: the long one")
    rows = terminal.rows()
    whole = {word for row in rows for word in row.split()}
    missing = [word for word in words.split() if word not in whole]
    checks.check("no word of a message is broken", not missing, (missing, rows))
    text = [row for row in rows if "forty" in row or "columns can" in row]
    checks.check("a message stays indented", text and all(row.startswith("    ") for row in text), rows)
    await end(checks, terminal, watching, "watch")
    for command in ("turnroom inbox", "turnroom say nowhere x", "turnroom give narrow @Nobody"):
        code, printed = await terminal.run(command)
        rows = terminal.rows()
        known = {word for row in rows for word in row.split()}
        broken = [word for word in re.findall(r"\b(?:conversation|handles|allowed|participant|since|question)\b", printed)
                  if not any(word in one for one in known)]
        checks.check(f"no word is broken: {command}", not broken, (broken, rows))


async def without_a_hub_each_command_says_how_to_start_one(checks: Checks, desk: Desk) -> None:
    terminal = await desk.terminal(width=140)
    await terminal.run(f"export TURNROOM_DATA_DIR={desk.hub.folder}/nothing")
    for command in ("inbox", "inbox --watch", "say x", "answer 1 x", "pass", "give @Bob", "pause", "resume", "watch",
                    "open", "demo", "export x", "delete x"):
        code, printed = await terminal.run(f"turnroom {command}")
        checks.check(f"no hub: {command}", code == 3 and "turnroom serve" in printed, (code, printed))


SCENES = [watch_follows, watch_has_colour_only_where_it_helps, watch_survives_a_restart, watch_shows_all_rooms,
          a_question_is_answered, only_typed_words_are_verified, a_puzzle_is_moved_at_a_prompt, a_person_moves_the_room,
          a_room_is_deleted_only_on_yes, a_task_is_decided_at_a_terminal, warnings_are_acknowledged_on_yes,
          a_terminal_of_an_agent_is_no_persons, a_link_opens_once,
          the_demo_is_answered_in_its_own_terminal, the_demo_is_answered_elsewhere_and_stopped,
          a_narrow_terminal_keeps_words_whole, without_a_hub_each_command_says_how_to_start_one]


async def script(checks: Checks) -> None:
    wanted = sys.argv[1:]
    for scene in SCENES:
        if wanted and scene.__name__ not in wanted:
            continue
        async with Hub() as hub:
            with Tmux(hub.folder, Desk.environment(hub)) as tmux:
                try:
                    await scene(checks, Desk(hub, tmux))
                except Unseen as unseen:
                    checks.check(scene.__name__, False, unseen)


if __name__ == "__main__":
    sys.exit(run(script, LIMIT_SECONDS))
