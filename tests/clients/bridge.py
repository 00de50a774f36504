"""A client of a bridge, `turnroom stdio`, that hears what the hub tells by itself; of an older revision, or of the newest."""
from __future__ import annotations

import asyncio
import json

from hub import Hub
from wire import CLIENT, LISTENING, MODERN, OLD, Wire, rpc

# A line may hold a whole answer.
LONGEST_LINE = 16 << 20


class Bridge(Wire):
    """One bridge, and what comes out of it."""

    @classmethod
    async def open(cls, hub: Hub, is_old: bool) -> Bridge:
        client = cls(hub.port)
        client.is_old, client.name = is_old, "an old bridge" if is_old else "a bridge"
        client.log = open(hub.folder / "bridges.log", "ab")
        client.process = await asyncio.create_subprocess_exec(
            hub.binary, "stdio", "--data-dir", str(hub.data), "--transcripts", str(hub.notes), env=hub.environment,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=client.log, limit=LONGEST_LINE)
        client.reader = asyncio.create_task(client.read_lines())
        if is_old:
            await client.ask("initialize", {"protocolVersion": OLD, "capabilities": {}, "clientInfo": CLIENT})
            await client.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        else:
            await client.listen("", resourcesListChanged=True)
        return client

    async def say(self, message: dict) -> None:
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        await self.process.stdin.drain()

    async def read_lines(self) -> None:
        while line := await self.process.stdout.readline():
            self.take(None, json.loads(line))

    async def ask(self, method: str, params: dict | None = None) -> dict:
        number = next(self.numbers)
        answer = self.expects(number)
        await self.say(rpc(method, self.with_meta(params), number))
        async with asyncio.timeout(30):
            return await answer

    def with_meta(self, params: dict | None) -> dict:
        if self.is_old:
            return params or {}
        return {**(params or {}), "_meta": {
            "io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": CLIENT}}

    async def listen(self, _key: str, **wanted) -> None:
        """Asks for some notifications; the answer comes only at the end."""
        await self.say(rpc("subscriptions/listen", self.with_meta({"notifications": wanted}), next(self.numbers)))
        await self.hears(LISTENING, 1, 0)

    async def subscribe(self, uri: str) -> dict:
        if self.is_old:
            return await super().subscribe(uri)
        await self.listen(uri, resourceSubscriptions=[uri])
        return {"result": {}}

    async def end(self) -> None:
        self.process.stdin.close()
        await self.process.wait()
        await self.reader
        self.log.close()
