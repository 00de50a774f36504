#!/usr/bin/env python3
"""Five clients and a person hold one conversation in one room on one hub, strictly by turns.

Two clients come over stdio, each started by a process of its own; one over HTTP of revision 2026-07-28, one over HTTP
of an older revision, one over the old SSE transport. A person answers from a shell. In the end every client has every
message, once and in order, and the transcript has them all.

    .venv/bin/python tests/clients/five_clients.py
"""
from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

from agent import MODERN, Record, answer_of, connected
from checks import Checks, comes_true, run
from hub import Hub
from note import of_log, transcript

# Who speaks, in turn, and the way each of them comes. The last one asks the person, who asks the first one.
SPEAKERS = {"@Alice": "old stdio", "@Bob": "http", "@Carol": "old http", "@Dave": "sse", "@Erin": "stdio"}
PERSON = "@user"
ROOM = "five"
ROUNDS = 3
LIMIT_SECONDS = 240


def next_after(handle: str) -> str:
    ring = [*SPEAKERS, PERSON]
    return ring[(ring.index(handle) + 1) % len(ring)]


def words_of(handle: str, turn: int) -> str:
    return f"Turn {turn + 1} of {handle[1:]}: the plan holds so far. What do you say, {next_after(handle)}?"


async def take_part(handle: str, client) -> dict:
    """Plays one speaker until the room is closed; gives what it has learned."""
    record, turn, early = Record(handle), 0, []

    async def call(tool: str, **arguments) -> dict:
        answer = answer_of(await client.call_tool(tool, {"room": ROOM, **arguments}))
        record.take(answer, arguments.get("content"))
        return answer

    async def speak() -> dict:
        nonlocal turn
        answer = await call("send_message", sender=handle, content=words_of(handle, turn))
        turn += answer["posted"] is not None
        return answer

    answer = await call("join_conversation", handle=handle)
    if answer["active_turn"] != handle:
        # Out of turn on purpose: it is refused, and what was to be said is said when the turn comes.
        answer = await speak()
        early.append((answer["status"], answer["posted"]))
    while answer["status"] != "closed":
        has_turn = answer["status"] == "your_turn"
        answer = await speak() if has_turn else await call("wait_for_turn", handle=handle)
    return {"version": client.protocol_version, "order": record.order, "repeated": record.repeated,
            "words": {str(seq): list(words) for seq, words in record.words.items()},
            "faults": record.faults, "early": early, "process": os.getpid()}


async def speaker_in_a_process_of_its_own(hub: Hub, handle: str) -> dict:
    """A stdio client that is started by another process than the others."""
    place = {"binary": hub.binary, "data": str(hub.data), "notes": str(hub.notes), "environment": hub.environment}
    process = await asyncio.create_subprocess_exec(
        sys.executable, __file__, "speaker", handle, json.dumps(place), stdout=asyncio.subprocess.PIPE
    )
    try:
        out, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode != 0:
        raise RuntimeError(f"the process of {handle} has ended with {process.returncode}")
    return json.loads(out)


async def be_a_speaker(handle: str, place: dict) -> None:
    folders = {name: Path(place[name]) for name in ("data", "notes")}
    transport = SPEAKERS[handle]
    async with connected(transport, binary=place["binary"], environment=place["environment"], **folders) as client:
        print(json.dumps(await take_part(handle, client)))


async def speaker(hub: Hub, handle: str) -> dict:
    transport = SPEAKERS[handle]
    if transport.endswith("stdio"):
        return await speaker_in_a_process_of_its_own(hub, handle)
    async with connected(transport, **hub.place()) as client:
        return await take_part(handle, client)


async def person(hub: Hub) -> list[str]:
    """Answers from a shell whenever it is asked, and closes the room in the end; gives what was said."""
    said = [f"Answer {turn + 1}: agreed. Go on, {next_after(PERSON)}." for turn in range(ROUNDS - 1)]
    said.append("Thank you, that is all.")
    for words in said:
        await until_asked(hub)
        last = ["--no-reply"] if words is said[-1] else []
        await succeed(hub, "send", "--as", PERSON, "--room", ROOM, "--no-wait", *last, words)
    await succeed(hub, "close", "--as", PERSON, "--room", ROOM)
    return said


async def until_asked(hub: Hub) -> None:
    is_asked = False
    while not is_asked:
        out = await succeed(hub, "wait", "--as", PERSON, "--room", ROOM, "--json")
        is_asked = json.loads(out.splitlines()[-1])["active_turn"] == PERSON


async def succeed(hub: Hub, *words: str) -> str:
    done = await hub.shell(*words)
    if done.returncode != 0:
        raise RuntimeError(f"turnroom {' '.join(words)} has ended with {done.returncode}: {done.stderr}{done.stdout}")
    return done.stdout


async def hold_the_conversation(hub: Hub) -> tuple[dict[str, dict], list[str]]:
    async with connected("http", **hub.place()) as client:
        arguments = {"filepath": str(hub.notes / "five.md"), "participants": [*SPEAKERS, PERSON], "room": ROOM,
                     "topic": "Five ways to one room", "barrier": "all", "first_speaker": next_after(PERSON)}
        answer_of(await client.call_tool("init_conversation", arguments))
    async with asyncio.TaskGroup() as tasks:
        speakers = {handle: tasks.create_task(speaker(hub, handle)) for handle in SPEAKERS}
        answers = tasks.create_task(person(hub))
    return {handle: task.result() for handle, task in speakers.items()}, answers.result()


def judge_client(checks: Checks, handle: str, learned: dict, log: list[dict]) -> None:
    who = f"{handle} over {SPEAKERS[handle]}"
    is_old = SPEAKERS[handle].startswith("old") or SPEAKERS[handle] == "sse"
    checks.check(f"{who} speaks its revision", (learned["version"] < MODERN) == is_old, learned["version"])
    numbers = [event["seq"] for event in log]
    checks.check(f"{who} has every message, once, in order", learned["order"] == numbers, learned["order"])
    checks.check(f"{who} is given nothing twice", not learned["repeated"] and not learned["faults"], learned)
    has = {event["seq"]: learned["words"].get(str(event["seq"])) for event in log if event["kind"] == "posted"}
    was = {event["seq"]: [event["sender"], event["content"]] for event in log if event["kind"] == "posted"}
    checks.check(f"{who} has the words that the log has", has == was, has)
    for status, posted in learned["early"]:
        # Its turn may have come in between; then it has spoken, and the order of all posts says whether rightly so.
        checks.check(f"{who} is refused out of turn", (status == "not_your_turn") == (posted is None), (status, posted))


async def judge(checks: Checks, hub: Hub, learned: dict[str, dict], answers: list[str]) -> None:
    log = await hub.log(ROOM)
    checks.check("numbers have no gaps", [e["seq"] for e in log] == list(range(1, len(log) + 1)))
    posts = [(event["sender"], event["content"]) for event in log if event["kind"] == "posted"]
    expected = []
    for turn in range(ROUNDS):
        expected += [(handle, words_of(handle, turn)) for handle in SPEAKERS] + [(PERSON, answers[turn])]
    checks.check("all speak strictly by turns, each one three times", posts == expected, posts)
    own = {handle: learned[handle]["process"] for handle in ("@Alice", "@Erin")}
    checks.check("the stdio clients have two parents", len({*own.values(), os.getpid()}) == 3, own)
    is_refused = any(status == "not_your_turn" for one in learned.values() for status, _ in one["early"])
    checks.check("somebody was refused out of turn", is_refused)
    for handle, one in learned.items():
        judge_client(checks, handle, one, log)
    is_same = await comes_true(lambda: transcript(hub.notes / "five.md") == of_log(log), 60)
    checks.check("the transcript has the whole conversation", is_same, transcript(hub.notes / "five.md"))


async def script(checks: Checks) -> None:
    async with Hub() as hub:
        learned, answers = await hold_the_conversation(hub)
        await judge(checks, hub, learned, answers)


if __name__ == "__main__":
    if sys.argv[1:2] == ["speaker"]:
        asyncio.run(be_a_speaker(sys.argv[2], json.loads(sys.argv[3])))
    else:
        sys.exit(run(script, LIMIT_SECONDS))
