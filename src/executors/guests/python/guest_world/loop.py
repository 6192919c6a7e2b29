# The guest's event loop: asyncio's own, except that it waits for frames of the host instead of sockets.
from __future__ import annotations

import asyncio
from typing import Any, Optional

from .traffic import Traffic


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
