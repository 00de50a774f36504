"""Real terminals of a fixed size: panes of a tmux server of its own, with a shell in each."""
from __future__ import annotations

import asyncio
import re
import subprocess
import time
from pathlib import Path

LOOK_SECONDS = 60
PAUSE_SECONDS = 0.05
PROMPT = "$ "


class Unseen(Exception):
    """What was waited for did not come onto a screen."""


class Tmux:
    """A tmux server that nobody else uses; it ends with the test."""

    def __init__(self, folder: Path, environment: dict[str, str]):
        self._socket = folder / "tmux.socket"
        self._environment = {**environment, "PS1": PROMPT, "TERM": "screen-256color"}
        self._count = 0

    def __enter__(self) -> Tmux:
        return self

    def __exit__(self, *_error) -> None:
        subprocess.run([*self._command(), "kill-server"], check=False, capture_output=True)

    async def terminal(self, width: int = 100, height: int = 30) -> Terminal:
        """A new terminal whose shell waits for the first command."""
        self._count += 1
        name = f"terminal-{self._count}"
        self.do("new-session", "-d", "-s", name, "-x", str(width), "-y", str(height),
                "bash", "--norc", "--noprofile")
        self.do("set-option", "-t", name, "history-limit", "5000")
        terminal = Terminal(self, name)
        await terminal.shows(rf"^{re.escape(PROMPT.strip())}")
        return terminal

    def do(self, *words: str) -> str:
        done = subprocess.run([*self._command(), *words], env=self._environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"tmux {' '.join(words)}: {done.stderr}")
        return done.stdout

    def _command(self) -> list[str]:
        return ["tmux", "-u", "-f", "/dev/null", "-S", str(self._socket)]


class Terminal:
    """One terminal: somebody types, and looks."""

    def __init__(self, tmux: Tmux, name: str):
        self._tmux, self._name = tmux, name
        self._commands = 0

    def type(self, text: str) -> None:
        """Types a line, and Enter."""
        self._tmux.do("send-keys", "-t", self._name, "-l", "--", text)
        self.press("Enter")

    def press(self, *keys: str) -> None:
        self._tmux.do("send-keys", "-t", self._name, *keys)

    def text(self) -> str:
        """Everything that was printed, also what has scrolled away; a line that was wrapped is one line."""
        return "\n".join(line.rstrip() for line in self._capture("-J", "-S", "-").splitlines()).strip("\n")

    def rows(self) -> list[str]:
        """The rows of the screen and above, as they stand there."""
        return [row.rstrip() for row in self._capture("-S", "-").splitlines()]

    def painted(self) -> str:
        """The same with the escape sequences that make its look."""
        return self._capture("-e", "-J", "-S", "-")

    def title(self) -> str:
        return self._tmux.do("display-message", "-p", "-t", self._name, "#{pane_title}").strip()

    def cursor_is_shown(self) -> bool:
        return self._tmux.do("display-message", "-p", "-t", self._name, "#{cursor_flag}").strip() == "1"

    def is_alternate(self) -> bool:
        return self._tmux.do("display-message", "-p", "-t", self._name, "#{alternate_on}").strip() == "1"

    async def shows(self, pattern: str, seconds: float = LOOK_SECONDS) -> re.Match[str]:
        """Waits until a pattern is on the screen, or has scrolled away from it."""
        end = time.monotonic() + seconds
        while not (found := re.search(pattern, self.text(), re.MULTILINE)):
            if time.monotonic() > end:
                raise Unseen(f"`{pattern}` does not come; the terminal shows:\n{self.text()}")
            await asyncio.sleep(PAUSE_SECONDS)
        return found

    def start(self, command: str) -> int:
        """Types a command into an empty terminal; its end will be told with the number given."""
        self._commands += 1
        self._tmux.do("send-keys", "-t", self._name, "-R")
        self._tmux.do("clear-history", "-t", self._name)
        self.type(f"{command}; echo end-{self._commands}=$?")
        return self._commands

    async def ends(self, number: int, seconds: float = LOOK_SECONDS) -> tuple[int, str]:
        """Waits for the end of a command; gives its exit code, and what it has printed."""
        code = (await self.shows(rf"end-{number}=(\d+)\n\$$", seconds))[1]
        printed = self.text().split("\n", 1)[1] if "\n" in self.text() else ""
        return int(code), re.split(rf"end-{number}=\d", printed)[0]

    async def run(self, command: str, seconds: float = LOOK_SECONDS) -> tuple[int, str]:
        """Runs a command to its end; gives its exit code, and what it has printed."""
        return await self.ends(self.start(command), seconds)

    def _capture(self, *words: str) -> str:
        return self._tmux.do("capture-pane", "-p", "-t", self._name, *words)
