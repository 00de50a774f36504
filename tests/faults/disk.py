#!/usr/bin/env python3
"""Disks that are full or read-only, folders that vanish, notes that are edited while they are written, held locks.

What is refused changes nothing, what is acknowledged is in the log, and the hub goes on by itself when it can. Disks
are small file systems in memory; where this user may mount none, not even in a name space of its own, those rules are
named as NOT CHECKED. With TURNROOM_LONG=1 the note is edited much longer.

    .venv/bin/python tests/faults/disk.py [BINARY]
"""
from __future__ import annotations

import asyncio
import fcntl
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients"))

from agent import Refused, answer_of, connected  # noqa: E402
from checks import Checks, comes_true, run  # noqa: E402
from hub import BINARY, Hub  # noqa: E402
from note import Torn, of_log, transcript  # noqa: E402

ROOM = "disk"
DISK_MEGABYTES = 4
LIMIT_SECONDS = 400
WAIT_SECONDS = 60
EDITS = 1_500 if os.environ.get("TURNROOM_LONG") else 200
INSIDE = "TURNROOM_TEST_NAME_SPACE"


class SmallDisk:
    """A file system of a few megabytes; it ends with the test."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="turnroom-disk-")
        self.path = Path(self._folder.name)

    def __enter__(self) -> SmallDisk:
        mount("-t", "tmpfs", "-o", f"size={DISK_MEGABYTES}m,mode=0700", "tmpfs", str(self.path))
        return self

    def __exit__(self, *_error) -> None:
        subprocess.run(["umount", "-l", str(self.path)], check=False)
        self._folder.cleanup()

    def fill(self) -> None:
        """Takes all space that is left."""
        with open(self.path / "filler", "ab", buffering=0) as filler:
            for size in (65536, 4096, 1):
                try:
                    while filler.write(bytes(size)):
                        pass
                except OSError:
                    continue

    def free(self) -> None:
        (self.path / "filler").unlink()


def mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True, capture_output=True)


def may_mount() -> bool:
    try:
        with SmallDisk():
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


class HubOn(Hub):
    """A hub whose data folder is on a small disk."""

    def __init__(self, binary: Path, disk: SmallDisk):
        super().__init__(binary)
        self.data = disk.path


class Person:
    """@user over HTTP; remembers what was acknowledged and what was refused."""

    def __init__(self, hub: Hub, client):
        self._hub, self._client = hub, client
        self.acknowledged: dict[int, str] = {}
        self.refused: dict[str, str] = {}

    async def open_room(self) -> None:
        arguments = {"filepath": str(self._hub.notes / f"{ROOM}.md"), "participants": ["@Alice"], "room": ROOM,
                     "barrier": 0}
        answer_of(await self._client.call_tool("init_conversation", arguments))

    async def say(self, text: str) -> bool:
        """Whether it was taken."""
        arguments = {"sender": "@user", "content": f"{text} @Alice", "room": ROOM, "block": False}
        try:
            answer = answer_of(await self._client.call_tool("send_message", arguments))
        except Refused as refused:
            self.refused[text] = str(refused)
            return False
        self.acknowledged[answer["posted"]["seq_id"]] = f"{text} @Alice"
        return True

    async def list(self) -> dict:
        return answer_of(await self._client.call_tool("list_participants", {"room": ROOM}))


def person_at(hub: Hub):
    url = f"http://127.0.0.1:{hub.port}"
    return connected("http", binary=hub.binary, data=hub.data, notes=hub.notes, environment=hub.environment, url=url)


async def judge(checks: Checks, hub: Hub, person: Person, what: str) -> None:
    log = await hub.log(ROOM)
    posts = {event["seq"]: event["content"] for event in log if event["kind"] == "posted"}
    checks.check(f"{what}: what is acknowledged is in the log", person.acknowledged.items() <= posts.items(), posts)
    texts = set(posts.values())
    kept = [text for text in person.refused if f"{text} @Alice" in texts]
    checks.check(f"{what}: what is refused has changed nothing", not kept, kept)
    checks.check(f"{what}: numbers have no gaps", [e["seq"] for e in log] == list(range(1, len(log) + 1)))
    note = hub.notes / f"{ROOM}.md"
    is_same = await comes_true(lambda: is_equal(note, log), WAIT_SECONDS)
    checks.check(f"{what}: the transcript equals the log", is_same, note)


def is_equal(note: Path, log: list[dict]) -> bool:
    try:
        # A notice of a kept version may have come since the log was read.
        written, logged = ([one for one in part if one[0]] for part in (transcript(note), of_log(log)))
        return written == logged
    except (OSError, Torn):
        return False


async def report_of(hub: Hub) -> tuple[dict, int]:
    done = await hub.shell("doctor", "--json")
    return json.loads(done.stdout), done.returncode


def faults(report: dict) -> list[str]:
    return [one["what"] for one in report["findings"] if one["grade"] == "fault" and one["check"] != "clients"]


async def a_full_disk_under_a_hub(checks: Checks, binary: Path) -> None:
    with SmallDisk() as disk:
        async with HubOn(binary, disk) as hub, person_at(hub) as client:
            person = Person(hub, client)
            await person.open_room()
            checks.check("a post on a free disk is taken", await person.say("before"))
            disk.fill()
            taken = 0
            while await person.say(f"full {taken} {'x' * 30_000}") and taken < 200:
                taken += 1
            checks.check("a full disk refuses in the end", person.refused, taken)
            words = " ".join(person.refused.values())
            checks.check("the refusal says what to do", "journal_unavailable" in words and "disk" in words, words)
            checks.check("reading goes on", (await person.list())["room"] == ROOM)
            report, code = await report_of(hub)
            checks.check("the doctor names the full disk", code == 1 and "full" in " ".join(faults(report)), report)
            disk.free()
            checks.check("the hub goes on by itself", await person.say("after"))
            await judge(checks, hub, person, "full disk")


async def a_new_hub_on_a_full_disk(checks: Checks, binary: Path) -> None:
    with SmallDisk() as disk:
        async with HubOn(binary, disk) as hub:
            async with person_at(hub) as client:
                person = Person(hub, client)
                await person.open_room()
                await person.say("before")
            hub.kill()
            disk.fill()
            await hub.start()
            checks.check("a hub starts on a full disk", await answers(hub), hub.log_text())
            checks.check("it can be read", len(await hub.log(ROOM)) > 0)
            disk.free()
            address = disk.path / "hub.json"
            is_there = await comes_true(lambda: names_process(address, hub.process.pid), WAIT_SECONDS)
            checks.check("how to reach it is written when there is space", is_there, hub.log_text())
            async with person_at(hub) as client:
                person._client = client
                checks.check("it takes posts when there is space", await person.say("after"), person.refused)
            await judge(checks, hub, person, "new hub")
            await stop(hub)
            disk.fill()
            text = start_and_fail(hub)
            checks.check("without space for what a journal needs, the error says so", "full" in text, text)
            report, _ = await report_of(hub)
            checks.check("the doctor reads the rooms all the same", "1 sound" in json.dumps(report), report)
            disk.free()
            await hub.start()
            checks.check("with space it starts", await answers(hub))


async def answers(hub: Hub) -> bool:
    """Whether it can be asked. Its port may take connections a moment before."""
    end = time.monotonic() + WAIT_SECONDS
    while (await hub.shell("status")).returncode != 0:
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.02)
    return True


async def stop(hub: Hub) -> None:
    """Stops it and waits for its end. Its port may take connections a moment before it can be told to stop."""
    async with asyncio.timeout(WAIT_SECONDS):
        while (await hub.shell("stop")).returncode != 0:
            await asyncio.sleep(0.02)
        await asyncio.to_thread(hub.process.wait)


def names_process(address: Path, pid: int) -> bool:
    try:
        return json.loads(address.read_text())["pid"] == pid
    except (OSError, ValueError):
        return False


def start_and_fail(hub: Hub) -> str:
    """What a hub says that does not start; nothing if it starts."""
    command = [hub.binary, "serve", "--port", "0", "--data-dir", str(hub.data), "--transcripts", str(hub.notes)]
    with subprocess.Popen(command, env=hub.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True) as process:
        try:
            return process.communicate(timeout=60)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            return ""


async def a_read_only_disk(checks: Checks, binary: Path) -> None:
    with SmallDisk() as disk:
        async with HubOn(binary, disk) as hub:
            async with person_at(hub) as client:
                person = Person(hub, client)
                await person.open_room()
                await person.say("before")
            await stop(hub)
            mount("-o", "remount,ro", str(disk.path))
            text = start_and_fail(hub)
            checks.check("a read-only folder is refused in one sentence",
                         "read-only" in text and "--data-dir" in text and text.count("error:") == 1, text)
            report, code = await report_of(hub)
            checks.check("the doctor names it, and reads the rooms",
                         code == 1 and "read-only" in " ".join(faults(report)) and "1 sound" in json.dumps(report), report)
            mount("-o", "remount,rw", str(disk.path))
            await hub.start()
            async with person_at(hub) as client:
                person._client = client
                checks.check("it works when it can be written again", await person.say("after"), person.refused)
            await judge(checks, hub, person, "read-only disk")


async def a_transcript_folder_that_goes(checks: Checks, binary: Path) -> None:
    async with Hub(binary) as hub, person_at(hub) as client:
        person = Person(hub, client)
        await person.open_room()
        await person.say("before")
        gone = hub.folder / "gone"
        hub.notes.rename(gone)
        checks.check("a post is taken without the folder", await person.say("without folder"))
        await judge(checks, hub, person, "folder removed")
        hub.notes.rename(hub.folder / "gone too")
        hub.notes.write_text("a file in its place")
        checks.check("a post is taken although a file is in the place", await person.say("behind a file"))
        report, code = await report_of(hub)
        checks.check("the doctor names the transcript", code in (0, 1) and f"{ROOM}.md" in json.dumps(report), report)
        checks.check("the file is left alone", hub.notes.read_text() == "a file in its place")
        hub.notes.unlink()
        await judge(checks, hub, person, "folder replaced")


async def a_note_that_is_edited_all_the_time(checks: Checks, binary: Path) -> None:
    """Another program adds lines in place while the hub writes the note; every tenth line is the same."""
    async with Hub(binary) as hub, person_at(hub) as client:
        person = Person(hub, client)
        await person.open_room()
        note = hub.notes / f"{ROOM}.md"
        typed: list[str] = []

        def type_lines() -> None:
            for number in range(EDITS):
                line = "the same" if number % 10 == 0 else f"typed {number}"
                # Sometimes with a pause between open and write, as slow programs have it.
                with open(note, "a", encoding="utf-8") as file:
                    if number % 7 == 0:
                        time.sleep(0.01)
                    file.write(f"{line}\n")
                typed.append(line)
                time.sleep(0.005)

        typing = asyncio.create_task(asyncio.to_thread(type_lines))
        posts = 0
        while not typing.done():
            await person.say(f"post {posts}")
            posts += 1
        await typing
        await person.say("last")
        await judge(checks, hub, person, "edited note")
        await stop(hub)
        kept = "".join(file.read_text(encoding="utf-8") for file in hub.notes.glob("*.md"))
        lines = [line.strip() for line in kept.splitlines()]
        missing = [line for line in dict.fromkeys(typed) if lines.count(line) < typed.count(line)]
        print(f"{len(typed)} lines typed in place during {posts} posts, {len(missing)} missing")

        checks.check("no line that was typed is lost", not missing, missing)


async def a_folder_that_somebody_holds(checks: Checks, binary: Path) -> None:
    async with Hub(binary) as hub:
        text = start_and_fail(hub)
        checks.check("a second hub is told the process of the first", f"process {hub.process.pid}" in text, text)
        await stop(hub)
        # As a hub on another machine would hold it, whose process is not here.
        with open(hub.data / "hub.lock", "r+", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.write("4194399")
            lock.flush()
            text = start_and_fail(hub)
            checks.check("a folder that another machine holds is refused", "process 4194399" in text, text)
            report, code = await report_of(hub)
            checks.check("the doctor says who holds it", code == 1 and "not on this machine" in json.dumps(report), report)
            status = await hub.shell("status")
            checks.check("a command says that no hub answers", status.returncode == 3, status)
        await hub.start()
        checks.check("the folder is free when its holder has gone", await answers(hub))


ON_DISKS = [a_full_disk_under_a_hub, a_new_hub_on_a_full_disk, a_read_only_disk]
ANYWHERE = [a_transcript_folder_that_goes, a_note_that_is_edited_all_the_time, a_folder_that_somebody_holds]


async def script(checks: Checks, binary: Path, has_disks: bool) -> None:
    for rule in ON_DISKS if has_disks else []:
        await rule(checks, binary)
    for rule in ANYWHERE:
        await rule(checks, binary)
    if not has_disks:
        print("NOT CHECKED: full and read-only disks: this user may not mount a file system")


if __name__ == "__main__":
    chosen = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else BINARY
    disks = may_mount()
    if not disks and INSIDE not in os.environ:
        own = ["unshare", "--user", "--map-root-user", "--mount"]
        if subprocess.run([*own, "true"], check=False, capture_output=True).returncode == 0:
            os.execvpe(own[0], [*own, sys.executable, *sys.argv], {**os.environ, INSIDE: "1"})
    sys.exit(run(lambda checks: script(checks, chosen, disks), LIMIT_SECONDS))
