"""Clients of MCP on bare sockets that hear what the hub tells by itself: over streamable HTTP with a session, over SSE, and
as the newest revision has it, without a session."""
from __future__ import annotations

import asyncio
import itertools
import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "faults"))
from raw import ANSWER_SECONDS, CLIENT, MODERN, OLD, Line, Session, http, open_sse, rpc, tell

NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
LISTENING = "notifications/subscriptions/acknowledged"


class Wire:
    """What all clients have: numbers for their requests, and ears."""

    name = ""
    # Whether the revision has sessions, in which one subscribes and sets a level of logging.
    is_old = True

    def __init__(self, port: int):
        self.port = port
        self.numbers = itertools.count(1)
        self.told: list[dict] = []
        self.news = asyncio.Event()
        self.readers: dict[Line, asyncio.Task] = {}
        self.waiting: dict[int, asyncio.Future] = {}

    async def ask(self, method: str, params: dict | None = None) -> dict:
        """One request; gives the whole message with `result` or `error`, and `http` if it was refused before that."""
        raise NotImplementedError

    async def call(self, tool: str, **arguments) -> tuple[dict, bool]:
        """Calls a tool: the answer, and whether it is an error."""
        return answer_of(await self.ask("tools/call", {"name": tool, "arguments": arguments}))

    async def subscribe(self, uri: str) -> dict:
        return await self.ask("resources/subscribe", {"uri": uri})

    async def unsubscribe(self, uri: str) -> dict:
        return await self.ask("resources/unsubscribe", {"uri": uri})

    async def comes_back(self) -> None:
        """After a restart of the hub."""

    def hear(self, message: dict) -> None:
        self.told.append(message)
        self.news.set()

    def heard(self, method: str, uri: str | None = None) -> list[dict]:
        """What it was told since the last look, and takes it."""
        found = [message for message in self.told if message.get("method") == method
                 and (uri is None or message["params"]["uri"] == uri)]
        self.told = [message for message in self.told if message not in found]
        return found

    async def hears(self, method: str, count: int, seconds: float, uri: str | None = None) -> list[dict]:
        """What it is told: until it is so many, and then for so long, in which nothing more may come."""
        found: list[dict] = []
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                while len(found) < count:
                    self.news.clear()
                    found += self.heard(method, uri)
                    if len(found) < count:
                        await self.news.wait()
        except TimeoutError:
            return found
        await asyncio.sleep(seconds)
        return found + self.heard(method, uri)

    def listen_to(self, line: Line, messages) -> None:
        """Hears what comes on a stream until it ends."""
        self.readers[line] = asyncio.create_task(self.read(messages))

    async def read(self, messages) -> None:
        try:
            async for number, message in messages:
                self.take(number, message)
        except (OSError, EOFError, ValueError):
            return

    def take(self, _number: str | None, message: dict) -> None:
        """An answer goes to whoever waits for it; all else is heard."""
        waiting = self.waiting.pop(message.get("id"), None)
        if waiting and "method" not in message:
            waiting.set_result(message)
        else:
            self.hear(message)

    def expects(self, number: int) -> asyncio.Future:
        """The answer to a request, when it comes."""
        self.waiting[number] = asyncio.get_running_loop().create_future()
        return self.waiting[number]

    def drop(self, line: Line) -> None:
        self.readers.pop(line).cancel()
        line.close()

    def close(self) -> None:
        for line in list(self.readers):
            self.drop(line)


def answer_of(message: dict) -> tuple[dict, bool]:
    """What a tool has answered, and whether that is an error."""
    if "result" not in message:
        raise RuntimeError(f"no result: {str(message)[:500]}")
    result = message["result"]
    return json.loads("".join(content["text"] for content in result["content"])), result.get("isError", False)


async def events(line: Line):
    """The events of a stream: the id, if it has one, and the message."""
    text = ""
    async for chunk in line.chunks():
        text += chunk.decode()
        while "\n\n" in text:
            event, text = text.split("\n\n", 1)
            fields = dict(field.split(":", 1) for field in event.split("\n") if ":" in field and field[0] != ":")
            if fields.get("data", "").strip():
                yield fields.get("id", "").strip() or None, json.loads(fields["data"])


class Streamable(Wire):
    """A session of an older revision over HTTP."""

    name = "streamable"

    @classmethod
    async def open(cls, port: int) -> Streamable:
        client = cls(port)
        client.session = await Session.start(port)
        client.last_event = None
        await client.listen()
        return client

    @staticmethod
    async def greet(port: int, params: dict) -> dict:
        """The first words of a client; gives the answer."""
        line = await Line.open(port)
        await line.send(http("POST", "/mcp", json.dumps(rpc("initialize", params)).encode()))
        return await answered(line, 1, lambda _: None)

    async def ask(self, method: str, params: dict | None = None) -> dict:
        number = next(self.numbers)
        line = await Line.open(self.port)
        await line.send(self.session.request("POST", json.dumps(rpc(method, params, number)).encode()))
        return await answered(line, number, self.hear)

    async def listen(self) -> None:
        """Opens the stream on which the hub tells by itself; goes on after what was seen last."""
        self.stream = await Line.open(self.port)
        headers = {"last_event_id": self.last_event} if self.last_event else {}
        request = http("GET", "/mcp", mcp_session_id=self.session.name, mcp_protocol_version=OLD, **headers)
        await self.stream.send(request)
        status, _ = await self.stream.head()
        if status != 200:
            raise RuntimeError(f"no stream: {status}")
        self.listen_to(self.stream, events(self.stream))

    def take(self, number: str | None, message: dict) -> None:
        self.last_event = number or self.last_event
        self.hear(message)

    async def cut(self) -> None:
        """The stream breaks off."""
        self.drop(self.stream)

    async def comes_back(self) -> None:
        await self.cut()
        await self.listen()


class Sse(Wire):
    """The old transport: one stream for all that comes."""

    name = "sse"

    @classmethod
    async def open(cls, port: int) -> Sse:
        client = cls(port)
        await client.comes_back()
        return client

    @staticmethod
    async def greet(port: int, params: dict) -> dict:
        """The first words of a client; gives the answer."""
        line = await Line.open(port)
        await line.send(http("GET", "/sse"))
        await line.head()
        address = (await anext(line.chunks())).decode().split("data: ")[1].split("\n")[0]
        await tell(port, address, rpc("initialize", params))
        async with asyncio.timeout(ANSWER_SECONDS):
            _, message = await anext(events(line))
        line.close()
        return message

    async def comes_back(self) -> None:
        self.close()
        self.line, self.address = await open_sse(self.port)
        self.listen_to(self.line, events(self.line))

    async def ask(self, method: str, params: dict | None = None) -> dict:
        number = next(self.numbers)
        answer = self.expects(number)
        message = rpc(method, params, number)
        line = await Line.open(self.port)
        status, _, body = await line.ask(http("POST", self.address, json.dumps(message).encode()))
        line.close()
        if status >= 300:
            return {**json.loads(body), "http": status}
        async with asyncio.timeout(ANSWER_SECONDS):
            return await answer


class Modern(Wire):
    """The newest revision: each request stands alone, and each subscription is a request that stays open."""

    name, is_old = MODERN, False
    path = "/mcp"

    @classmethod
    async def open(cls, port: int) -> Modern:
        client = cls(port)
        client.listening = {}
        await client.listen("", resourcesListChanged=True)
        return client

    def request(self, method: str, params: dict | None, number: int) -> bytes:
        meta = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": CLIENT}
        params = {**(params or {}), "_meta": meta}
        named = params.get(NAMED.get(method, ""))
        headers = {"mcp_name": named} if isinstance(named, str) else {}
        body = json.dumps(rpc(method, params, number)).encode()
        return http("POST", self.path, body, mcp_protocol_version=MODERN, mcp_method=method, **headers)

    async def ask(self, method: str, params: dict | None = None) -> dict:
        number = next(self.numbers)
        line = await Line.open(self.port)
        await line.send(self.request(method, params, number))
        return await answered(line, number, self.hear)

    async def listen(self, key: str, **wanted) -> dict:
        """Opens a stream for some notifications; gives what was accepted."""
        line, number = await Line.open(self.port), next(self.numbers)
        await line.send(self.request("subscriptions/listen", {"notifications": wanted}, number))
        await line.head()
        stream = events(line)
        async with asyncio.timeout(ANSWER_SECONDS):
            _, first = await anext(stream)
        self.listen_to(line, stream)
        await self.unsubscribe(key)
        self.listening[key] = line
        return first

    async def subscribe(self, uri: str) -> dict:
        """An error, if the hub has not accepted it."""
        first = await self.listen(uri, resourceSubscriptions=[uri])
        accepted = first.get("params", {}).get("notifications", {}).get("resourceSubscriptions")
        is_accepted = first.get("method") == LISTENING and accepted == [uri]
        return {"result": {}} if is_accepted else {"error": {"code": -32602, "message": f"not accepted: {first}"}}

    async def unsubscribe(self, uri: str) -> dict:
        if line := self.listening.pop(uri, None):
            self.drop(line)
        return {"result": {}}

    async def comes_back(self) -> None:
        for key in list(self.listening):
            await (self.subscribe(key) if key else self.listen("", resourcesListChanged=True))


async def answered(line: Line, number: int, hear) -> dict:
    """The answer to a request that stands alone on its connection."""
    status, headers = await line.head()
    async with asyncio.timeout(ANSWER_SECONDS):
        if headers.get("transfer-encoding") == "chunked" and "event-stream" in headers.get("content-type", ""):
            async for _, message in events(line):
                if message.get("id") == number and "method" not in message:
                    line.close()
                    return message
                hear(message)
            raise RuntimeError("the stream has ended without an answer")
        if headers.get("transfer-encoding") == "chunked":
            body = b"".join([chunk async for chunk in line.chunks()])
        else:
            body = await line.reader.readexactly(int(headers.get("content-length", 0)))
    line.close()
    return json.loads(body) if status < 300 else {**json.loads(body or b"{}"), "http": status}
