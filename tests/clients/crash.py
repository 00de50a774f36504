#!/usr/bin/env python3
"""The hub is killed in the middle of twenty conversations, and started again; the same clients go on.

In each room two agents talk, one over HTTP and one over stdio, of either era of the protocol. At a moment that the
seed chooses the hub gets SIGKILL. Afterwards nothing that was acknowledged is missing or doubled, numbers have no
gaps, and every transcript equals its log. Once by default; with TURNROOM_LONG=1 twenty times, in the same rooms.

Bridges and sessions of older revisions live on. The SDK itself gives a client up whose connection breaks before the
hub has begun to answer; such a client is made anew, as its program would do.

    .venv/bin/python tests/clients/crash.py [SEED]
"""
from __future__ import annotations

import asyncio
import os
import random
import sys
from collections import Counter

from agent import answer_of, connected
from checks import Checks, comes_true, run
from hub import Hub
from note import Torn, entries_of, files_of, of_log, transcript
from talker import Habits, Talker

ROOMS = 20
# In some rooms the words are so long that the transcript is cut into parts.
LONG_ROOMS, LONG_PADDING = 3, 4_000
TURNS = 8
PAIR = ("@Alice", "@Bob")
LIMIT_SECONDS = 55
NOTE_SECONDS = 10


class Crash:
    """Kills the hub when so many posts have been acknowledged, and starts it again at once."""

    def __init__(self, hub: Hub, posts: int):
        self._hub, self._left = hub, posts
        self._now = asyncio.Event()

    def count(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._now.set()

    async def happen(self, look) -> None:
        await self._now.wait()
        self._hub.kill()
        look()
        await self._hub.start()


async def open_rooms(hub: Hub, chance: random.Random) -> list[Talker]:
    talkers = []
    for number in range(ROOMS):
        ways = [chance.choice(["http", "old http"]), chance.choice(["stdio", "old stdio"])]
        chance.shuffle(ways)
        padding = LONG_PADDING if number < LONG_ROOMS else 0
        for handle, partner, way in zip(PAIR, reversed(PAIR), ways, strict=True):
            habits = Habits(*(chance.random() < 0.5 for _ in range(3)))
            talkers.append(Talker(hub, f"talk-{number}", handle, partner, way, habits, padding))
    place = {"binary": hub.binary, "data": hub.data, "notes": hub.notes, "environment": hub.environment}
    async with connected("http", url=f"http://127.0.0.1:{hub.port}", **place) as client:
        for number in range(ROOMS):
            arguments = {"filepath": str(hub.notes / f"talk-{number}.md"), "participants": [*PAIR],
                         "room": f"talk-{number}", "first_speaker": PAIR[0], "max_agent_turns": 0}
            answer_of(await client.call_tool("init_conversation", arguments))
    async with asyncio.TaskGroup() as tasks:
        for talker in talkers:
            tasks.create_task(talker.join())
    return talkers


async def chapter(checks: Checks, hub: Hub, talkers: list[Talker], number: int, chance: random.Random) -> None:
    """Everybody talks for a while; somewhere in it the hub dies."""
    every_post = len(talkers) * TURNS
    crash = Crash(hub, chance.randint(every_post // 10, every_post * 8 // 10))
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(crash.happen(lambda: look_at_notes(checks, hub, talkers)))
        for talker in talkers:
            tasks.create_task(talker.talk(number, TURNS, crash.count))
    for room in dict.fromkeys(talker.room for talker in talkers):
        pair = [talker for talker in talkers if talker.room == room]
        await judge_room(checks, hub, room, pair, (number + 1) * TURNS)


def look_at_notes(checks: Checks, hub: Hub, talkers: list[Talker]) -> None:
    """While the hub is dead: each file is whole, and has every message that was acknowledged."""
    is_late = "the transcript is late" in hub.log_text()
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


async def judge_room(checks: Checks, hub: Hub, room: str, pair: list[Talker], turns: int) -> None:
    log = await hub.log(room)
    posts = {event["seq"]: (event["sender"], event["content"]) for event in log if event["kind"] == "posted"}
    checks.check(f"{room}: numbers have no gaps", [e["seq"] for e in log] == list(range(1, len(log) + 1)))
    doubled = [words for words, times in Counter(posts.values()).items() if times > 1]
    checks.check(f"{room}: no message is doubled", not doubled, doubled)
    senders = [sender for sender, _ in posts.values()]
    checks.check(f"{room}: both have spoken by turns", senders == [*PAIR] * turns, senders)
    for talker in pair:
        await judge_talker(checks, talker, log, posts)
    note = hub.notes / f"{room}.md"
    is_same = await comes_true(lambda: transcript(note) == of_log(log), NOTE_SECONDS)
    checks.check(f"{room}: the transcript equals the log", is_same, transcript(note) if not is_same else "")
    is_long = pair[0].padding > 0
    checks.check(f"{room}: a long transcript is in parts", not is_long or len(files_of(note)) > 1)


async def judge_talker(checks: Checks, talker: Talker, log: list[dict], posts: dict) -> None:
    missing = {seq: text for seq, text in talker.acknowledged.items() if posts.get(seq) != (talker.handle, text)}
    checks.check(f"{talker.name}: nothing acknowledged is missing", not missing, missing)
    record = talker.record
    others = {seq for seq, (sender, _) in posts.items() if sender == talker.partner}
    checks.check(f"{talker.name}: every message came", others <= set(record.words), others - set(record.words))
    checks.check(f"{talker.name}: messages came in order", record.order == sorted(record.order), record.order)
    wrong = {seq: words for seq, words in record.words.items() if seq in posts and posts[seq] != words}
    checks.check(f"{talker.name}: what came is what was said", not wrong and not record.faults, record.faults or wrong)
    read = await talker.read()
    readable = {seq: (sender, text) for seq, sender, text in read if sender != "@System"}
    numbers = [seq for seq, _, _ in read]
    checks.check(f"{talker.name}: read_messages tells the log",
                 readable == posts and numbers == [event["seq"] for event in log], numbers)


def tell(talkers: list[Talker], kills: int) -> None:
    cut, new = sum(t.cut_calls for t in talkers), sum(t.line.opened - 1 for t in talkers)
    again = sum(len(t.record.repeated) for t in talkers)
    print(f"{kills} kills; {cut} calls over HTTP cut, {new} clients given up by the SDK and made anew, "
          f"{again} messages given again because their acknowledgement was lost")


async def script(checks: Checks, seed: int, kills: int) -> None:
    chance = random.Random(seed)
    print(f"seed {seed}")
    async with Hub() as hub:
        talkers = await open_rooms(hub, chance)
        try:
            for number in range(kills):
                await chapter(checks, hub, talkers, number, chance)
            went_on = sum(talker.went_on for talker in talkers if talker.transport == "old http")
            checks.check("sessions of older revisions go on after they were cut", went_on >= kills, went_on)
            tell(talkers, kills)
        finally:
            await asyncio.gather(*(talker.line.close() for talker in talkers))


if __name__ == "__main__":
    chosen = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    times = 20 if os.environ.get("TURNROOM_LONG") else 1
    sys.exit(run(lambda checks: script(checks, chosen, times), times * LIMIT_SECONDS))
