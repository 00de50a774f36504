"""Counts what holds. The last line of a script says how much did, and how much did not."""
from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable


class Checks:
    def __init__(self) -> None:
        self.passed = self.failed = 0

    def check(self, rule: str, holds: bool, detail: object = "") -> None:
        """Counts one rule; one that does not hold is printed with the detail."""
        if holds:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAILED: {rule}\n  {str(detail)[:2000]}", file=sys.stderr)

    def finish(self) -> int:
        """Prints the last line; gives the exit status."""
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0


async def comes_true(condition: Callable[[], bool], seconds: float) -> bool:
    """Whether a condition outside of our reach (a file that somebody writes) comes to hold in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.02)
    return True
