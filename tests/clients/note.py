"""Reads a transcript as a person would find it: the note, and the parts that hold its beginning."""
from __future__ import annotations

import re
from pathlib import Path

HEADING = re.compile(r"^### (?:🔒 \[[^\]]*\] )?(@\w+)(?: \([^)]*\))? ➔ .* \([^()]* UTC\) · (\d+)$")
NOTICE = "- 🔔 "
CONVERSATION = "## Conversation"

# A message is (number, sender, text); a notice has neither number nor sender in a note.
Entry = tuple[int | None, str, str]


class Torn(Exception):
    """A file that is no whole note."""


def files_of(note: Path) -> list[Path]:
    """The parts, oldest first, and the note."""
    return [*sorted(note.with_suffix("").glob("part-*.md")), note]


def entries_of(file: Path) -> list[Entry]:
    """The entries of one file, in its order."""
    text = file.read_text(encoding="utf-8")
    if not text.startswith("---\n") or not text.endswith("\n") or f"\n{CONVERSATION}\n" not in text:
        raise Torn(f"{file.name} is no whole note")
    entries: list[Entry] = []
    for line in text.split(f"\n{CONVERSATION}\n", 1)[1].splitlines():
        heading = HEADING.match(line)
        if heading:
            entries.append((int(heading[2]), heading[1], ""))
        elif line.startswith(NOTICE):
            entries.append((None, "@System", ""))
        elif line.startswith("#"):
            raise Torn(f"{file.name} has a heading that is none of ours: {line[:80]}")
        elif line.startswith(">") and entries and entries[-1][0] is not None:
            seq, sender, words = entries[-1]
            entries[-1] = (seq, sender, f"{words}\n{line[2:]}" if words else line[2:])
    return entries


def transcript(note: Path) -> list[Entry]:
    """The whole conversation as it stands in the files."""
    return [entry for file in files_of(note) for entry in entries_of(file)]


def of_log(events: list[dict]) -> list[Entry]:
    """The conversation as the log has it."""
    return [(event["seq"], event["sender"], event["content"]) if event["kind"] == "posted" else (None, "@System", "")
            for event in events]
