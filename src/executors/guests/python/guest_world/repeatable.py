# What makes a run reproducible: its clock reports its readings, its randomness comes from the run's seed, and progress of calls changes neither.
from __future__ import annotations

import ast
import asyncio
import contextlib
import hashlib
import json
import os
import random
import sys
import time
from typing import Any, Iterator, Optional

from .calls import Call, discovery_server

#: Max readings reported per run; later ones are not reproducible.
_max_reported = 2000
_clock_name = "__clock__"
_now_methods = frozenset(("now", "today", "utcnow"))

_real_time_ns = time.time_ns
_real_urandom = os.urandom

_is_reporting = False


class Clock:
    """Microseconds. Readings are reported with the next call, in the format of clock.mjs."""

    def __init__(self) -> None:
        self.restart("")

    def restart(self, text: str) -> None:
        known = [int(part) for part in text.split(",")] if text else [0]
        self._known_count = known[0]
        self._known = known
        self._place = 1
        self._count = 0
        self._last = 0
        self._reported: list[str] = []
        self._pairs = 0
        self._reported_count = 0
        self._is_unread = False

    @contextlib.contextmanager
    def without_readings(self) -> Iterator[None]:
        """For work that a resumed run does not repeat."""
        self._is_unread = True
        try:
            yield
        finally:
            self._is_unread = False

    def read(self) -> int:
        if self._is_unread:
            return _real_time_ns() // 1000
        value = self._recall() if self._count < self._known_count else _real_time_ns() // 1000
        if self._pairs < _max_reported:
            if value != self._last or self._count == 0:
                self._reported.append(f",{self._count},{value}")
                self._last = value
                self._pairs += 1
            self._count += 1
        return value

    def take_readings(self) -> str:
        if self._count == self._reported_count:
            return ""
        text = f"{self._count}{''.join(self._reported)}"
        self._reported_count = self._count
        self._reported.clear()
        return text

    def _recall(self) -> int:
        known = self._known
        while self._place + 2 < len(known) and known[self._place + 2] <= self._count:
            self._place += 2
        return known[self._place + 1]


class SeededBytes:
    """As unpredictable as the seed, and reproducible from it."""

    def __init__(self) -> None:
        self._seed = b""
        self._block = 0

    def restart(self, seed: str) -> None:
        self._seed = bytes.fromhex(seed)
        self._block = 0

    def read(self, size: int) -> bytes:
        if not self._seed:
            return _real_urandom(size)
        self._block += 1
        return hashlib.shake_256(self._seed + self._block.to_bytes(8, "little")).digest(size)


class Sleeps:
    """Skips past sleeps: a run that repeats its earlier calls does not wait again."""

    def __init__(self) -> None:
        self.calls_left = 0

    def shorten(self, seconds: Any) -> Any:
        return 0 if self.calls_left > 0 and seconds > 0 else seconds


clock = Clock()
sleeps = Sleeps()
_bytes = SeededBytes()


def restart(seed: Optional[str], times: str, calls: int) -> None:
    """Before a program: the same seed and the same times make it behave the same."""
    clock.restart(times)
    sleeps.calls_left = calls
    if not seed:
        return
    _bytes.restart(seed)
    random.seed(seed)
    numpy: Any = sys.modules.get("numpy.random")
    if numpy is not None:
        numpy.seed(int(seed[:8], 16))


def seed_again() -> None:
    """After a fork: it inherits its parent's random state. Python reseeds its own, numpy does not."""
    numpy: Any = sys.modules.get("numpy.random")
    if numpy is not None:
        numpy.seed(int.from_bytes(os.urandom(4), "little"))


def with_readings(header: dict[str, Any]) -> dict[str, Any]:
    """A frame's header with the clock readings since the last one."""
    # Discovery calls are in no journal.
    if header["type"] == "call" and header["server"] != discovery_server:
        sleeps.calls_left -= 1
    times = clock.take_readings()
    return {**header, "times": times} if times else header


def _seconds() -> float:
    return clock.read() / 1_000_000


def _install() -> None:
    """Once per process. Libraries that hold the old functions, or ask the system themselves, see the real time."""
    localtime, gmtime, strftime, ctime = time.localtime, time.gmtime, time.strftime, time.ctime
    time.time = _seconds
    time.time_ns = lambda: clock.read() * 1000
    time.localtime = lambda seconds=None: localtime(_seconds() if seconds is None else seconds)
    time.gmtime = lambda seconds=None: gmtime(_seconds() if seconds is None else seconds)
    time.ctime = lambda seconds=None: ctime(_seconds() if seconds is None else seconds)
    time.strftime = lambda form, moment=None: strftime(form, time.localtime() if moment is None else moment)
    sleep, sleep_async = time.sleep, asyncio.sleep

    async def sleep_once(delay: float, result: Any = None) -> Any:
        return await sleep_async(sleeps.shorten(delay), result)

    time.sleep = lambda seconds: sleep(sleeps.shorten(seconds))
    asyncio.sleep = sleep_once
    os.urandom = _bytes.read
    random._urandom = _bytes.read  # type: ignore[attr-defined]


def _read_clock(owner: Any, name: str, /, *values: Any, **named: Any) -> Any:
    """`datetime.now()` and related functions, which ask the system themselves."""
    module: Any = sys.modules.get("datetime")
    is_date = module is not None and isinstance(owner, type) and issubclass(owner, module.date)
    if not is_date:
        return getattr(owner, name)(*values, **named)
    if name == "utcnow":
        return owner.fromtimestamp(_seconds(), module.timezone.utc).replace(tzinfo=None)
    return owner.fromtimestamp(_seconds(), *values, **named)


class _AskClock(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in _now_methods:
            return node
        given: list[ast.expr] = [node.func.value, ast.Constant(value=node.func.attr), *node.args]
        call = ast.Call(func=ast.Name(id=_clock_name, ctx=ast.Load()), args=given, keywords=node.keywords)
        return ast.copy_location(call, node)


def ask_clock(tree: ast.Module, text: str) -> ast.Module:
    """Makes the program's `….now()`, `….today()` and `….utcnow()` use the run's clock if they are those of dates."""
    if not any(f".{name}(" in text for name in _now_methods):
        return tree
    rewritten: ast.Module = _AskClock().visit(tree)
    return rewritten


def install_clock(world: dict[str, Any]) -> None:
    world[_clock_name] = _read_clock


def report_progress(call: Optional[Call], body: bytes) -> None:
    """Calls the function that the program gave to `with_`. A resumed run gets no progress, so nothing that a run must repeat may depend on it."""
    global _is_reporting
    if call is None or call._on_progress is None:
        return
    _is_reporting = True
    try:
        with clock.without_readings():
            returned = call._on_progress(json.loads(body))
    finally:
        _is_reporting = False
    if asyncio.iscoroutine(returned):
        returned.close()
        raise TypeError("Cannot await on_progress: it must be a function without async")


def refuse_calls() -> None:
    """Called in a function that reports progress."""
    if _is_reporting:
        raise TypeError("Cannot call a tool in on_progress: only note or print the progress there")


_install()
