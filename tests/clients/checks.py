"""Counts what holds. The last line of a script says how much did, and how much did not."""
from __future__ import annotations

import asyncio
import sys
import time
import traceback
from collections.abc import Awaitable, Callable


class Checks:
    """What has held so far, and what has not."""

    def __init__(self) -> None:
        self.passed = self.failed = 0

    def check(self, rule: str, holds: bool, detail: object = "") -> None:
        """Counts one rule; one that does not hold is printed with the detail."""
        if holds:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAILED: {rule}\n  {str(detail)[:2000]}", file=sys.stderr)


def run(script: Callable[[Checks], Awaitable[None]], seconds: float) -> int:
    """Runs a script for so long at most, and prints its last line; gives the exit status."""
    checks = Checks()

    async def within_time() -> None:
        async with asyncio.timeout(seconds):
            await script(checks)

    try:
        asyncio.run(within_time())
    except Exception:
        checks.check(f"the script comes to its end in {seconds} s", False, traceback.format_exc()[-2000:])
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


async def settles(ask: Callable[[], Awaitable], holds: Callable[[object], bool], seconds: float):
    """What is told as soon as it holds, or in the end: of something that comes to rest by itself."""
    end = time.monotonic() + seconds
    while not holds(told := await ask()) and time.monotonic() < end:
        await asyncio.sleep(0.05)
    return told


async def comes_true(condition: Callable[[], bool], seconds: float) -> bool:
    """Whether a condition outside of our reach (a file that somebody writes) comes to hold in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.02)
    return True
