"""A person at terminals, and agents who call from shells, around one hub."""
from __future__ import annotations

import json
import os
import re
from pathlib import Path

from hub import Hub
from screen import Terminal, Tmux

AGENTS = ("@Alice", "@Bob")


class Desk:
    """One hub, terminals that find it, and rooms with two agents in them."""

    def __init__(self, hub: Hub, tmux: Tmux):
        self.hub, self._tmux = hub, tmux

    @staticmethod
    def environment(hub: Hub) -> dict[str, str]:
        """Of the shells in the terminals: the binary is in their path, and finds its data folder."""
        folders = [str(Path(hub.binary).parent), hub.environment["PATH"]]
        return {**hub.environment, "PATH": os.pathsep.join(folders), "TURNROOM_DATA_DIR": str(hub.data)}

    async def terminal(self, width: int = 100, height: int = 30) -> Terminal:
        return await self._tmux.terminal(width, height)

    async def room(self, name: str) -> None:
        """A new room in which both agents are, and it is the first one's turn."""
        await self.shell("new", str(self.hub.notes / f"{name}.md"), *AGENTS, "--topic", f"The topic of {name}",
                         "--first-speaker", AGENTS[0])
        for agent in AGENTS:
            await self.shell("join", "--as", agent, "--room", name, "--timeout", "0")

    async def send(self, agent: str, room: str, words: str, *options: str) -> None:
        await self.shell("send", "--as", agent, "--room", room, "--no-wait", *options, words)

    async def shell(self, *words: str) -> str:
        done = await self.hub.shell(*words)
        if done.returncode not in (0, 4):
            raise RuntimeError(f"turnroom {' '.join(words)} has ended with {done.returncode}: {done.stderr}")
        return done.stdout

    async def state(self, room: str) -> dict:
        return json.loads(await self.shell("list", room, "--json"))

    async def said(self, room: str, words: str) -> dict:
        """The message of the log that has these words."""
        found = [event for event in await self.hub.log(room) if event.get("content") == words]
        if len(found) != 1:
            raise RuntimeError(f"`{words}` was said {len(found)} times in {room}")
        return found[0]

    async def question(self, room: str) -> str:
        """What the inbox calls the one question of a room."""
        return re.search(rf"turnroom answer ({room}#\d+) ", await self.shell("inbox"))[1]
