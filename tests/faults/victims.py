#!/usr/bin/env python3
"""Clients are killed while their call blocks: each in a process of its own, over every transport.

Twice each client dies: once while nothing is there for it, once at the moment when a message comes. Its wait consumes
nothing and leaves nothing behind, its bridge ends with it, and the next client under its handle gets every message
that the dead one had not read. Once by default, ten times with TURNROOM_LONG=1.

    .venv/bin/python tests/faults/victims.py [SEED]
"""
from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "clients"))
from agent import answer_of, connected
from checks import Checks, comes_true, run, settles
from hub import Hub
from processes import children, is_alive

WAYS = {"@Http": "http", "@OldHttp": "old http", "@Sse": "sse", "@Stdio": "stdio", "@OldStdio": "old stdio"}
SPEAKER = "@Alice"
ROOM = "victims"
LIMIT_SECONDS = 240
# A bridge ends within two seconds of its client; the machine may be busy.
BRIDGE_SECONDS = 60
QUIET_SECONDS = 60


class Victim:
    """A client in a process of its own, that blocks in a wait."""

    def __init__(self, process: asyncio.subprocess.Process, handle: str):
        self._process, self.handle = process, handle
        self.bridges = [child.pid for child in children(process.pid)]

    @classmethod
    async def start(cls, hub: Hub, handle: str) -> Victim:
        place = {name: str(value) for name, value in hub.place().items() if name != "environment"}
        words = json.dumps({**place, "environment": hub.environment})
        process = await asyncio.create_subprocess_exec(
            sys.executable, __file__, "victim", handle, words, stdout=asyncio.subprocess.PIPE
        )
        said = await process.stdout.readline()
        if said != b"joined\n":
            raise RuntimeError(f"{handle} has not joined")
        return cls(process, handle)

    def kill(self) -> None:
        os.kill(self._process.pid, signal.SIGKILL)

    async def read(self) -> set[str]:
        """What it had read when it died."""
        return set((await self._process.stdout.read()).decode().splitlines())

    async def end(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()


async def be_a_victim(handle: str, place: dict) -> None:
    place |= {name: Path(place[name]) for name in ("data", "notes")}
    async with connected(WAYS[handle], **place) as client:
        answer_of(await client.call_tool("join_conversation", {"handle": handle, "room": ROOM}))
        print("joined", flush=True)
        while True:
            arguments = {"handle": handle, "room": ROOM, "timeout_seconds": 600}
            answer = answer_of(await client.call_tool("wait_for_turn", arguments))
            # Written down before the next call, which says that this answer has arrived.
            for message in answer.get("new_messages", []):
                print(message["content"], flush=True)


class Scene:
    """The room, and the one who speaks in it."""

    def __init__(self, checks: Checks, hub: Hub, client, chance: random.Random):
        self.checks, self.hub, self._client, self._chance = checks, hub, client, chance
        self._said = 0

    async def open(self) -> None:
        arguments = {"filepath": str(self.hub.notes / "victims.md"), "participants": [SPEAKER, *WAYS], "room": ROOM,
                     "first_speaker": SPEAKER, "floor": "open", "max_agent_turns": 0, "barrier": 0}
        await self._call("init_conversation", **arguments)
        await self._call("join_conversation", handle=SPEAKER, room=ROOM)

    async def _call(self, tool: str, **arguments) -> dict:
        return answer_of(await self._client.call_tool(tool, arguments))

    async def say(self) -> str:
        """Something for everybody."""
        self._said += 1
        words = f"Word {self._said} for @all"
        await self._call("send_message", sender=SPEAKER, content=words, room=ROOM, block=False)
        return words

    async def blocked(self, stack: AsyncExitStack) -> list[Victim]:
        """All victims, each of them in a wait."""
        victims = await asyncio.gather(*(Victim.start(self.hub, handle) for handle in WAYS))
        for victim in victims:
            stack.push_async_callback(victim.end)
        status = await settles(self.hub.status, lambda status: status["waits"] == len(WAYS), QUIET_SECONDS)
        self.checks.check("all victims wait", status["waits"] == len(WAYS), status)
        return victims

    async def die(self, victims: list[Victim], when: str) -> None:
        for victim in victims:
            victim.kill()
        status = await settles(self.hub.status, lambda status: status["waits"] == 0, QUIET_SECONDS)
        self.checks.check(f"killed {when}: no wait stays behind", status["waits"] == 0, status)
        bridges = [bridge for victim in victims for bridge in victim.bridges]
        is_over = await comes_true(lambda: not any(map(is_alive, bridges)), BRIDGE_SECONDS)
        self.checks.check(f"killed {when}: each bridge ends with its client", len(bridges) == 2 and is_over, bridges)

    async def heirs_get(self, words: list[str], victims: list[Victim], when: str, is_new: bool) -> None:
        """New clients under the same handles get all of it, once."""
        for victim in victims:
            handle, way, read = victim.handle, WAYS[victim.handle], await victim.read()
            async with connected(way, **self.hub.place()) as client:
                given = []
                for _ in range(2):
                    arguments = {"handle": handle, "room": ROOM, "timeout_seconds": 0}
                    given += answer_of(await client.call_tool("wait_for_turn", arguments)).get("new_messages", [])
            said = Counter(message["content"] for message in given if message["sender"] == SPEAKER)
            # Without a session, any call says that the last answer was read: also when it was only in the client's hands.
            may_miss = {*words[:-1]} if way == "http" and not is_new else read
            holds = set(said) | may_miss >= {*words} and set(said) <= {*words} and set(said.values()) <= {1}
            self.checks.check(f"killed {when}: the next client gets the rest once, over {way}", holds, (said, read))
            marked = [message["seq_id"] for message in given if message.get("redelivered")]
            self.checks.check(f"killed {when}: nothing was consumed, over {way}", not (is_new and marked), marked)

    async def die_in_silence(self) -> None:
        async with AsyncExitStack() as stack:
            victims = await self.blocked(stack)
            await self.die(victims, "while blocked")
            words = [await self.say() for _ in range(3)]
            await self.heirs_get(words, victims, "while blocked", is_new=True)

    async def die_when_a_message_comes(self) -> None:
        async with AsyncExitStack() as stack:
            victims = await self.blocked(stack)
            saying = asyncio.ensure_future(self.say())
            await asyncio.sleep(self._chance.uniform(0, 0.02))
            await self.die(victims, "when a message comes")
            words = [await saying, await self.say()]
            await self.heirs_get(words, victims, "when a message comes", is_new=False)


async def script(checks: Checks, seed: int, times: int) -> None:
    chance = random.Random(seed)
    print(f"seed {seed}")
    async with Hub() as hub, connected("http", **hub.place()) as client:
        scene = Scene(checks, hub, client, chance)
        await scene.open()
        for _ in range(times):
            await scene.die_in_silence()
            await scene.die_when_a_message_comes()


if __name__ == "__main__":
    if sys.argv[1:2] == ["victim"]:
        asyncio.run(be_a_victim(sys.argv[2], json.loads(sys.argv[3])))
    else:
        chosen = int(sys.argv[1]) if len(sys.argv) > 1 else 1
        rounds = 10 if os.environ.get("TURNROOM_LONG") else 1
        sys.exit(run(lambda checks: script(checks, chosen, rounds), LIMIT_SECONDS * rounds))
