# Waiting in one run: the event loop, blocking calls and other threads wait for frames of the host instead of sockets.
from __future__ import annotations

import asyncio
import sys
import threading
import time
from typing import Any, Callable, Optional

from .channel import Frame, Wire

deadlock_message = "The program waits for something that can never happen: no tool call or timer is pending"


class Deadlock(RuntimeError):
    """Nothing is pending that could end the wait."""


Deadlock.__name__ = Deadlock.__qualname__ = "RuntimeError"


class Traffic:
    """One reader at a time: the first to wait reads for all, the others wait for what it finds."""

    def __init__(self, wire: Wire, take: Callable[[Frame], None], is_anything_under_way: Callable[[], bool]) -> None:
        self._wire = wire
        self._take = take
        self._is_anything_under_way = is_anything_under_way
        self._turn = threading.Condition()
        self._is_reading = False
        self.is_waiting = False

    def wait(self, is_over: Callable[[], bool], timeout: Optional[float] = None) -> None:
        """Returns when `is_over`, on timeout, or after a wake; raises Deadlock if none of these can happen."""
        end = None if timeout is None else time.monotonic() + timeout
        with self._turn:
            while not is_over():
                if timeout is None and not self._is_anything_under_way() and threading.active_count() == 1:
                    raise Deadlock(deadlock_message)
                if self._is_reading:
                    self._turn.wait(timeout)
                else:
                    self._read_one(timeout)
                if end is not None:
                    timeout = end - time.monotonic()
                    if timeout <= 0:
                        return

    def wake(self) -> None:
        """Makes a waiting thread check again."""
        self._wire.wake()
        with self._turn:
            self._turn.notify_all()

    def _read_one(self, timeout: Optional[float]) -> None:
        is_main = threading.current_thread() is threading.main_thread()
        self._is_reading = True
        self._turn.release()
        try:
            # A signal's exception in the middle of a read would lose bytes: while this is set, the signal waits.
            self.is_waiting = is_main
            frame = self._wire.receive(timeout)
        finally:
            self.is_waiting = False
            self._turn.acquire()
            self._is_reading = False
            self._turn.notify_all()
        if frame is not None:
            self._take(frame)


def is_pooled(thread: threading.Thread) -> bool:
    """Executor threads wait for more work until the interpreter exits."""
    pool = sys.modules.get("concurrent.futures.thread")
    return pool is not None and thread in getattr(pool, "_threads_queues", {})


class _FrameSelector:
    """Takes the place of asyncio's selector. Handling a frame puts its results into the loop's queue."""

    def __init__(self, loop: GuestLoop, traffic: Traffic) -> None:
        self._loop = loop
        self._traffic = traffic

    def select(self, timeout: Optional[float]) -> list[Any]:
        ready = self._loop._ready  # type: ignore[attr-defined]
        if timeout == 0:
            # Already ready; still read frames, or a busy loop would never see an answer.
            self._traffic.wait(lambda: False, 0)
        else:
            self._traffic.wait(lambda: len(ready) > 0, timeout)
        return []

    def close(self) -> None:
        pass


class GuestLoop(asyncio.BaseEventLoop):
    def __init__(self, traffic: Traffic) -> None:
        super().__init__()
        self._traffic = traffic
        self._selector = _FrameSelector(self, traffic)

    def _process_events(self, event_list: list[Any]) -> None:
        pass

    def _write_to_self(self) -> None:
        self._traffic.wake()


def install_loop(traffic: Traffic) -> GuestLoop:
    """Every event loop that a program creates is one of ours; the returned one is the program's own."""

    def new_event_loop() -> GuestLoop:
        return GuestLoop(traffic)

    asyncio.new_event_loop = new_event_loop
    asyncio.events.new_event_loop = new_event_loop
    loop = new_event_loop()
    asyncio.set_event_loop(loop)
    return loop
