"""A hub of its own for one test: a new data folder, a free port, the real binary."""
from __future__ import annotations

import asyncio
import fcntl
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BUILT = Path(__file__).resolve().parents[2] / "target/debug/turnroom"
BINARY = Path(os.environ.get("TURNROOM_BINARY") or BUILT)
START_SECONDS = 60
SHELL_SECONDS = 50


def environment(folder: Path) -> dict[str, str]:
    """Nothing of the tester's own settings, and no desktop to show notices on."""
    home = folder / "home"
    home.mkdir(parents=True, exist_ok=True)
    return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8", "HOME": str(home),
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"}


_ports = itertools.count()


def free_port() -> int:
    """Below those that a system gives to connections, and another for each hub: it stays ours while its hub is dead."""
    while True:
        port = 12_000 + os.getpid() % 100 * 200 + next(_ports) % 200
        with socket.socket() as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


class Hub:
    """`turnroom serve`, which may be killed and started again on the same port and data folder."""

    def __init__(self, binary: Path = BINARY):
        self._folder = tempfile.TemporaryDirectory(prefix="turnroom-clients-")
        self.folder = Path(self._folder.name)
        self.binary = str(binary.absolute())
        self.data, self.notes = self.folder / "data", self.folder / "notes"
        self.notes.mkdir()
        self.environment = environment(self.folder)
        self.port = free_port()
        self.log_file = open(self.folder / "hub.log", "ab")
        self.process: subprocess.Popen | None = None
        self.is_up = asyncio.Event()
        self.lives = 0

    async def __aenter__(self) -> Hub:
        await self.start()
        return self

    async def __aexit__(self, error, *_rest) -> None:
        if error:
            print(f"the hub has said:\n{self.log_text()[-2000:]}", file=sys.stderr)
        if self.process and self.process.poll() is None:
            self.process.terminate()
            await asyncio.to_thread(self.process.wait)
        self.log_file.close()
        self._folder.cleanup()

    async def start(self) -> None:
        """Starts it, and waits until it answers: by then everything listens."""
        self._spawn()
        async with asyncio.timeout(START_SECONDS):
            while not await self._answers():
                if self.process.poll() is not None:
                    raise RuntimeError(f"the hub has ended with {self.process.returncode}:\n{self.log_text()}")
                await asyncio.sleep(0.01)
        self.is_up.set()

    async def start_in_vain(self, seconds: float) -> None:
        """Starts it, and kills it so long after, whether it is up by then or not."""
        self._spawn()
        await asyncio.sleep(seconds)
        self.kill()

    def _spawn(self) -> None:
        command = [self.binary, "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        command += ["--data-dir", str(self.data), "--transcripts", str(self.notes)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.log_file, stderr=self.log_file, env=self.environment
        )

    async def _answers(self) -> bool:
        """Whatever the answer is. A port takes connections before that."""
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.write(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")
            answer = await reader.read(1)
            writer.close()
            return answer != b""
        except OSError:
            return False

    def kill(self) -> None:
        """As if the power had failed for it: nothing of it runs on."""
        self.is_up.clear()
        self.lives += 1
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def place(self) -> dict:
        """What a client must know to find it."""
        return {"binary": self.binary, "data": self.data, "notes": self.notes, "environment": self.environment,
                "url": f"http://127.0.0.1:{self.port}"}

    async def shell(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Runs a command of the binary, as a person at a terminal would, to its end."""
        process = await asyncio.create_subprocess_exec(
            self.binary, *words, "--data-dir", str(self.data), env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        async with asyncio.timeout(SHELL_SECONDS):
            out, err = await process.communicate()
        return subprocess.CompletedProcess(words, process.returncode, out.decode(), err.decode())

    async def status(self) -> dict:
        """What the hub tells about itself: how many waits, calls, sessions and tasks there are just now."""
        done = await self.shell("status", "--json")
        if done.returncode != 0:
            raise RuntimeError(f"turnroom status: {done.stderr}")
        return json.loads(done.stdout)

    async def log(self, room: str) -> list[dict]:
        """The events of a room that have a number: messages and notices, in order."""
        done = await self.shell("log", "--room", room, "--json")
        if done.returncode != 0:
            raise RuntimeError(f"turnroom log: {done.stderr}")
        events = [record["event"] for record in json.loads(done.stdout)["events"]]
        return [event for event in events if event.get("seq") is not None]

    def log_text(self) -> str:
        return (self.folder / "hub.log").read_text(errors="replace")


@contextmanager
def only_we_start_hubs(hub: Hub) -> Iterator[None]:
    """A bridge that finds no hub starts one, unless somebody else holds this lock and is about to."""
    with open(hub.data / "start.lock", "a", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
