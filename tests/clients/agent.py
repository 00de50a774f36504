"""A client through the official SDK, over any transport, and what it has learned from its own answers."""
from __future__ import annotations

import json
import logging
from contextlib import asynccontextmanager
from pathlib import Path

from anyio import BrokenResourceError
from mcp import Client
from mcp.client.sse import sse_client
from mcp.client.stdio import StdioServerParameters, stdio_client

MODERN = "2026-07-28"

# The SDK wonders that the end of a session is accepted with 202, and tells at length of a stream that broke off.
logging.getLogger("mcp.client.streamable_http").setLevel(logging.ERROR)
logging.getLogger("mcp.client.sse").setLevel(logging.CRITICAL)


@asynccontextmanager
async def connected(transport: str, *, binary: str, data: Path, notes: Path, environment: dict, url: str = "", **sitter):
    """A client: `http`, `old http`, `stdio`, `old stdio` or `sse`; `sitter` has what answers the questions of the hub."""
    mode = "legacy" if transport.startswith("old") or transport == "sse" else MODERN
    if transport.endswith("stdio"):
        words = ["stdio", "--data-dir", str(data), "--transcripts", str(notes)]
        server = StdioServerParameters(command=binary, args=words, env=environment)
        with open(data.parent / "bridges.log", "a", encoding="utf-8") as errors:
            async with Client(stdio_client(server, errlog=errors), mode=mode, **sitter) as client:
                yield client
    elif transport == "sse":
        is_over = False
        try:
            async with Client(sse_client(f"{url}/sse"), mode=mode, **sitter) as client:
                yield client
                is_over = True
        except* BrokenResourceError:
            # So the SDK ends when it is told something, such as a changed list, while it closes.
            if not is_over:
                raise
    else:
        async with Client(f"{url}/mcp", mode=mode, **sitter) as client:
            yield client


class Refused(Exception):
    """The hub said no; the text is its answer."""


def answer_of(result) -> dict:
    """What a tool has answered: the text, as a model reads it. A short answer comes as structured content too."""
    text = "".join(content.text for content in result.content)
    if result.is_error:
        raise Refused(text)
    answer = json.loads(text)
    if result.structured_content not in (None, answer):
        raise ValueError(f"an answer in two forms that differ: {text[:500]}")
    return answer


class Record:
    """What one client knows: each message it was given or has posted, in the order in which it learned of it."""

    def __init__(self, handle: str):
        self.handle = handle
        self.words: dict[int, tuple[str, str]] = {}
        self.order: list[int] = []
        self.repeated: list[int] = []
        self.faults: list[str] = []
        self._settled = 0

    def settle(self, upto: int) -> None:
        """From now on nothing up to this number may come again."""
        self._settled = upto

    def take(self, answer: dict, content: str | None = None) -> None:
        """Notes an answer; `content` is what the call has posted, if it was a post."""
        learned = [(m["seq_id"], m["sender"], m["content"], m.get("redelivered", False))
                   for m in answer.get("new_messages", [])]
        posted = answer.get("posted")
        if posted and posted["seq_id"] not in self.words:
            learned.append((posted["seq_id"], self.handle, content, False))
        for seq, sender, text, is_marked in sorted(learned):
            self._learn(seq, sender, text, is_marked)

    def _learn(self, seq: int, sender: str, text: str, is_marked: bool) -> None:
        if seq not in self.words:
            self.words[seq] = (sender, text)
            self.order.append(seq)
            return
        if self.words[seq] != (sender, text):
            self.faults.append(f"{seq} was {self.words[seq]} and is now {(sender, text)}")
        if seq <= self._settled:
            self.faults.append(f"{seq} came again, although everything up to {self._settled} was settled")
        if not is_marked:
            self.repeated.append(seq)
