"""A client that reads only what it is told to: what it leaves stays in the buffers of the system, and of the hub."""
from __future__ import annotations

import asyncio
import socket
from pathlib import Path

from raw import ANSWER_SECONDS, SMALL_BUFFER

FIRST_FIELD = b"active_turn"
PEEK_SECONDS = 0.01


class Deaf:
    """One connection without a reader behind it."""

    def __init__(self, sock: socket.socket):
        self._sock = sock

    @classmethod
    async def open(cls, port: int) -> Deaf:
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
        return await cls._connected(sock, ("127.0.0.1", port))

    @classmethod
    async def open_local(cls, path: Path) -> Deaf:
        return await cls._connected(socket.socket(socket.AF_UNIX), str(path))

    @classmethod
    async def _connected(cls, sock: socket.socket, address) -> Deaf:
        sock.setblocking(False)
        await asyncio.get_running_loop().sock_connect(sock, address)
        return cls(sock)

    async def send(self, request: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self._sock, request)

    async def has_answer(self) -> None:
        """Waits until the answer to a wait for a turn has begun, and leaves it there. The head may come long before."""
        async with asyncio.timeout(ANSWER_SECONDS):
            while FIRST_FIELD not in self._peek():
                await asyncio.sleep(PEEK_SECONDS)

    def _peek(self) -> bytes:
        try:
            return self._sock.recv(SMALL_BUFFER, socket.MSG_PEEK)
        except BlockingIOError:
            return b""

    async def read_a_little(self, size: int = 1000) -> bytes:
        return await asyncio.get_running_loop().sock_recv(self._sock, size)

    def close(self) -> None:
        """As a program does that dies: its system resets the connection if something is unread."""
        self._sock.close()
