#!/usr/bin/env python3
"""Guards of puzzles that ask the acting client, with the official SDK: whoever sits there, by a form, and its model; over
streamable HTTP, SSE and stdio, within a call and between two. What is said counts once, for what was asked, and whoever
is too late learns how the puzzle stands.

    .venv/bin/python tests/clients/forms.py
"""
from __future__ import annotations

import asyncio
import json
import sys
from contextlib import AsyncExitStack

from mcp import types

from agent import connected
from checks import Checks, run
from hub import Hub, only_we_start_hubs
from wire import Line, Session, answer_of, events

LIMIT_SECONDS = 240
# Long enough for every machine; reached only when something is wrong.
HEARD_SECONDS = 30
TRANSPORTS = ["http", "old http", "stdio", "old stdio", "sse"]
BETWEEN_CALLS = {"http", "stdio"}
RACERS = 4


def machine(guard: object, **more) -> dict:
    return {"initialState": "A", **more, "states": {
        "A": {"actions": {"go": {"targetState": "B", "guard": guard}, "flee": {"targetState": "C"}}},
        "B": {"final": True}, "C": {"final": True}}}


FORM, MODEL = machine({"form": "May it go out?"}), machine({"sampling": "Is all well?"})


class Sitter:
    """Whoever sits at a client, and its model. Each question is heard; the answer is given when there is one."""

    def __init__(self, *answers):
        self.asked: asyncio.Queue[str] = asyncio.Queue()
        self.answers: asyncio.Queue = asyncio.Queue()
        self.closed: asyncio.Queue[str] = asyncio.Queue()
        for answer in answers:
            self.answers.put_nowait(answer)

    async def fill_in(self, _context, params: types.ElicitRequestParams) -> types.ElicitResult | types.ErrorData:
        fields = params.requested_schema
        if list(fields["properties"]) != ["verdict", "why"] or fields["required"] != ["verdict"]:
            return types.ErrorData(code=-32602, message=f"an odd form: {fields}")
        return await self.answer(params.message)

    async def speak(self, _context, params: types.CreateMessageRequestParams) -> types.CreateMessageResult | types.ErrorData:
        words = await self.answer(params.messages[0].content.text)
        return types.CreateMessageResult(role="assistant", model="m", content=types.TextContent(type="text", text=words))

    async def answer(self, question: str):
        self.asked.put_nowait(question)
        try:
            return await self.answers.get()
        except asyncio.CancelledError:
            self.closed.put_nowait(question)
            raise

    async def hears(self) -> str:
        async with asyncio.timeout(HEARD_SECONDS):
            return await self.asked.get()

    def with_forms(self) -> dict:
        return {"elicitation_callback": self.fill_in}

    def with_a_model(self) -> dict:
        return {"sampling_callback": self.speak}


def accept(**fields) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content=fields)


def read(result) -> dict:
    return json.loads(result.content[0].text)


async def call(client, tool: str, **arguments) -> dict:
    return read(await client.call_tool(tool, arguments))


async def added(hub: Hub, *configs: dict) -> list[str]:
    """Adds puzzles before the clients of a test begin: over SSE the SDK breaks if it is told of a list while it ends."""
    async with connected("http", **hub.place()) as client:
        return [(await call(client, "add_puzzle", config=config))["puzzleId"] for config in configs]


def going(puzzle: str, actor: str = "@Ada", **more) -> dict:
    return {"puzzleId": puzzle, "actionName": "go", "actor": actor, **more}


async def act(client, puzzle: str, **more) -> dict:
    return await call(client, "perform_action_on_puzzle", **going(puzzle, **more))


def came(answer: dict) -> str:
    """The state to which it led, or why not."""
    return answer["error"]["code"] if "error" in answer else answer["currentState"]


async def answers(checks: Checks, hub: Hub, transport: str) -> None:
    """Each answer has its own outcome."""
    cases = [
        (FORM, accept(verdict="pass", why="I looked"), "B", "I looked"),
        (FORM, accept(verdict="refuse", why="Too early"), "guard_refused", "Too early"),
        (FORM, types.ElicitResult(action="decline"), "guard_refused", "declined"),
        (FORM, types.ElicitResult(action="cancel"), "no_verdict", "closed"),
        (FORM, accept(verdict="yes"), "no_verdict", "neither"),
        (FORM, accept(), "no_verdict", "neither"),
        (MODEL, "PASS\nAll is well.", "B", "All is well."),
        (MODEL, "REFUSE: nothing is", "guard_refused", "nothing is"),
        (MODEL, "It passes.", "no_verdict", "It passes."),
        (machine("Ready?"), accept(verdict="pass"), "B", ""),
        (machine("Ready?", policy={"questionBy": ["sampling", "form"]}), "PASS", "B", ""),
    ]
    sitter = Sitter(*(answer for _, answer, _, _ in cases))
    puzzles = await added(hub, *(config for config, _, _, _ in cases))
    for_nobody = await added(hub, FORM, MODEL, machine("Ready?"))
    async with connected(transport, **hub.place(), **sitter.with_forms(), **sitter.with_a_model()) as client:
        for puzzle, (_, answer, outcome, why) in zip(puzzles, cases, strict=True):
            done = await act(client, puzzle)
            what = f"over {transport}, {answer} comes to {outcome}"
            checks.check(what, came(done) == outcome, done)
            asked = await sitter.hears()
            checks.check(f"{what}, and says what is asked",
                         asked.endswith(f"@Ada wants to do `go` in puzzle `{puzzle}`: `A` → `B`."), asked)
            history = (await call(client, "get_puzzle_history", puzzleId=puzzle, since_version=1))["events"]
            kept = {"no_verdict": [], "guard_refused": ["refused"]}.get(outcome, ["moved"])
            checks.check(f"{what}, and keeps {kept}", [event["what"] for event in history] == kept, history)
            told = json.dumps(done if "error" in done else history, ensure_ascii=False)
            checks.check(f"{what}, and says why", why in told, told)
    async with connected(transport, **hub.place()) as client:
        for puzzle in for_nobody:
            refused = await act(client, puzzle)
            checks.check(f"over {transport}, who declares nothing is refused", came(refused) == "guard_unavailable", refused)


async def progress(checks: Checks, hub: Hub, transport: str) -> None:
    """The call goes on while a form is open, and its end closes the form."""
    sitter, beats = Sitter(), asyncio.Queue()

    async def beat(progress: float, *_rest) -> None:
        beats.put_nowait(progress)

    [puzzle] = await added(hub, FORM)
    async with connected(transport, **hub.place(), **sitter.with_forms()) as client:
        acting = asyncio.create_task(
            client.call_tool("perform_action_on_puzzle", going(puzzle), progress_callback=beat))
        await sitter.hears()
        async with asyncio.timeout(HEARD_SECONDS):
            checks.check(f"over {transport}, there is progress while a form is open", await beats.get() == 0)
        acting.cancel()
        async with asyncio.timeout(HEARD_SECONDS):
            await sitter.closed.get()
        history = await call(client, "get_puzzle_history", puzzleId=puzzle, since_version=1)
        checks.check(f"over {transport}, a call that is cancelled does nothing", history["events"] == [], history)


async def race(checks: Checks, hub: Hub) -> None:
    """All have their form open before one is answered; then one wins, whatever way it came."""
    [puzzle] = await added(hub, FORM)
    async with AsyncExitStack() as stack:
        racers = []
        for number in range(RACERS):
            for transport in TRANSPORTS:
                sitter = Sitter()
                client = await stack.enter_async_context(connected(transport, **hub.place(), **sitter.with_forms()))
                racers.append((f"@Agent{number}-{transport.replace(' ', '-')}", client, sitter))
        acting = [asyncio.create_task(act(client, puzzle, actor=actor)) for actor, client, _ in racers]
        for _, _, sitter in racers:
            await sitter.hears()
        for _, _, sitter in racers:
            sitter.answers.put_nowait(accept(verdict="pass"))
        ends = await asyncio.gather(*acting)
        won = [end for end in ends if "error" not in end]
        checks.check(f"of {len(racers)} with open forms one wins", [came(end) for end in won] == ["B"], ends)
        lost = [(came(end), end["currentState"], end["version"]) for end in ends if "error" in end]
        checks.check("the others learn how it stands",
                     lost == [("version_conflict", "B", 2)] * (len(racers) - 1), lost)


async def twice(checks: Checks, hub: Hub, transport: str) -> None:
    """The same action is done twice at once: a no at one form counts whatever was said at the other, and with one
    `request_id` it is done once, and both learn that."""
    sitter = Sitter()
    reviewed, once = await added(
        hub, machine([{"form": "Ready?"}, {"participant": "@Bob", "question": "Whole?"}]), FORM)
    async with connected(transport, **hub.place(), **sitter.with_forms()) as client:
        async def both(puzzle: str, verdicts: list[str], **more) -> list[dict]:
            acting = {asyncio.create_task(act(client, puzzle, **more)) for _ in verdicts}
            for _ in verdicts:
                await sitter.hears()
            ends = []
            for verdict in verdicts:
                sitter.answers.put_nowait(accept(verdict=verdict))
                async with asyncio.timeout(HEARD_SECONDS):
                    done, acting = await asyncio.wait(acting, return_when=asyncio.FIRST_COMPLETED)
                ends += [task.result() for task in done]
                if not acting:
                    break
            return ends

        first, second = await both(reviewed, ["pass", "refuse"])
        checks.check(f"over {transport}, whoever is asked behind a form is asked after the yes", "pending" in first, first)
        checks.check(f"over {transport}, the no counts", came(second) == "guard_refused", second)
        snapshot = await call(client, "get_puzzle_snapshot", puzzleId=reviewed)
        checks.check(f"over {transport}, and nobody is asked any more",
                     (snapshot["currentState"], snapshot["pending"]) == ("A", []), snapshot)
        if transport in BETWEEN_CALLS:
            return
        ends = await both(once, ["pass", "pass"], request_id="once")
        checks.check(f"over {transport}, the same request is done once, and both calls say so",
                     [(came(end), end["version"]) for end in ends] == [("B", 2)] * 2, ends)


async def overtaken(checks: Checks, hub: Hub, transport: str) -> None:
    """The puzzle moves while a form is open."""
    sitter = Sitter()
    [puzzle] = await added(hub, FORM)
    async with connected(transport, **hub.place(), **sitter.with_forms()) as client, \
            connected("http", **hub.place()) as other:
        acting = asyncio.create_task(act(client, puzzle))
        await sitter.hears()
        await call(other, "perform_action_on_puzzle", puzzleId=puzzle, actionName="flee")
        if transport in BETWEEN_CALLS:
            # Nobody can close a form that no request of the hub has opened.
            sitter.answers.put_nowait(accept(verdict="pass"))
        async with asyncio.timeout(HEARD_SECONDS):
            lost = await acting
            if transport not in BETWEEN_CALLS:
                # Else it would time out.
                await sitter.closed.get()
        checks.check(f"over {transport}, who was overtaken learns how it stands",
                     (came(lost), lost["currentState"], lost["version"], lost["availableActions"])
                     == ("version_conflict", "C", 2, []), lost)
        checks.check(f"over {transport}, and not of a version that was not named",
                     "the puzzle has moved since" in lost["reason"], lost)


async def states(checks: Checks, hub: Hub, transport: str) -> None:
    """What comes back with an answer is taken once, for what it was given, from whom it was given to."""
    puzzle, other = await added(hub, FORM, FORM)
    async with connected(transport, **hub.place(), **Sitter().with_forms()) as client, \
            connected(transport, **hub.place(), client_info=types.Implementation(name="other", version="1"),
                      **Sitter().with_forms()) as stranger:
        async def asks(puzzle: str):
            asked = await client.session.call_tool("perform_action_on_puzzle", going(puzzle), allow_input_required=True)
            checks.check(f"over {transport}, the call ends with a question",
                         list(asked.input_requests) == ["guard"] and asked.request_state, asked)
            return asked.request_state

        async def back(who, state: str | None, arguments: dict, verdict: str = "pass") -> dict:
            return read(await who.session.call_tool("perform_action_on_puzzle", arguments, request_state=state,
                                                    input_responses={"guard": accept(verdict=verdict)}))

        state = await asks(puzzle)
        middle = len(state) // 2
        changed = state[:middle] + ("A" if state[middle] != "A" else "B") + state[middle + 1:]
        for what, who, with_state, arguments in [
            ("changed", client, changed, going(puzzle)), ("missing", client, None, going(puzzle)),
            ("of another puzzle", client, state, going(other)), ("of another actor", client, state, going(puzzle, "@Bob")),
            ("of another action", client, state, {**going(puzzle), "actionName": "flee"}),
            ("of another client", stranger, state, going(puzzle)),
        ]:
            refused = await back(who, with_state, arguments)
            checks.check(f"over {transport}, a state that is {what} is refused", came(refused) == "request_state_invalid",
                         refused)
            checks.check(f"over {transport}, and how the puzzle stands is told",
                         (refused["success"], refused["currentState"], refused["version"]) == (False, "A", 1), refused)
        checks.check(f"over {transport}, it is good all the same", came(await back(client, state, going(puzzle))) == "B")
        checks.check(f"over {transport}, but once", came(await back(client, state, going(puzzle))) == "request_state_used")
        declined = await asks(other)
        checks.check(f"over {transport}, a no is kept",
                     came(await back(client, declined, going(other), "refuse")) == "guard_refused")
        checks.check(f"over {transport}, and is no yes later",
                     came(await back(client, declined, going(other))) == "request_state_used")
        stands = await call(client, "get_puzzle_snapshot", puzzleId=other)
        checks.check(f"over {transport}, nothing has moved", stands["currentState"] == "A", stands)
        late = await asks(other)
        hub.kill()
        await hub.start()
        refused = await back(client, late, going(other))
        checks.check(f"over {transport}, no state outlives its hub", came(refused) == "request_state_invalid", refused)
        checks.check(f"over {transport}, what has to be asked is asked anew", await asks(other))


async def bridged(checks: Checks, hub: Hub) -> None:
    """The hub is killed while a form is open behind a bridge: it is closed, and the next hub asks anew."""
    sitter = Sitter()
    [puzzle] = await added(hub, FORM)
    async with connected("old stdio", **hub.place(), **sitter.with_forms()) as client:
        acting = asyncio.create_task(act(client, puzzle))
        first = await sitter.hears()
        with only_we_start_hubs(hub):
            hub.kill()
            await hub.start()
        async with asyncio.timeout(HEARD_SECONDS):
            checks.check("the form of a hub that has ended is closed", await sitter.closed.get() == first)
        checks.check("the next hub asks the same", await sitter.hears() == first)
        sitter.answers.put_nowait(accept(verdict="pass"))
        checks.check("and the call goes on", came(await acting) == "B")


async def stale(checks: Checks, hub: Hub) -> None:
    """An answer to a form of a hub that has ended counts for nothing that the next one asks in the same session."""
    puzzles = await added(hub, FORM, FORM)
    session = await Session.start(hub.port, elicitation={})

    async def begin(puzzle: str):
        line = await Line.open(hub.port)
        await line.send(session.call("perform_action_on_puzzle", going(puzzle)))
        await line.head()
        stream = events(line)
        async with asyncio.timeout(HEARD_SECONDS):
            async for _, message in stream:
                if message.get("method") == "elicitation/create":
                    return line, stream, message["id"]
        raise RuntimeError("the hub has not asked")

    async def answer(number: str, verdict: str) -> int:
        result = {"action": "accept", "content": {"verdict": verdict}}
        line = await Line.open(hub.port)
        body = json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode()
        status, _, _ = await line.ask(session.request("POST", body))
        line.close()
        return status

    gone, _, before = await begin(puzzles[0])
    gone.close()
    hub.kill()
    await hub.start()
    line, stream, now = await begin(puzzles[1])
    checks.check("the session goes on, and another question has another number", before != now, (before, now))
    checks.check("a late answer is taken", await answer(before, "pass") == 202)
    await answer(now, "refuse")
    async with asyncio.timeout(HEARD_SECONDS):
        _, message = await anext(stream)
    line.close()
    checks.check("and counts for nothing", came(answer_of(message)[0]) == "guard_refused", message)


async def script(checks: Checks) -> None:
    async with Hub() as hub:
        for transport in TRANSPORTS:
            await answers(checks, hub, transport)
            await overtaken(checks, hub, transport)
            await twice(checks, hub, transport)
            if transport not in BETWEEN_CALLS:
                await progress(checks, hub, transport)
        await race(checks, hub)
        for transport in BETWEEN_CALLS:
            await states(checks, hub, transport)
        await bridged(checks, hub)
        await stale(checks, hub)


if __name__ == "__main__":
    sys.exit(run(script, LIMIT_SECONDS))
