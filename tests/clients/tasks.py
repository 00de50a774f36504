#!/usr/bin/env python3
"""Three agents and a person bring tasks from their making to their end, by changes of the floor alone.

The agents never ask how a task stands: each waits in the room of the task until it has the floor, reads what is new,
publishes what its part asks for, and waits again. The person decides with the human token, as the page does. Full,
direct and solo, with a redesign, a rework and a rejection on the way. Beside it, what is told of a task's place: racers
with one expected version, a killed hub, and what an agent may not decide.

    .venv/bin/python tests/clients/tasks.py
"""
from __future__ import annotations

import asyncio
import json
import sys
import urllib.request
from pathlib import Path

from agent import Refused, answer_of, connected
from checks import Checks, comes_true, run
from hub import Hub

LIMIT_SECONDS = 400
CASES = Path(__file__).resolve().parents[1] / "acceptance/run_tasks.py"
PARTS = {"@Ada": "architect", "@Bob": "executor", "@Carol": "reviewer"}
CAST = {part: handle for handle, part in PARTS.items()}
RACERS = 24

# What each part publishes, one turn after the other.
PLANS = {
    "full": {
        "@Ada": [("design", {}), ("design", {})],
        "@Bob": [("code_changes", {}), ("code_changes", {}), ("revision", {}), ("revision", {})],
        "@Carol": [("review", {"verdict": "fail_design"}), ("review", {"verdict": "fail_code"}),
                   ("review", {"verdict": "pass"}), ("review", {"verdict": "pass"})],
        "decisions": ["reject", "approve", "close"],
    },
    "direct": {
        "@Bob": [("code_changes", {}), ("revision", {})],
        "@Carol": [("review", {"verdict": "fail_code"}), ("review", {"verdict": "blocked_external"})],
        "decisions": ["approve", "close"],
    },
    "solo": {
        "@Ada": [("design", {})],
        "@Bob": [("code_changes", {}), ("code_changes", {})],
        "decisions": ["reject", "approve", "close"],
    },
}


async def call(client, tool: str, **arguments) -> dict:
    return answer_of(await client.call_tool(tool, arguments))


async def as_person(hub: Hub, path: str, **body) -> dict:
    """Asks the API as a person does: with both tokens."""
    token, human = ((hub.data / name).read_text().strip() for name in ("token", "human-token"))
    headers = {"authorization": f"Bearer {token}", "x-turnroom-human": human, "content-type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{hub.port}/api/{path}", json.dumps(body).encode(), headers)

    def ask() -> dict:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    return await asyncio.to_thread(ask)


async def make(client, title: str, flow: str = "full", **more) -> dict:
    return await call(client, "context_create", title=title, description="Do it well", creator="@user",
                      role="human", flow=flow, cast=CAST, **more)


async def take_part(hub: Hub, handle: str, task: str, room: str, plan: list) -> list:
    """Plays one part until the room is closed; gives how often it was woken, and what it has published."""
    left, known, done = list(plan), 0, []
    async with connected("http", **hub.place()) as client:
        answer = await call(client, "join_conversation", handle=handle, room=room)
        while answer["status"] != "closed":
            if answer["active_turn"] == handle and left:
                read = await call(client, "context_read", task_id=task, since_version=known + 1)
                content_type, more = left.pop(0)
                payload = {"summary": f"{content_type} of {handle}", "body": "As it was agreed.", **more}
                published = await call(client, "context_publish", task_id=task, role=PARTS[handle], agent=handle,
                                       content_type=content_type, payload=payload, expected_version=read["version"])
                known = published["version"]
                done.append(content_type)
            answer = await call(client, "wait_for_turn", handle=handle, room=room)
    return done


async def decide(hub: Hub, task: str, decisions: list[str]) -> list[str]:
    """The person: looks into the inbox until something about the task is there, and decides."""
    left, known, taken = list(decisions), None, []
    while left:
        inbox = await as_person(hub, "commands/inbox", timeout_seconds=20, **({"known": known} if known else {}))
        known = inbox["revision"]
        asked = [item for item in inbox["items"] if item["kind"] == "decision" and item["task_id"] == task]
        if asked:
            decision = left.pop(0)
            state = await as_person(hub, "tools/context_decide", task_id=task, decision=decision, by="@user",
                                    reason="I have looked.", expected_version=asked[0]["version"])
            taken.append(state["status"])
    return taken


async def play(checks: Checks, hub: Hub, flow: str) -> None:
    plan = dict(PLANS[flow])
    decisions = plan.pop("decisions")
    async with connected("http", **hub.place()) as client:
        made = await make(client, f"A {flow} task", flow)
        task, room = made["task_id"], made["room"]
    async with asyncio.TaskGroup() as group:
        parts = {handle: group.create_task(take_part(hub, handle, task, room, plan.get(handle, []))) for handle in PARTS}
        person = group.create_task(decide(hub, task, decisions))
    for handle, part in parts.items():
        wanted = [content_type for content_type, _ in plan.get(handle, [])]
        checks.check(f"{flow}: {handle} did its part", part.result() == wanted, part.result())
    checks.check(f"{flow}: the person decided each time", len(person.result()) == len(decisions), person.result())
    async with connected("http", **hub.place()) as client:
        end = await call(client, "context_read", task_id=task)
    checks.check(f"{flow}: it is closed, and nothing did not fit", (end["status"], end["warnings"]) == ("closed", []), end)
    verified = [record["version"] for record in end["versions"] if record.get("verified_by") == "@user"]
    checks.check(f"{flow}: the decisions are the person's", len(verified) == len(decisions), end["versions"])
    note = hub.notes / f"{task}.md"
    is_told = await comes_true(lambda: all(word in note.read_text() for word in ("code_changes of @Bob", "closed")), 60)
    checks.check(f"{flow}: the transcript tells how it went", is_told, note.read_text())


async def race(checks: Checks, hub: Hub) -> None:
    async with connected("http", **hub.place()) as client:
        task = (await make(client, "Race", gate="open"))["task_id"]

        async def publish(number: int) -> bool:
            payload = {"summary": f"racer {number}", "body": "b"}
            try:
                await call(client, "context_publish", task_id=task, role="x", content_type="note", payload=payload,
                           expected_version=0)
                return True
            except Refused as refused:
                checks.check("a loser learns of the winner", "version_conflict" in str(refused), refused)
                return False

        won = sum(await asyncio.gather(*(publish(number) for number in range(RACERS))))
        checks.check(f"of {RACERS} racers with one version one wins", won == 1, won)
        again = {"summary": "once", "body": "b"}
        for _ in range(2):
            state = await call(client, "context_publish", task_id=task, role="x", content_type="note", payload=again,
                               request_id="r1")
        checks.check("the same request is one record", state["version"] == 2, state)


async def gate(checks: Checks, hub: Hub) -> None:
    """What an agent decides is a proposal, until a person confirms it."""
    async with connected("http", **hub.place()) as client:
        task = (await make(client, "Gate", "solo"))["task_id"]
        for role, content_type in (("architect", "design"), ("executor", "code_changes")):
            await call(client, "context_publish", task_id=task, role=role, content_type=content_type,
                       payload={"summary": "s", "body": "b"})
        proposed = await call(client, "context_decide", task_id=task, decision="approve", by="@user")
        checks.check("an agent cannot pass the gate", proposed["status"] == "pending_approval", proposed)
        checks.check("what it decided is a proposal", proposed["proposed"]["decision"] == "approve", proposed)
        published = await call(client, "context_publish", task_id=task, role="human", content_type="decision",
                               payload={"summary": "s", "body": "b", "decision": "approve"})
        checks.check("a published decision is treated alike", published["status"] == "pending_approval", published)
    inbox = await as_person(hub, "commands/inbox")
    asked = [item for item in inbox["items"] if item.get("task_id") == task]
    checks.check("the person is asked", [item["kind"] for item in asked] == ["decision"], asked)
    state = await as_person(hub, "tools/context_decide", task_id=task, decision="approve", by="@user",
                            expected_version=asked[0]["version"])
    checks.check("the person passes the gate", state["status"] == "approved", state)
    own = await as_person(hub, "tools/context_create", title="Own work", description="d", creator="@user",
                          role="human", flow="solo")
    for role, content_type in (("architect", "design"), ("executor", "code_changes")):
        await as_person(hub, "tools/context_publish", task_id=own["task_id"], role=role, agent="@Dora",
                        content_type=content_type, payload={"summary": "s", "body": "b"})
    refused = await as_person(hub, "tools/context_decide", task_id=own["task_id"], decision="approve", by="@Dora")
    checks.check("nobody approves what is his own work", refused["status"] == "pending_approval", refused)


async def note(checks: Checks, hub: Hub) -> None:
    """An open gate is passed in the reply note, by the hand of whoever edits it; another one is only shown there."""
    async with connected("http", **hub.place()) as client:
        for gate in ("open", "human"):
            task = (await make(client, f"Note {gate}", "solo", gate=gate))["task_id"]
            for role, content_type in (("architect", "design"), ("executor", "code_changes")):
                payload = {"summary": "work", "body": "b", "commits": ["1a2b3c"]}
                await call(client, "context_publish", task_id=task, role=role, content_type=content_type, payload=payload)
    open_note, shut_note = (hub.notes / f"note-{gate}.reply.md" for gate in ("open", "human"))
    is_shown = await comes_true(lambda: "2 · `code_changes` · executor · work (`1a2b3c`)" in shut_note.read_text(), 60)
    text = shut_note.read_text()
    where = "turnroom task decide note-human approve --expected-version 2"
    checks.check("a gate for people says where it is decided", is_shown and where in text and "Approve" not in text, text)
    await comes_true(lambda: "- [ ] Approve" in open_note.read_text(), 60)
    half = open_note.read_text().replace("- [ ] Approve", "- [x] Approve")
    open_note.write_text(half + "\nwell done\n")
    async with connected("http", **hub.place()) as client:
        await call(client, "context_publish", task_id="note-open", role="executor", content_type="note",
                   payload={"summary": "one more thing", "body": "b"})
        open_note.write_text(open_note.read_text().replace("- [ ] send", "- [x] send"))
        is_told = await comes_true(lambda: "Not sent" in open_note.read_text(), 60)
        text, state = open_note.read_text(), await call(client, "context_read", task_id="note-open")
        checks.check("what came in between is not decided", is_told and state["status"] == "pending_approval", state)
        checks.check("it is shown, and the words stay", "one more thing" in text and "\nwell done\n" in text, text)
        open_note.write_text(text.replace("- [ ] Approve", "- [x] Approve").replace("- [ ] send", "- [x] send"))
        await comes_true(lambda: "- [ ] Close" in open_note.read_text() and "Reject" not in open_note.read_text(), 60)
        state = await call(client, "context_read", task_id="note-open")
        decision = state["versions"][-1]
        checks.check("a tick with its reason passes an open gate", state["status"] == "approved", state)
        checks.check("its words are its reason", decision["payload"]["body"] == "well done", decision)
        checks.check("nobody vouches for it", "verified_by" not in decision, decision)


async def kills(checks: Checks, hub: Hub) -> None:
    """What was answered is there after the hub was killed, once."""
    async with connected("http", **hub.place()) as client:
        task = (await make(client, "Kill", gate="open"))["task_id"]
    told = []
    for number in range(5):
        async with connected("http", **hub.place()) as client:
            for _ in range(3):
                payload = {"summary": f"record {len(told)}", "body": "b"}
                state = await call(client, "context_publish", task_id=task, role="x", content_type="note", payload=payload)
                told.append(state["version"])
            waiting = asyncio.create_task(client.call_tool("context_wait", {"task_id": task, "timeout_seconds": 60}))
            await asyncio.sleep(0)
            hub.kill()
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        await hub.start()
    async with connected("http", **hub.place()) as client:
        read = await call(client, "context_read", task_id=task)
    summaries = [record["payload"]["summary"] for record in read["versions"]]
    checks.check("every record that was answered is there once", summaries == [f"record {n}" for n in range(15)], summaries)
    checks.check("versions have no gaps", told == list(range(1, 16)), told)


async def cases(checks: Checks) -> None:
    """The acceptance cases, which want a hub of their own."""
    async with Hub() as hub:
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(CASES), f"http://127.0.0.1:{hub.port}/mcp",
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        told, _ = await process.communicate()
        checks.check("all acceptance cases of tasks hold", process.returncode == 0, told.decode())


async def script(checks: Checks) -> None:
    await cases(checks)
    async with Hub() as hub:
        for flow in PLANS:
            await play(checks, hub, flow)
        await race(checks, hub)
        await gate(checks, hub)
        await note(checks, hub)
        await kills(checks, hub)


if __name__ == "__main__":
    sys.exit(run(script, LIMIT_SECONDS))
