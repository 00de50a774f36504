"""An agent that talks to a partner, and goes on when the hub dies and comes back: as a careful client would."""
from __future__ import annotations

import asyncio
from dataclasses import dataclass

from agent import Record, Refused, answer_of, connected
from hub import Hub

# No call of a conversation that runs takes so long, whatever else the machine does. One that does has been forgotten.
FORGOTTEN_SECONDS = 40
# So the SDK says that a client has lost its only connection.
CLOSED = "Connection closed"
# A kill may cut a call, its repetition over a client that is about to end, and little more.
MOST_CUTS = 10


class Cut(Exception):
    """The call has no answer: the hub died."""


class Line:
    """A client of the SDK in a task of its own, so that its end harms nobody."""

    def __init__(self, hub: Hub, transport: str, progress=None):
        self._hub, self._transport, self._progress = hub, transport, progress
        self._client: asyncio.Future | None = None
        self._task: asyncio.Task | None = None
        self.opened = 0

    async def call(self, tool: str, arguments: dict) -> dict:
        """The answer to one call."""
        client = await self._open()
        asking = asyncio.ensure_future(client.call_tool(tool, arguments, progress_callback=self._progress))
        async with asyncio.timeout(FORGOTTEN_SECONDS):
            await asyncio.wait({asking, self._task}, return_when=asyncio.FIRST_COMPLETED)
        if not asking.done():
            asking.cancel()
        result = (await asyncio.gather(asking, return_exceptions=True))[0]
        if isinstance(result, BaseException):
            if CLOSED in repr(result):
                # The bridge died, or the stream broke off: this client will not get another answer.
                await self.close()
            raise Cut(repr(result)) from result
        return answer_of(result)

    async def _open(self):
        if self._task is None or self._task.done():
            self.opened += 1
            self._client = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._keep(self._client))
            await asyncio.wait({self._client, self._task}, return_when=asyncio.FIRST_COMPLETED)
        if not self._client.done():
            raise Cut("there is no connection")
        return self._client.result()

    async def _keep(self, client: asyncio.Future) -> None:
        hub = self._hub
        place = {"binary": hub.binary, "data": hub.data, "notes": hub.notes, "environment": hub.environment}
        try:
            async with connected(self._transport, url=f"http://127.0.0.1:{hub.port}", **place) as connection:
                client.set_result(connection)
                await asyncio.Event().wait()
        except Exception:  # The SDK ends with a group of whatever its parts ended with; the next call opens anew.
            return

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.wait({self._task})


@dataclass
class Habits:
    """What a client does beyond what it must."""

    gives_ids: bool
    gives_cursors: bool
    wants_progress: bool


async def ignore(*_progress) -> None:
    """Hears of progress, which alone makes the hub begin its answer early."""


class Talker:
    """One of the two in a room. It speaks when it has the turn, and repeats a call that was cut, word for word."""

    def __init__(self, hub: Hub, room: str, handle: str, partner: str, transport: str, habits: Habits, padding: int):
        self.hub, self.room, self.handle, self.partner = hub, room, handle, partner
        self.transport, self.habits, self.padding = transport, habits, padding
        self.line = Line(hub, transport, ignore if habits.wants_progress else None)
        self.record = Record(handle)
        self.acknowledged: dict[int, str] = {}
        self.cut_calls = self.went_on = 0
        self.name = f"{handle} in {room} over {transport}, {habits}"
        self._answer: dict = {}
        self._previous_life: int | None = None
        self._life, self._opened = -1, 0

    async def join(self) -> None:
        self._answer = await self._call("join_conversation", handle=self.handle)

    async def talk(self, chapter: int, turns: int, on_post) -> None:
        """Speaks so often, and hears the partner so often; the room gets the floor back where it was."""
        said = 0
        while said < turns or self._heard(chapter) < turns:
            if said == turns or self._answer["active_turn"] != self.handle:
                self._answer = await self._call("wait_for_turn", handle=self.handle)
                continue
            # After the very last word nobody speaks, so there is nothing to wait for.
            is_last = said + 1 == turns and self._heard(chapter) == turns
            self._answer = await self._speak(f"{chapter}.{said}", block=not is_last)
            if self._answer["posted"]:
                said += 1
                on_post()

    async def read(self) -> list[tuple[int, str, str]]:
        """All messages and notices that it may read."""
        entries, page = [], {"more": True}
        while page.get("more"):
            after = entries[-1][0] if entries else 0
            page = await self._ask("read_messages", handle=self.handle, after_seq_id=after, limit=500)
            entries += [(m["seq_id"], m["sender"], m["content"]) for m in page["messages"]]
        return entries

    def _heard(self, chapter: int) -> int:
        return sum(sender == self.partner and text.startswith(f"{chapter}.")
                   for sender, text in self.record.words.values())

    async def _speak(self, number: str, block: bool) -> dict:
        content = f"{number} by {self.handle[1:]} in {self.room}. " + "word " * self.padding + self.partner
        extra = {"request_id": f"{self.handle}-{number}"} if self.habits.gives_ids else {}
        answer = await self._call("send_message", sender=self.handle, content=content, block=block, **extra)
        if answer["posted"]:
            self.acknowledged[answer["posted"]["seq_id"]] = content
        return answer

    async def _call(self, tool: str, **arguments) -> dict:
        """A call that counts as taking part; its answer is noted."""
        known, life = max(self.record.words, default=0), self.hub.lives
        if self.habits.gives_cursors and known:
            arguments["after_seq_id"] = known
        if life != self._life:
            self._life, self._opened = life, self.line.opened
        cuts = self.cut_calls
        answer = await self._ask(tool, **arguments)
        is_uncut = cuts == self.cut_calls and life == self.hub.lives
        # When a bridge has died, a late answer to it may be taken back, and what came after it with it: that comes again,
        # with a mark.
        is_same_line = self.line.opened == self._opened
        if is_uncut and is_same_line and life == self._previous_life and answer.get("posted"):
            # The call has acknowledged what came before it, and the log has kept that with the post.
            self.record.settle(known)
        self._previous_life = life if is_uncut else None
        self.record.take(answer, arguments.get("content"))
        return answer

    async def _ask(self, tool: str, **arguments) -> dict:
        last = None
        for _ in range(MOST_CUTS):
            await self.hub.is_up.wait()
            client = self.line.opened
            try:
                answer = await self.line.call(tool, {"room": self.room, **arguments})
                self.went_on += last is not None and client == self.line.opened
                return answer
            except Cut as cut:
                self.cut_calls += 1
                last = cut
            except Refused as refused:
                raise RuntimeError(f"{self.name} was refused: {refused}") from refused
            except TimeoutError as forgotten:
                raise RuntimeError(f"{self.name}: {tool} has had no answer, and no end") from forgotten
        raise RuntimeError(f"{self.name}: {tool} is cut again and again") from last
