#!/usr/bin/env python3
"""Two hundred agents talk in forty rooms, at the pace of people in a hurry, and the hub gets no bigger.

Each agent waits, speaks when it has the turn, and waits again. After a time to warm up, memory grows by no more than
the newest messages are worth; file descriptors and tasks do not grow; when all have gone, nothing of them is left.
A minute by default, an hour with TURNROOM_LONG=1.

    .venv/bin/python tests/faults/memory.py [SECONDS]
"""
from __future__ import annotations

import asyncio
import os
import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "clients"))
from census import census, is_back
from checks import Checks, run, settles
from hub import Hub
from processes import memory
from raw import Line, modern, result_of

ROOMS, PER_ROOM = 40, 5
HANDLES = [f"@Agent_{number}" for number in range(PER_ROOM)]
# How long the holder of the floor thinks.
THINKS = (1.5, 2.5)
WAIT_SECONDS = 10
SECONDS, LONG_SECONDS = 60, 3600
WARM_UP = 1 / 3
MIB = 1 << 20
# A message of 200 bytes is kept whole while it is among the newest of its room, and one short line of it for good.
WORDS = "word " * 40
PER_MESSAGE, NOISE = 2048, 8 * MIB
# Who is just being answered has a task more than who waits.
PASSING_TASKS, PASSING_FILES = 60, 10
QUIET_SECONDS = 30


class Agent:
    """One of those who talk."""

    def __init__(self, hub: Hub, room: str, seat: int, posts: Counter, chance: random.Random):
        self._hub, self._room, self._seat, self._posts, self._chance = hub, room, seat, posts, chance
        self._handle, self._next = HANDLES[seat], HANDLES[(seat + 1) % PER_ROOM]
        self.given: list[int] = []

    async def talk(self) -> None:
        """Until it is cancelled."""
        line = await Line.open(self._hub.port)
        try:
            answer = await self._call(line, "join_conversation", handle=self._handle)
            while True:
                if answer["active_turn"] == self._handle:
                    await asyncio.sleep(self._chance.uniform(*THINKS))
                    content = f"{WORDS} What do you say, {self._next}?"
                    answer = await self._call(line, "send_message", sender=self._handle, content=content, block=False)
                    self._posts[self._room] += answer["posted"] is not None
                else:
                    answer = await self._call(line, "wait_for_turn", handle=self._handle, timeout_seconds=WAIT_SECONDS)
        finally:
            line.close()

    async def _call(self, line: Line, tool: str, **arguments) -> dict:
        _, _, body = await line.ask(modern(tool, {"room": self._room, **arguments}))
        answer = result_of(body)
        messages = answer.get("new_messages", [])
        self.given += [m["seq_id"] for m in messages if m["sender"] not in ("@System", self._handle)]
        return answer


async def open_rooms(hub: Hub) -> list[str]:
    line = await Line.open(hub.port)
    rooms = [f"room-{number}" for number in range(ROOMS)]
    for room in rooms:
        arguments = {"filepath": str(hub.notes / f"{room}.md"), "participants": HANDLES, "room": room,
                     "first_speaker": HANDLES[0], "max_agent_turns": 0, "barrier": "all"}
        result_of((await line.ask(modern("init_conversation", arguments)))[2])
    line.close()
    return rooms


async def measured(hub: Hub) -> dict[str, int]:
    return await census(hub) | {"resident": memory(hub.process.pid)["resident"]}


def judge(checks: Checks, warm: dict[str, int], end: dict[str, int], messages: int) -> None:
    grown = end["resident"] - warm["resident"]
    print(f"{messages} messages after the warm-up; memory {warm['resident'] / MIB:.1f} -> {end['resident'] / MIB:.1f} MiB, "
          f"files {warm['files']} -> {end['files']}, tasks {warm['tasks']} -> {end['tasks']}, "
          f"threads {warm['threads']} -> {end['threads']}")
    checks.check("the rooms talk", messages > ROOMS, messages)
    checks.check("memory is flat", grown <= NOISE + PER_MESSAGE * messages, f"{grown} bytes in {messages} messages")
    checks.check("tasks are flat", end["tasks"] <= warm["tasks"] + PASSING_TASKS, end)
    checks.check("file descriptors are flat", end["files"] <= warm["files"] + PASSING_FILES, end)


async def script(checks: Checks, seconds: float) -> None:
    chance, posts = random.Random(1), Counter()
    async with Hub() as hub:
        rooms = await open_rooms(hub)
        before = await settles(lambda: census(hub), lambda now: now["clients"] <= 1, QUIET_SECONDS)
        agents = [Agent(hub, room, seat, posts, chance) for room in rooms for seat in range(PER_ROOM)]
        async with asyncio.TaskGroup() as tasks:
            talks = [tasks.create_task(agent.talk()) for agent in agents]
            begun = time.monotonic()
            await asyncio.sleep(seconds * WARM_UP)
            warm, said = await measured(hub), posts.total()
            await asyncio.sleep(seconds - (time.monotonic() - begun))
            judge(checks, warm, await measured(hub), posts.total() - said)
            for talk in talks:
                talk.cancel()
        doubled = [agent for agent in agents if len(agent.given) != len(set(agent.given))]
        checks.check("nobody is given a message twice", not doubled, len(doubled))
        silent = [room for room in rooms if not posts[room]]
        checks.check("no room is silent", not silent, silent)
        after = await settles(lambda: census(hub), lambda now: is_back(before, now), QUIET_SECONDS)
        checks.check("who has gone leaves nothing behind", is_back(before, after), f"before {before}, after {after}")


if __name__ == "__main__":
    usual = LONG_SECONDS if os.environ.get("TURNROOM_LONG") else SECONDS
    chosen = float(sys.argv[1]) if len(sys.argv) > 1 else usual
    sys.exit(run(lambda checks: script(checks, chosen), chosen + 90))
