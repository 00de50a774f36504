#!/usr/bin/env python3
"""Tasks in auto mode: the hub starts the agents whose turn it is, and a task goes to its gate by itself.

The agents are small scripts that publish what their part asks for, over HTTP. On the way the hub is killed while one of
them works, which goes on, and is not started a second time. A program that cannot do anything is told in the inbox. The
settings are changed under the running hub.

    .venv/bin/python tests/clients/auto.py
"""
from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from checks import Checks, run, settles
from hub import Hub
from tasks import as_person

LIMIT_SECONDS = 300
CAST = {"architect": "@Ada", "executor": "@Bob", "reviewer": "@Carol"}

# What a role publishes. The executor waits for a word of the test before.
AGENT = '''
import json, os, pathlib, sys, time, urllib.error, urllib.request
folder, told = pathlib.Path(sys.argv[1]), json.load(sys.stdin)
same = [told["handle"] == os.environ["TURNROOM_HANDLE"], told["task_id"] == os.environ["TURNROOM_TASK"],
        told["role"] == os.environ["TURNROOM_ROLE"], told["room"] == os.environ["TURNROOM_ROOM"],
        told["data_dir"] == os.environ["TURNROOM_DATA_DIR"]]
with open(folder / "starts", "a") as starts:
    starts.write(json.dumps({**told, "same": all(same)}) + "\\n")
if told["role"] == "executor":
    while not (folder / "go").exists():
        time.sleep(0.02)
words = {"architect": ("design", {}), "executor": ("code_changes", {}), "reviewer": ("review", {"verdict": "pass"})}
content_type, more = words[told["role"]]
body = {"task_id": told["task_id"], "role": told["role"], "agent": told["handle"], "content_type": content_type,
        "payload": {"summary": "s", "body": "b", **more}, "request_id": f"{told['role']}-{told['version']}"}
token = (pathlib.Path(told["data_dir"]) / "token").read_text().strip()
headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
request = urllib.request.Request(told["url"] + "/api/tools/context_publish", json.dumps(body).encode(), headers)
while True:
    try:
        urllib.request.urlopen(request).read()
        break
    except urllib.error.HTTPError as error:
        sys.exit(error.read().decode())
    except OSError:
        time.sleep(0.1)
'''


def settings(hub: Hub, mode: str, commands: dict[str, list[str]]) -> None:
    """Writes the settings of the user, as a person does with an editor."""
    roles = json.dumps(list(commands))
    lines = [f'[tasks]\nmode = "{mode}"\nauto_roles = {roles}\n']
    lines += [f"[tasks.start.{role}]\ncommand = {json.dumps(command)}\n" for role, command in commands.items()]
    file = Path(hub.environment["HOME"]) / ".config/turnroom/config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines))


async def task_state(hub: Hub, task: str) -> dict:
    return await as_person(hub, "tools/context_read", task_id=task)


async def make(hub: Hub, title: str) -> str:
    made = await as_person(hub, "tools/context_create", title=title, description="Do it well", creator="@user",
                           role="human", cast=CAST)
    return made["task_id"]


async def items(hub: Hub, task: str) -> list[dict]:
    inbox = await as_person(hub, "commands/inbox")
    return [item for item in inbox["items"] if item.get("task_id") == task]


def starts(hub: Hub) -> list[dict]:
    file = hub.folder / "starts"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


async def by_itself(checks: Checks, hub: Hub) -> None:
    """From its making to the gate, with a killed hub in between."""
    task = await make(hub, "Alone")

    async def begun() -> list[dict]:
        return starts(hub)

    told = await settles(begun, lambda told: len(told) >= 2, 20)
    checks.check("architect and executor are started", [one["role"] for one in told] == ["architect", "executor"], told)
    checks.check("a program is told the same in both ways", all(one["same"] for one in told), told)
    hub.kill()
    await hub.start()
    # The hub has looked at everything by the time that it has answered for a while.
    await settles(lambda: items(hub, task), lambda _: False, 1)
    checks.check("what works on is not started again by the next hub", len(starts(hub)) == 2, starts(hub))
    (hub.folder / "go").touch()
    state = await settles(lambda: task_state(hub, task), lambda state: state["status"] == "pending_approval", 30)
    checks.check("the task came to its gate by itself", state["status"] == "pending_approval", state)
    roles = [one["role"] for one in starts(hub)]
    checks.check("each turn was started once", roles == ["architect", "executor", "reviewer"], starts(hub))
    asked = await settles(lambda: items(hub, task), bool, 30)
    checks.check("the person is asked to decide", [item["kind"] for item in asked] == ["decision"], asked)
    await as_person(hub, "tools/context_decide", task_id=task, decision="close", by="@user")


async def in_vain(checks: Checks, hub: Hub) -> None:
    """A program that does nothing is told, once, though a hook in it tells too; settings count without a restart."""
    event = f"subprocess.run([{hub.binary!r}, 'event', 'done'], stdin=subprocess.DEVNULL, check=True)"
    script = f"import subprocess, sys; {event}; print('cannot go on', file=sys.stderr); sys.exit(3)"
    settings(hub, "manual", {"architect": [sys.executable, "-c", script]})
    before = len(starts(hub))
    task = await make(hub, "By hand")
    told = await settles(lambda: items(hub, task), bool, 20)
    checks.check("in manual mode a person is told", [item["kind"] for item in told] == ["task_turn"], told)
    checks.check("it is told who and what", (told[0]["handle"], told[0]["role"]) == ("@Ada", "architect"), told)
    checks.check("and nothing is started", len(starts(hub)) == before, starts(hub))
    settings(hub, "auto", {"architect": [sys.executable, "-c", script]})

    async def log() -> str:
        return hub.log_text()

    seen = await settles(log, lambda text: "cannot go on" in text, 20)
    checks.check("the hub says how a program ended that did nothing", "cannot go on" in seen, seen[-2000:])
    # By hand or by the hub: what has failed is told as soon as nobody starts it any more.
    settings(hub, "manual", {"architect": [sys.executable, "-c", script]})
    told = await settles(lambda: items(hub, task), lambda told: [item["kind"] for item in told] == ["start_failed"], 20)
    checks.check("a start in vain is told", [item["kind"] for item in told] == ["start_failed"], told)
    reported = (await task_state(hub, task)).get("reported", {})
    checks.check("it has said itself that it is done", reported.get("activity") == "done", reported)
    checks.check("with its last words", "cannot go on" in told[0]["body"] and "3" in told[0]["body"], told)


async def broken(checks: Checks, hub: Hub) -> None:
    """A file that makes no sense changes nothing, and is in the inbox until it is mended."""
    file = Path(hub.environment["HOME"]) / ".config/turnroom/config.toml"
    file.write_text("[tasks]\nmode = \"maybe\"\n")

    async def log() -> str:
        return hub.log_text()

    seen = await settles(log, lambda text: "stay as they were" in text, 20)
    checks.check("broken settings are told in the log", "tasks.mode" in seen, seen[-2000:])

    async def faults() -> list[dict]:
        return [item for item in (await as_person(hub, "commands/inbox"))["items"] if item["kind"] == "settings"]

    told = await settles(faults, bool, 20)
    checks.check("and in the inbox, with their place", [(one["file"], one["line"]) for one in told] == [(str(file), 2)], told)
    checks.check("and what is wrong", "`tasks.mode` must be" in told[0]["body"] and "maybe" not in told[0]["body"], told)
    file.write_text("[tasks]\nmode = \"manual\"\n")
    left = await settles(faults, lambda left: not left, 20)
    checks.check("a mended file is told of no more", left == [], left)


async def script(checks: Checks) -> None:
    hub = Hub()
    agent = hub.folder / "agent.py"
    agent.write_text(AGENT)
    settings(hub, "auto", {role: [sys.executable, str(agent), str(hub.folder)] for role in CAST})
    async with hub:
        await by_itself(checks, hub)
        await in_vain(checks, hub)
        await broken(checks, hub)


if __name__ == "__main__":
    sys.exit(run(script, LIMIT_SECONDS))
