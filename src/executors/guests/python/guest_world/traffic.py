# Reads frames for everything that waits in one run: the event loop, blocking calls, other threads.
from __future__ import annotations

import sys
import threading
import time
from typing import Callable, Optional

from .frame import Frame, Wire

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
            frame = self._wire.receive(timeout, is_soon=timeout is None)
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
