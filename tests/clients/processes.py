"""What the system tells about processes (Linux: `/proc`)."""
from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Process:
    """One process, and the words it was started with."""

    pid: int
    words: list[str]


def children(parent: int) -> list[Process]:
    """The processes that this one has started and that still run."""
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            state, its_parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[:2]
            words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:  # It has ended meanwhile.
            continue
        if int(its_parent) == parent and state != "Z":
            found.append(Process(int(folder.name), words))
    return found


def is_alive(pid: int) -> bool:
    """Whether a process runs: one that has ended and that nobody has asked for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def open_files(pid: int) -> int:
    """How many file descriptors a process has."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def memory(pid: int) -> dict[str, int]:
    """Resident bytes and threads of a process."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return {"resident": int(lines["VmRSS"].split()[0]) * 1024, "threads": int(lines["Threads"])}
