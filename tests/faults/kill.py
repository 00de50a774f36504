#!/usr/bin/env python3
"""The hub is killed again and again in the middle of conversations, and started again; the same clients go on.

In each room two agents talk, over HTTP and stdio of either era of the protocol, and over the old SSE transport. In
each round something gets SIGKILL at a moment that the seed chooses: the hub at any time, while it writes a note, while
it writes its log, while it starts; or all bridges of the stdio clients. Afterwards nothing that was acknowledged is
missing or doubled, numbers have no gaps, every transcript equals its log, and nobody waits who is not there. Twenty
rounds by default, two hundred with TURNROOM_LONG=1, always in the same rooms.

Bridges and sessions of older revisions live on. The SDK itself gives a client up whose connection breaks before the
hub has begun to answer; such a client is made anew, as its program would do.

    .venv/bin/python tests/faults/kill.py [SEED [ROUNDS]]
"""
from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "clients"))
from agent import answer_of, connected
from checks import Checks, comes_true, run, settles
from hub import Hub, only_we_start_hubs
from note import Torn, entries_of, files_of, of_log, transcript
from processes import children
from talker import Habits, Talker

PAIR = ("@Alice", "@Bob")
# How the two of each room come. In the last room the words are so long at first that the transcript is cut into parts.
ROOMS = [("http", "stdio"), ("old http", "old stdio"), ("sse", "old http"), ("stdio", "http")]
LONG_PADDING, ROUNDS_OF_LONG_WORDS = 4_000, 10
TURNS = 2
# With many rounds behind, everything is read by every client only so often.
READ_EVERY = 20
ROUNDS, LONG_ROUNDS = 20, 200
SECONDS_PER_ROUND, SECONDS_AT_LEAST = 8, 60
NOTE_SECONDS = 30
MOMENTS = ("at any time", "while a note is written", "while the log is written", "while it starts", "the bridges")
# What is looked for may not come: then the hub is killed all the same.
LOOKED_FOR_SECONDS = 0.3


@dataclass
class Tally:
    """What happened, for the last lines."""

    kills: int = 0
    kills_of_bridges: int = 0
    in_the_act: int = 0


class Strike:
    """Waits until so many posts have been acknowledged, and kills."""

    def __init__(self, hub: Hub, moment: str, posts: int, chance: random.Random, tally: Tally):
        self._hub, self._moment, self._left, self._chance, self._tally = hub, moment, posts, chance, tally
        self._now = asyncio.Event()

    def count(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._now.set()

    async def fall(self, look: Callable[[], None]) -> None:
        await self._now.wait()
        if self._moment == "the bridges":
            self._kill_bridges()
            return
        await asyncio.to_thread(self._kill_in_the_act)
        self._hub.kill()
        self._tally.kills += 1
        look()
        if self._moment == "while it starts":
            for _ in range(self._chance.randint(1, 3)):
                await self._hub.start_in_vain(self._chance.uniform(0, 0.12))
                self._tally.kills += 1
        await self._hub.start()

    def _kill_bridges(self) -> None:
        bridges = [child.pid for child in children(os.getpid()) if "stdio" in child.words]
        for bridge in bridges:
            os.kill(bridge, signal.SIGKILL)
        self._tally.kills_of_bridges += len(bridges)

    def _kill_in_the_act(self) -> None:
        """In a thread of its own, so that the kill comes at once when the moment is there."""
        is_there = {"while a note is written": self._writes_a_note,
                    "while the log is written": self._log_changes()}.get(self._moment)
        if is_there is None:
            time.sleep(self._chance.uniform(0, 0.03))
        else:
            end = time.monotonic() + LOOKED_FOR_SECONDS
            while not (is_now := is_there()) and time.monotonic() < end:
                pass
            self._tally.in_the_act += is_now
        os.kill(self._hub.process.pid, signal.SIGKILL)

    def _writes_a_note(self) -> bool:
        """A note is made beside the old one, under a hidden name."""
        return any(name.startswith(".") for name in os.listdir(self._hub.notes))

    def _log_changes(self) -> Callable[[], bool]:
        log = self._hub.data / "journal.db-wal"

        def state() -> tuple[int, int]:
            found = log.stat()
            return found.st_size, found.st_mtime_ns

        before = state()
        return lambda: state() != before


def place_of(hub: Hub) -> dict:
    return {"binary": hub.binary, "data": hub.data, "notes": hub.notes, "environment": hub.environment}


async def open_rooms(hub: Hub, chance: random.Random) -> list[Talker]:
    talkers = []
    for number, ways in enumerate(ROOMS):
        padding = LONG_PADDING if number + 1 == len(ROOMS) else 0
        for handle, partner, way in zip(PAIR, reversed(PAIR), ways, strict=True):
            habits = Habits(*(chance.random() < 0.5 for _ in range(3)))
            talkers.append(Talker(hub, f"talk-{number}", handle, partner, way, habits, padding))
    async with connected("http", url=f"http://127.0.0.1:{hub.port}", **place_of(hub)) as client:
        for number in range(len(ROOMS)):
            arguments = {"filepath": str(hub.notes / f"talk-{number}.md"), "participants": [*PAIR],
                         "room": f"talk-{number}", "first_speaker": PAIR[0], "max_agent_turns": 0}
            answer_of(await client.call_tool("init_conversation", arguments))
    async with asyncio.TaskGroup() as tasks:
        for talker in talkers:
            tasks.create_task(talker.join())
    return talkers


async def play(checks: Checks, hub: Hub, talkers: list[Talker], number: int, chance: random.Random, tally: Tally):
    """One round: everybody talks for a while; somewhere in it something dies."""
    for talker in talkers:
        talker.padding = talker.padding if number < ROUNDS_OF_LONG_WORDS else 0
    posts = chance.randint(1, len(talkers) * TURNS * 8 // 10)
    strike = Strike(hub, MOMENTS[number % len(MOMENTS)], posts, chance, tally)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(strike.fall(lambda: look_at_notes(checks, hub, talkers)))
        for talker in talkers:
            tasks.create_task(talker.talk(number, TURNS, strike.count))
    pairs = [[talker for talker in talkers if talker.room == f"talk-{room}"] for room in range(len(ROOMS))]
    await asyncio.gather(*(judge_room(checks, hub, pair, number + 1) for pair in pairs))
    status = await settles(hub.status, lambda status: status["waits"] == 0, NOTE_SECONDS)
    checks.check(f"round {number}: nobody waits who is not there", status["waits"] == 0, status)
    checks.check(f"round {number}: it is the hub that was started", status["pid"] == hub.process.pid, status)


def look_at_notes(checks: Checks, hub: Hub, talkers: list[Talker]) -> None:
    """While the hub is dead: each file is whole, and has every message that was acknowledged."""
    is_late = "the note is late" in hub.log_text()
    for room in dict.fromkeys(talker.room for talker in talkers):
        try:
            files = [entries_of(file) for file in files_of(hub.notes / f"{room}.md")]
        except Torn as torn:
            checks.check(f"{room}: a kill leaves no torn file", False, torn)
            continue
        numbers = [[seq for seq, _, _ in entries if seq] for entries in files]
        checks.check(f"{room}: a kill leaves each file in order", all(n == sorted(set(n)) for n in numbers), numbers)
        written = {seq for file in numbers for seq in file}
        told = {seq for talker in talkers if talker.room == room for seq in talker.acknowledged}
        checks.check(f"{room}: what is acknowledged is in the transcript", is_late or told <= written, told - written)


async def judge_room(checks: Checks, hub: Hub, pair: list[Talker], rounds: int) -> None:
    room = pair[0].room
    log = await hub.log(room)
    posts = {event["seq"]: (event["sender"], event["content"]) for event in log if event["kind"] == "posted"}
    checks.check(f"{room}: numbers have no gaps", [e["seq"] for e in log] == list(range(1, len(log) + 1)))
    doubled = [words for words, times in Counter(posts.values()).items() if times > 1]
    checks.check(f"{room}: no message is doubled", not doubled, doubled)
    senders = [sender for sender, _ in posts.values()]
    checks.check(f"{room}: both have spoken by turns", senders == [*PAIR] * TURNS * rounds, senders)
    for talker in pair:
        judge_talker(checks, talker, posts)
        if rounds % READ_EVERY == 0:
            await judge_reading(checks, talker, log, posts)
    note = hub.notes / f"{room}.md"
    is_same = await comes_true(lambda: transcript(note) == of_log(log), NOTE_SECONDS)
    checks.check(f"{room}: the transcript equals the log", is_same, transcript(note) if not is_same else "")


def judge_talker(checks: Checks, talker: Talker, posts: dict) -> None:
    missing = {seq: text for seq, text in talker.acknowledged.items() if posts.get(seq) != (talker.handle, text)}
    checks.check(f"{talker.name}: nothing acknowledged is missing", not missing, missing)
    record = talker.record
    others = {seq for seq, (sender, _) in posts.items() if sender == talker.partner}
    checks.check(f"{talker.name}: every message came", others <= set(record.words), others - set(record.words))
    checks.check(f"{talker.name}: messages came in order", record.order == sorted(record.order), record.order)
    silent = [seq for seq in record.repeated if seq in others]
    checks.check(f"{talker.name}: nothing is given twice without a mark", not silent, silent)
    wrong = {seq: words for seq, words in record.words.items() if seq in posts and posts[seq] != words}
    checks.check(f"{talker.name}: what came is what was said", not wrong and not record.faults, record.faults or wrong)


async def judge_reading(checks: Checks, talker: Talker, log: list[dict], posts: dict) -> None:
    read = await talker.read()
    readable = {seq: (sender, text) for seq, sender, text in read if sender != "@System"}
    numbers = [seq for seq, _, _ in read]
    checks.check(f"{talker.name}: read_messages tells the log",
                 readable == posts and numbers == [event["seq"] for event in log], numbers)


def tell(talkers: list[Talker], rounds: int, tally: Tally) -> None:
    cut, new = sum(t.cut_calls for t in talkers), sum(t.line.opened - 1 for t in talkers)
    posts = sum(len(talker.acknowledged) for talker in talkers)
    print(f"{rounds} rounds: {tally.kills} kills of the hub, {tally.in_the_act} of them in the act of writing, "
          f"{tally.kills_of_bridges} kills of bridges; {posts} posts acknowledged, {cut} calls cut, "
          f"{new} clients made anew")


async def script(checks: Checks, seed: int, rounds: int) -> None:
    chance, tally = random.Random(seed), Tally()
    print(f"seed {seed}")
    async with Hub() as hub:
        with only_we_start_hubs(hub):
            await rounds_of(checks, hub, rounds, chance, tally)


async def rounds_of(checks: Checks, hub: Hub, rounds: int, chance: random.Random, tally: Tally) -> None:
    talkers = await open_rooms(hub, chance)
    try:
        for number in range(rounds):
            await play(checks, hub, talkers, number, chance, tally)
        went_on = sum(talker.went_on for talker in talkers if talker.transport == "old http")
        checks.check("sessions of older revisions go on after they were cut", went_on > 0, went_on)
        parts = len(files_of(hub.notes / f"talk-{len(ROOMS) - 1}.md"))
        checks.check("a long transcript is in parts", parts > 1, parts)
        tell(talkers, rounds, tally)
    finally:
        await asyncio.gather(*(talker.line.close() for talker in talkers))


if __name__ == "__main__":
    chosen = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    usual = LONG_ROUNDS if os.environ.get("TURNROOM_LONG") else ROUNDS
    times = int(sys.argv[2]) if len(sys.argv) > 2 else usual
    sys.exit(run(lambda checks: script(checks, chosen, times), max(times * SECONDS_PER_ROUND, SECONDS_AT_LEAST)))
