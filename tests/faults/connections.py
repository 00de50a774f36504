#!/usr/bin/env python3
"""Connections break off at every stage of a call, are never read, and come and go by the thousand.

Nothing is lost and nothing given twice without a mark; other clients stay well; no wait, task, session or file
descriptor stays behind. A thousand connections in all by default, a thousand per transport with TURNROOM_LONG=1.

    .venv/bin/python tests/faults/connections.py
"""
from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "clients"))
from census import census, is_back
from checks import Checks, run, settles
from deaf import Deaf
from hub import Hub
from processes import memory
from raw import Line, Session, api, http, modern, open_bridge, open_sse, result_of, rpc, tell

SPEAKER, LISTENER = "@Alice", "@Bob"
LIMIT_SECONDS, LONG_LIMIT_SECONDS = 300, 900
TOGETHER = 16
# A session of an older revision is forgotten half a minute after its client.
QUIET_SECONDS = 60
LARGE = "x" * 900_000
MIB = 1 << 20
# Ten clients that read nothing, with twenty answers of 64 KiB for each, are worth 13 MB twice over.
UNREAD_CLIENTS, UNREAD_CALLS = 10, 20
MOST_FOR_UNREAD = 64 * MIB


class House:
    """A hub, and the rooms of the test."""

    def __init__(self, hub: Hub, checks: Checks):
        self.hub, self.checks = hub, checks
        self.rooms = 0

    async def call(self, tool: str, **arguments) -> dict:
        """A call of a client that behaves."""
        line = await Line.open(self.hub.port)
        _, _, body = await line.ask(modern(tool, arguments))
        line.close()
        return result_of(body)

    async def room(self) -> str:
        """A new room, in which both are."""
        self.rooms += 1
        room = f"room-{self.rooms}"
        await self.call("init_conversation", filepath=str(self.hub.notes / f"{room}.md"), room=room, barrier=0,
                        participants=[SPEAKER, LISTENER, "@user"], first_speaker=SPEAKER, floor="open", max_agent_turns=0)
        for handle in (SPEAKER, LISTENER):
            await self.call("join_conversation", handle=handle, room=room)
        return room

    async def say(self, room: str, words: str) -> None:
        # Without a question, so that the listener gets messages and never the turn.
        answer = await self.call("send_message", sender=SPEAKER, content=f"{LISTENER} {words}", room=room, block=False,
                                 expects_reply=False)
        if not answer["posted"]:
            raise RuntimeError(f"not posted: {answer}")

    async def waits(self, count: int) -> int:
        """How many calls wait, when that has come to rest."""
        status = await settles(self.hub.status, lambda status: status["waits"] == count, QUIET_SECONDS)
        return status["waits"]


class Way:
    """How the listener calls; after a cut it comes back the same way, over a new connection."""

    def __init__(self, name: str, open_line: Callable[[], Awaitable[Line]], open_deaf: Callable[[], Awaitable[Deaf]],
                 request: Callable[[str, dict], bytes], read: Callable[[bytes], dict]):
        self.name, self.line, self.deaf, self.request, self._read = name, open_line, open_deaf, request, read

    def wait(self, room: str, seconds: int = 0) -> bytes:
        return self.request("wait_for_turn", {"handle": LISTENER, "room": room, "timeout_seconds": seconds})

    async def given(self, room: str) -> list[tuple[str, bool]]:
        """What the listener is given now: the words, and whether they are marked as given before."""
        line = await self.line()
        _, _, body = await line.ask(self.wait(room))
        line.close()
        messages = [message for message in self._read(body).get("new_messages", []) if message["sender"] == SPEAKER]
        return [(m["content"].split(" ", 1)[1], m.get("redelivered", False)) for m in messages]


def ways(hub: Hub, session: Session) -> list[Way]:
    local = hub.data / "hub.sock"
    over_tcp = lambda: Line.open(hub.port), lambda: Deaf.open(hub.port)
    return [
        Way("http", *over_tcp, modern, result_of),
        Way("old http", *over_tcp, session.call, result_of),
        Way("api", lambda: Line.open_local(local), lambda: Deaf.open_local(local), api, json.loads),
    ]


async def cut_before_the_request_is_whole(house: House, way: Way) -> None:
    room = await house.room()
    await house.say(room, "one")
    request = way.wait(room)
    body = request.index(b"\r\n\r\n") + 4
    for length in (0, 1, 9, request.index(b"\r\n") + 1, body // 2, body, (body + len(request)) // 2, len(request) - 1):
        line = await way.line()
        await line.send(request[:length])
        line.close()
    given = await way.given(room)
    house.checks.check(f"{way.name}: half a request does nothing", given == [("one", False)], given)


async def cut_while_blocked(house: House, way: Way) -> None:
    room = await house.room()
    await way.given(room)
    for end in (Line.close, Line.reset):
        line = await way.line()
        await line.send(way.wait(room, 600))
        waits = await house.waits(1)
        house.checks.check(f"{way.name}: the call waits", waits == 1, waits)
        end(line)
        waits = await house.waits(0)
        house.checks.check(f"{way.name}: a wait ends with its connection", waits == 0, waits)
        await house.say(room, f"after {end.__name__}")
        given = await way.given(room)
        expected = [(f"after {end.__name__}", False)]
        house.checks.check(f"{way.name}: a wait that was cut consumes nothing", given == expected, given)


async def cut_while_the_answer_is_written(house: House, way: Way) -> None:
    room = await house.room()
    await way.given(room)
    await house.say(room, LARGE)
    deaf = await way.deaf()
    await deaf.send(way.wait(room))
    await deaf.has_answer()
    await deaf.read_a_little()
    deaf.close()
    await given_again(house, way, room, LARGE, "half of an answer")


async def cut_before_the_answer_is_read(house: House, way: Way) -> None:
    for is_early in (True, False):
        room = await house.room()
        await way.given(room)
        deaf = await way.deaf()
        if is_early:
            await house.say(room, "one")
        await deaf.send(way.wait(room, 600))
        if not is_early:
            await house.waits(1)
            await house.say(room, "one")
        await deaf.has_answer()
        deaf.close()
        await given_again(house, way, room, "one", "an answer that nobody read")


async def given_again(house: House, way: Way, room: str, words: str, what: str) -> None:
    """The hub may hear of the end after the next call has begun: then it is with the one after it."""
    given = [await settles(lambda: way.given(room), bool, QUIET_SECONDS), *[await way.given(room) for _ in range(2)]]
    shown = [[(text[:40], is_marked) for text, is_marked in each] for each in given]
    is_again = [each for each in given if each] == [[(words, True)]]
    house.checks.check(f"{way.name}: {what} is given again, once, with a mark", is_again, shown)


async def close_after_the_answer_is_read(house: House, way: Way) -> None:
    room = await house.room()
    await house.say(room, "one")
    first, second = await way.given(room), await way.given(room)
    holds = first == [("one", False)] and not second
    house.checks.check(f"{way.name}: an answer that was read stands", holds, (first, second))


async def cut_everywhere(house: House) -> None:
    session = await Session.start(house.hub.port)
    for way in ways(house.hub, session):
        await cut_before_the_request_is_whole(house, way)
        await cut_while_blocked(house, way)
        await cut_while_the_answer_is_written(house, way)
        await cut_before_the_answer_is_read(house, way)
        await close_after_the_answer_is_read(house, way)
    await session.end()


# Clients that never read


async def unread_answers(house: House, room: str) -> list[Deaf | Line]:
    """Clients of every kind that ask for much and read nothing of it."""
    hub, arguments = house.hub, {"handle": LISTENER, "room": room, "limit": 50}
    unread: list[Deaf | Line] = []
    for number in range(UNREAD_CLIENTS):
        session = await Session.start(hub.port)
        unread.append(await session.stream(is_small=True))
        over_http = [modern("read_messages", arguments), session.call("read_messages", arguments)]
        for request in over_http:
            deaf = await Deaf.open(hub.port)
            await deaf.send(request)
            unread.append(deaf)
        stream, address = await open_sse(hub.port, is_small=True)
        stream.writer.transport.pause_reading()
        bridge = await open_bridge(hub.data / "bridge.sock")
        bridge.writer.transport.pause_reading()
        unread += [stream, bridge]
        for call in range(UNREAD_CALLS):
            message = rpc("tools/call", {"name": "read_messages", "arguments": arguments}, number * 1000 + call + 1)
            await tell(hub.port, address, message)
            bridge.writer.write(json.dumps(message).encode() + b"\n")
    return unread


async def never_read(house: House) -> None:
    room = await house.room()
    for number in range(4):
        await house.say(room, f"{number} " + "y" * 16_000)
    before = memory(house.hub.process.pid)["resident"]
    unread = await unread_answers(house, room)
    answer = await asyncio.wait_for(house.call("list_participants", room=room), QUIET_SECONDS)
    house.checks.check("others are answered while some do not read", answer["message_count"] == 4, answer)
    grown = memory(house.hub.process.pid)["resident"] - before
    house.checks.check("who does not read costs no more than its answers", grown < MOST_FOR_UNREAD, f"{grown} bytes")
    print(f"{len(unread)} connections that nobody reads: {grown / MIB:.1f} MiB")
    for connection in unread:
        connection.close()


# Connects and disconnects


async def over_new_http(house: House, room: str) -> None:
    line = await Line.open(house.hub.port)
    await line.ask(modern("list_conversations", {}))
    await line.send(modern("wait_for_turn", {"handle": LISTENER, "room": room}))
    line.close()


async def over_old_http(house: House, room: str) -> None:
    session = await Session.start(house.hub.port)
    stream = await session.stream()
    line = await Line.open(house.hub.port)
    await line.send(session.call("wait_for_turn", {"handle": LISTENER, "room": room}))
    line.close()
    stream.close()


async def over_ended_sessions(house: House, room: str) -> None:
    session = await Session.start(house.hub.port)
    line = await Line.open(house.hub.port)
    await line.send(session.call("wait_for_turn", {"handle": LISTENER, "room": room}))
    await session.end()
    line.close()


async def over_sse(house: House, room: str) -> None:
    line, address = await open_sse(house.hub.port)
    call = rpc("tools/call", {"name": "wait_for_turn", "arguments": {"handle": LISTENER, "room": room}})
    await tell(house.hub.port, address, call)
    line.close()


async def over_bridge(house: House, room: str) -> None:
    line = await open_bridge(house.hub.data / "bridge.sock")
    call = rpc("tools/call", {"name": "wait_for_turn", "arguments": {"handle": LISTENER, "room": room}})
    await line.send(json.dumps(call).encode() + b"\n")
    line.close()


async def over_api(house: House, room: str) -> None:
    line = await Line.open_local(house.hub.data / "hub.sock")
    await line.ask(http("POST", "/api/commands/status", b"{}"))
    await line.send(api("wait_for_turn", {"handle": LISTENER, "room": room}))
    line.close()


# Sessions that only silence ends come first: they are forgotten while the others run.
COMERS = (over_old_http, over_ended_sessions, over_new_http, over_sse, over_bridge, over_api)


async def come_and_go(house: House, comer, times: int) -> None:
    """So many connections, each cut while a call of it blocks, some at a time."""
    room = await house.room()
    left = iter(range(times))

    async def some() -> None:
        for _ in left:
            await comer(house, room)

    await asyncio.gather(*(some() for _ in range(TOGETHER)))


async def quiet(hub: Hub) -> dict:
    """How it is once nobody is there, and what they have left to be done is done: it stays as it is."""
    counts = []

    async def look() -> dict:
        counts.append(await census(hub))
        return counts[-1]

    def is_quiet(now: dict) -> bool:
        return now["sessions"] == now["waits"] == 0 and [one["tasks"] for one in counts[-3:]] == [now["tasks"]] * 3

    return await settles(look, is_quiet, QUIET_SECONDS)


async def script(checks: Checks) -> None:
    each = 1000 if os.environ.get("TURNROOM_LONG") else 1000 // len(COMERS) + 1
    async with Hub() as hub:
        house = House(hub, checks)
        for comer in COMERS:
            await come_and_go(house, comer, 1)
        # A room has tasks of its own, which stay: as many as its neighbours have.
        before = await quiet(house.hub)
        await house.room()
        per_room = (await quiet(house.hub))["tasks"] - before["tasks"]
        before_rooms = house.rooms
        await never_read(house)
        for comer in COMERS:
            await come_and_go(house, comer, each)
        print(f"{each * len(COMERS)} connections have come and gone; before {before}")
        await cut_everywhere(house)
        before["tasks"] += per_room * (house.rooms - before_rooms + 1)
        after = await settles(lambda: census(house.hub), lambda now: is_back(before, now), QUIET_SECONDS)
        print(f"after {after}")
        checks.check("nothing stays behind", is_back(before, after), f"before {before}, after {after}")


if __name__ == "__main__":
    sys.exit(run(script, LONG_LIMIT_SECONDS if os.environ.get("TURNROOM_LONG") else LIMIT_SECONDS))
