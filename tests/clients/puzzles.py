#!/usr/bin/env python3
"""Puzzles from outside: every acceptance case over streamable HTTP, over SSE and without a session; racers; a hub that is
killed; many puzzles; and agents that hand work on through a puzzle in a room.

    .venv/bin/python tests/clients/puzzles.py
"""
from __future__ import annotations

import asyncio
import os
import sys

from bridge import Bridge
from checks import Checks, run
from hub import Hub, only_we_start_hubs
from puzzle_cases import LIST_CHANGED, LOOP, UPDATED, play_all
from wire import Modern, Sse, Streamable

LIMIT_SECONDS = 420
RACERS, ROUNDS = 40, 5
# With TURNROOM_PUZZLES=10000, more than a machine of two cores adds in passing.
MANY = int(os.environ.get("TURNROOM_PUZZLES", "1000"))
ADDED_AT_ONCE = 50


async def race(checks: Checks, hub: Hub) -> None:
    """Of those who act on what they have seen together, one is first, in each round."""
    racers = await asyncio.gather(*(Modern.open(hub.port) for _ in range(RACERS)))
    puzzle = (await racers[0].call("add_puzzle", config=LOOP))[0]["puzzleId"]
    for version in range(1, 6):
        answers = await asyncio.gather(*(racer.call(
            "perform_action_on_puzzle", puzzleId=puzzle, actionName="go", actor=f"@Agent{number}",
            expected_version=version) for number, racer in enumerate(racers)))
        won = [answer["version"] for answer, is_error in answers if not is_error]
        checks.check(f"of {RACERS} with one version one wins", won == [version + 1], won)
        lost = [answer for answer, is_error in answers if is_error]
        checks.check("the others learn how it stands", all(
            (answer["error"]["code"], answer["version"]) == ("version_conflict", version + 1) for answer in lost), lost[:2])
    again = [await racers[0].call("perform_action_on_puzzle", puzzleId=puzzle, actionName="go", request_id="once")
             for _ in range(3)]
    checks.check("the same request is done once", [answer["version"] for answer, _ in again] == [7, 7, 7], again)
    for racer in racers:
        racer.close()


async def kills(checks: Checks, hub: Hub) -> None:
    """What was answered is there after the hub was killed, once, and a subscriber is told of what comes then."""
    watcher = await Streamable.open(hub.port)
    puzzle = (await watcher.call("add_puzzle", config=LOOP))[0]["puzzleId"]
    uri = f"puzzlebox://puzzle/{puzzle}"
    await watcher.subscribe(uri)
    told = []
    for _ in range(ROUNDS):
        client = await Modern.open(hub.port)

        async def act() -> None:
            while True:
                answer, is_error = await client.call("perform_action_on_puzzle", puzzleId=puzzle, actionName="go", actor="@Ada")
                checks.check("an action is done", not is_error, answer)
                told.append((answer["version"], answer["currentState"]))

        acting, enough = asyncio.create_task(act()), len(told) + 20
        while len(told) < enough and not acting.done():
            await asyncio.sleep(0.01)
        hub.kill()
        await asyncio.gather(acting, return_exceptions=True)
        client.close()
        await hub.start()
        await watcher.comes_back()
    client = await Modern.open(hub.port)
    moved, since = {}, 0
    while True:
        page = (await client.call("get_puzzle_history", puzzleId=puzzle, since_version=since, limit=200))[0]
        moved |= {event["version"]: event for event in page["events"]}
        if "next_since_version" not in page:
            break
        since = page["next_since_version"]
    checks.check("versions have no gaps", sorted(moved) == list(range(1, len(moved) + 1)), sorted(moved))
    checks.check("every action that was answered is there", all(
        (moved[version]["to"], moved[version]["actor"]) == (state, "@Ada") for version, state in told), told[-5:])
    # At most one per round was on its way to its client.
    checks.check("and hardly another", len(moved) - 1 - len(told) <= ROUNDS, (len(moved), len(told)))
    watcher.heard(UPDATED)
    await client.call("perform_action_on_puzzle", puzzleId=puzzle, actionName="go")
    heard = await watcher.hears(UPDATED, 1, 0, uri)
    checks.check("a subscription outlives the hub", len(heard) >= 1, heard)
    watcher.close()
    client.close()


async def returns(checks: Checks, hub: Hub) -> None:
    """Whoever comes back to a hub that was started anew is told what may have happened before: in a session over HTTP, and
    behind a bridge of each kind."""
    client = await Modern.open(hub.port)
    timed = {"initialState": "A", "states": {"A": {"after": {"1": "B"}}, "B": {"final": True}}}
    puzzle, gone = [(await client.call("add_puzzle", config=LOOP))[0]["puzzleId"] for _ in range(2)]
    uris = [f"puzzlebox://puzzle/{name}" for name in (puzzle, gone)]
    watchers = [await Streamable.open(hub.port), await Bridge.open(hub, is_old=True), await Bridge.open(hub, is_old=False)]
    for watcher in watchers:
        for uri in uris:
            await watcher.subscribe(uri)
    client.close()
    with only_we_start_hubs(hub):
        hub.kill()
        for watcher in watchers:
            watcher.told.clear()
        await hub.start()
    client = await Modern.open(hub.port)
    await client.call("perform_action_on_puzzle", puzzleId=puzzle, actionName="go")
    await client.call("remove_puzzle", puzzleId=gone)
    await client.call("add_puzzle", config=timed)
    await watchers[0].comes_back()
    for watcher in watchers:
        for method, uri in ((UPDATED, uris[0]), (UPDATED, uris[1]), (LIST_CHANGED, None)):
            heard = await watcher.hears(method, 1, 0, uri)
            checks.check(f"over {watcher.name}, {method} of {uri} is told after the return", len(heard) >= 1, watcher.told)
        if watcher.is_old:
            none = await watcher.subscribe("puzzlebox://puzzle/none")
            checks.check(f"over {watcher.name}, what is not there is refused as before", "error" in none, none)
    for watcher in watchers[1:]:
        await watcher.end()
    watchers[0].close()
    client.close()


async def greedy(checks: Checks, hub: Hub) -> None:
    """Each resource counts once in a `subscriptions/listen`, and no more are accepted than may be."""
    client = await Modern.open(hub.port)
    puzzle = (await client.call("add_puzzle", config=LOOP))[0]["puzzleId"]
    uri = f"puzzlebox://puzzle/{puzzle}"
    await client.listen("greedy", resourceSubscriptions=[uri] * 1_000)
    await client.call("perform_action_on_puzzle", puzzleId=puzzle, actionName="go")
    heard = await client.hears(UPDATED, 1, 0.5, uri)
    checks.check("what was named a thousand times is told once", len(heard) == 1, len(heard))
    first = await client.listen("too much", resourceSubscriptions=[uri] * 10_001)
    accepted = first["params"]["notifications"].get("resourceSubscriptions", [])
    checks.check("of far too many none is accepted", accepted == [], len(accepted))
    client.close()


async def shown(checks: Checks, hub: Hub) -> None:
    """A client that wants no puzzles is shown none, but can read those that it knows."""
    client = await Modern.open(hub.port)
    puzzle = (await client.call("add_puzzle", config=LOOP))[0]["puzzleId"]
    for path, is_shown in (("/mcp?toolsets=room", False), ("/mcp?toolsets=puzzles", True)):
        client.path = path
        resources = (await client.ask("resources/list"))["result"]["resources"]
        checks.check(f"{path} lists puzzles: {is_shown}", any(one["name"] == puzzle for one in resources) == is_shown)
        templates = (await client.ask("resources/templates/list"))["result"]["resourceTemplates"]
        checks.check(f"{path} has their templates: {is_shown}",
                     any("puzzle" in one["uriTemplate"] for one in templates) == is_shown, templates)
        read = await client.ask("resources/read", {"uri": f"puzzlebox://puzzle/{puzzle}"})
        checks.check(f"{path} reads them", "result" in read, read)
    client.close()


async def many(checks: Checks, hub: Hub) -> None:
    """Many are listed in pages, each once and in the order in which they were added."""
    client = await Modern.open(hub.port)
    before = (await client.call("count_puzzles"))[0]["count"]
    some = asyncio.Semaphore(ADDED_AT_ONCE)

    async def add(number: int) -> str:
        async with some:
            return (await client.call("add_puzzle", config={**LOOP, "id": f"many-{number}"}))[0]["puzzleId"]

    ids = set(await asyncio.gather(*(add(number) for number in range(MANY))))
    checks.check("all are added", len(ids) == MANY, len(ids))
    checks.check("all are counted", (await client.call("count_puzzles"))[0]["count"] == before + MANY)
    listed, cursor, sizes = [], {}, []
    while True:
        page = (await client.ask("resources/list", cursor))["result"]
        names = [one["name"] for one in page["resources"] if one["uri"].startswith("puzzlebox://")]
        listed += names
        sizes.append(len(page["resources"]))
        if "nextCursor" not in page:
            break
        cursor = {"cursor": page["nextCursor"]}
    checks.check("each is listed once", len(listed) == before + MANY and ids <= set(listed), len(listed))
    checks.check("no page is empty", min(sizes) > 0, sizes)
    read, after = [], {}
    while True:
        page = (await client.call("list_puzzles", limit=200, **after))[0]
        read += [one["puzzleId"] for one in page["puzzles"]]
        if "next_after" not in page:
            break
        after = {"after": page["next_after"]}
    checks.check("the tool lists the same, in the same order", read == listed, (len(read), len(listed)))
    client.close()


async def relay(checks: Checks, hub: Hub) -> None:
    """Three agents specify until a reviewer lets the work go on; then the designer is woken by the floor."""
    client = await Modern.open(hub.port)
    config = {
        "initialState": "specification", "name": "Relay",
        "roles": {"specifiers": ["@Ada", "@Bob", "@Alice"], "reviewer": ["@Rita"], "designers": ["@Dana"]},
        "states": {
            "specification": {
                "who": "specifiers", "resource": {"text": "# What is asked for", "mimeType": "text/markdown"},
                "exitGuard": {"participant": "reviewer", "question": "Is the specification whole?"},
                "actions": {"hand on": {"targetState": "design", "allowed": ["specifiers"]}}},
            "design": {"who": "designers", "actions": {"finish": {"targetState": "done", "allowed": ["designers"]}}},
            "done": {"final": True}}}
    added, _ = await client.call("add_puzzle", config=config, by="@Ada")
    puzzle, room = added["puzzleId"], added["room"]
    uri, about = f"puzzlebox://puzzle/{puzzle}", {"puzzleId": added["puzzleId"]}
    team = [await way.open(hub.port) for way in (Streamable, Sse, Modern)]
    for agent in team:
        await agent.subscribe(uri)
    document = (await client.ask("resources/read", {"uri": f"{uri}/state/specification"}))["result"]["contents"][0]
    checks.check("the state brings its document along",
                 (document["mimeType"], document["text"]) == ("text/markdown", "# What is asked for"), document)
    for handle in ("@Ada", "@Bob", "@Alice", "@Rita", "@Dana"):
        await client.call("join_conversation", handle=handle, room=room)
    refused, is_error = await client.call("perform_action_on_puzzle", **about, actionName="hand on", actor="@Dana")
    checks.check("others may not hand on", is_error and refused["error"]["code"] == "not_allowed", refused)
    waiting = {handle: asyncio.create_task(client.call("wait_for_turn", handle=handle, room=room, timeout_seconds=60))
               for handle in ("@Rita", "@Dana")}
    working = asyncio.create_task(client.call("wait_for_puzzle", **about, states=["design"], timeout_seconds=60))
    handing = asyncio.create_task(team[0].call("perform_action_on_puzzle", **about, actionName="hand on", actor="@Ada",
                                               wait_seconds=60))
    turn, _ = await until_turn(client, room, "@Rita", await waiting["@Rita"])
    said = " ".join(message["content"] for message in turn["new_messages"])
    checks.check("the reviewer is woken and has the floor, while the actor waits in its call",
                 (turn["active_turn"], handing.done()) == ("@Rita", False), turn)
    checks.check("and is told what is asked", "Is the specification whole?" in said, said)
    asked = (await client.call("get_puzzle_snapshot", **about))[0]
    guard = asked["pending"][0]
    checks.check("the reviewer is asked", guard["asks"] == ["@Rita"], asked)
    own, is_error = await client.call("answer_guard", **about, guardId=guard["guardId"], verdict="pass", by="@Ada")
    checks.check("nobody judges what is his own", is_error and own["error"]["code"] == "not_asked", own)
    passed, _ = await client.call("answer_guard", **about, guardId=guard["guardId"], verdict="pass", by="@Rita",
                                  reason="it is whole")
    checks.check("it goes on", passed["currentState"] == "design", passed)
    done, is_error = await handing
    checks.check("who waited for the guard is told", (is_error, done["currentState"]) == (False, "design"), done)
    checks.check("who works is told to stop", (await working)[0]["currentState"] == "design")
    for agent in team:
        heard = await agent.hears(UPDATED, 1, 0, uri)
        checks.check(f"and over {agent.name}, too", len(heard) >= 1, heard)
    turn, _ = await until_turn(client, room, "@Dana", await waiting["@Dana"])
    checks.check("the designer has the floor", turn["active_turn"] == "@Dana", turn)
    ended, _ = await client.call("perform_action_on_puzzle", **about, actionName="finish", actor="@Dana")
    checks.check("it ends", (ended["currentState"], ended["availableActions"]) == ("done", []), ended)
    for agent in (*team, client):
        agent.close()


async def until_turn(client: Modern, room: str, handle: str, answer: tuple[dict, bool]) -> tuple[dict, bool]:
    """Waits on until it is somebody's turn."""
    while answer[0]["active_turn"] != handle and answer[0]["status"] != "timeout":
        answer = await client.call("wait_for_turn", handle=handle, room=room, timeout_seconds=20)
    return answer


async def script(checks: Checks) -> None:
    for way in (Streamable, Sse, Modern):
        await play_all(checks, way)
    async with Hub() as hub:
        await relay(checks, hub)
        await race(checks, hub)
        await shown(checks, hub)
        await returns(checks, hub)
        await greedy(checks, hub)
        await kills(checks, hub)
        await many(checks, hub)


if __name__ == "__main__":
    sys.exit(run(script, LIMIT_SECONDS))
