"""The smallest clients there are, on bare sockets, so that a test decides itself what it sends, reads and leaves out."""
from __future__ import annotations

import asyncio
import json
import socket
import struct
import uuid
from pathlib import Path

MODERN, OLD = "2026-07-28", "2025-11-25"
# Whoever reads nothing shall have room for little.
SMALL_BUFFER = 4096
# No answer that a test waits for takes so long, whatever else the machine does.
ANSWER_SECONDS = 40
CLIENT = {"name": "raw", "version": "1"}
LINE_LIMIT = 16 << 20


class Line:
    """One connection of HTTP/1.1."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter):
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port: int, *, is_small: bool = False) -> Line:
        """To the port; with a small buffer if nobody is going to read."""
        sock = socket.socket()
        sock.setblocking(False)
        if is_small:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
        return cls(*await asyncio.open_connection(sock=sock, limit=SMALL_BUFFER if is_small else LINE_LIMIT))

    @classmethod
    async def open_local(cls, path: Path) -> Line:
        """To a socket of this machine."""
        return cls(*await asyncio.open_unix_connection(str(path), limit=LINE_LIMIT))

    async def send(self, request: bytes) -> None:
        self.writer.write(request)
        await self.writer.drain()

    async def head(self) -> tuple[int, dict[str, str]]:
        """The status and the headers of an answer."""
        async with asyncio.timeout(ANSWER_SECONDS):
            lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
        return int(lines[0].split()[1]), headers

    async def chunks(self):
        """The body of an answer of unknown length, piece by piece."""
        while True:
            size = int(await self.reader.readline(), 16)
            chunk = await self.reader.readexactly(size + 2)
            if size == 0:
                return
            yield chunk[:-2]

    async def answer(self) -> tuple[int, dict[str, str], bytes]:
        """A whole answer."""
        status, headers = await self.head()
        async with asyncio.timeout(ANSWER_SECONDS):
            if headers.get("transfer-encoding") == "chunked":
                body = b"".join([chunk async for chunk in self.chunks()])
            else:
                body = await self.reader.readexactly(int(headers.get("content-length", 0)))
        return status, headers, body

    async def ask(self, request: bytes) -> tuple[int, dict[str, str], bytes]:
        await self.send(request)
        return await self.answer()

    def close(self) -> None:
        """As a program does that ends: in order if everything was read, else with a reset."""
        self.writer.transport.abort()

    def reset(self) -> None:
        """At once, whatever was read."""
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()


def http(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    """One request."""
    lines = [f"{method} {path} HTTP/1.1", "host: 127.0.0.1", "accept: application/json, text/event-stream"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if body:
        lines += ["content-type: application/json", f"content-length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def rpc(method: str, params: dict | None = None, number: int | str | None = 1) -> dict:
    """One message of JSON-RPC; without a number, a notification."""
    identity = {} if number is None else {"id": number}
    return {"jsonrpc": "2.0", **identity, "method": method, "params": params or {}}


def modern(tool: str, arguments: dict) -> bytes:
    """A call of a tool without a session, as the newest revision has it."""
    meta = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": CLIENT}
    body = json.dumps(rpc("tools/call", {"name": tool, "arguments": arguments, "_meta": meta})).encode()
    return http("POST", "/mcp", body, mcp_protocol_version=MODERN, mcp_method="tools/call", mcp_name=tool)


def api(tool: str, arguments: dict) -> bytes:
    """A call as the terminal commands make it over the local socket."""
    return http("POST", f"/api/tools/{tool}", json.dumps(arguments).encode())


def result_of(body: bytes) -> dict:
    """What a tool has answered over MCP, as one JSON body or as a stream of events."""
    text = body.decode()
    events = [line[5:] for line in text.splitlines() if line.startswith("data:")] if "data:" in text else [text]
    answers = [message for message in map(json.loads, filter(str.strip, events)) if "result" in message]
    if not answers:
        raise RuntimeError(f"no result: {text[:500]}")
    return json.loads("".join(content["text"] for content in answers[-1]["result"]["content"]))


class Session:
    """A session of an older revision over HTTP."""

    def __init__(self, port: int, name: str):
        self.port, self.name = port, name

    @classmethod
    async def start(cls, port: int, **capabilities: dict) -> Session:
        params = {"protocolVersion": OLD, "capabilities": capabilities, "clientInfo": CLIENT}
        line = await Line.open(port)
        _, headers, _ = await line.ask(http("POST", "/mcp", json.dumps(rpc("initialize", params)).encode()))
        session = cls(port, headers["mcp-session-id"])
        ready = json.dumps(rpc("notifications/initialized", number=None)).encode()
        await line.ask(session.request("POST", ready))
        line.close()
        return session

    def request(self, method: str, body: bytes = b"") -> bytes:
        return http(method, "/mcp", body, mcp_session_id=self.name, mcp_protocol_version=OLD)

    def call(self, tool: str, arguments: dict) -> bytes:
        """A call of a tool. Its number is new, as the protocol wants it."""
        params = {"name": tool, "arguments": arguments}
        return self.request("POST", json.dumps(rpc("tools/call", params, str(uuid.uuid4()))).encode())

    async def stream(self, *, is_small: bool = False) -> Line:
        """The stream on which the client listens."""
        line = await Line.open(self.port, is_small=is_small)
        await line.send(self.request("GET"))
        await line.head()
        return line

    async def end(self) -> None:
        line = await Line.open(self.port)
        await line.ask(self.request("DELETE"))
        line.close()


async def open_sse(port: int, *, is_small: bool = False) -> tuple[Line, str]:
    """The stream of the old SSE transport, and the address for messages, after the handshake."""
    line = await Line.open(port, is_small=is_small)
    await line.send(http("GET", "/sse"))
    await line.head()
    address = (await anext(line.chunks())).decode().split("data: ")[1].split("\n")[0]
    params = {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": CLIENT}
    await tell(port, address, rpc("initialize", params, 0))
    await anext(line.chunks())
    await tell(port, address, rpc("notifications/initialized", number=None))
    return line, address


async def tell(port: int, address: str, message: dict) -> None:
    """Posts one message of an SSE client."""
    line = await Line.open(port)
    await line.ask(http("POST", address, json.dumps(message).encode()))
    line.close()


async def open_bridge(socket_path: Path) -> Line:
    """A bridge that has greeted the hub, and whose client has introduced itself."""
    line = await Line.open_local(socket_path)
    hello = {"protocol": 1, "version": "1", "bridge": str(uuid.uuid4()), "folders": [], "client": None}
    params = {"protocolVersion": OLD, "capabilities": {}, "clientInfo": CLIENT}
    await line.send(json.dumps(hello).encode() + b"\n")
    await line.reader.readline()
    await line.send(json.dumps(rpc("initialize", params, 0)).encode() + b"\n")
    await line.reader.readline()
    await line.send(json.dumps(rpc("notifications/initialized", number=None)).encode() + b"\n")
    return line
