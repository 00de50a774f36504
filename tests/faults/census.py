"""Counts what a hub has open, as it tells itself and as the system tells of its process."""
from __future__ import annotations

from hub import Hub
from processes import memory, open_files

TOLD = ("waits", "calls", "clients", "sessions", "tasks")


async def census(hub: Hub) -> dict[str, int]:
    """How many of everything there are just now."""
    status, pid = await hub.status(), hub.process.pid
    return {name: status[name] for name in TOLD} | {"files": open_files(pid), "threads": memory(pid)["threads"]}


def is_back(before: dict[str, int], after: dict[str, int]) -> bool:
    """Whether there is no more of anything than there was."""
    return all(after[name] <= before[name] for name in before)
