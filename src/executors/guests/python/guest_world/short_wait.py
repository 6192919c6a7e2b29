# Spins briefly while an answer is about to arrive: waking up costs both sides more time than most answers take. See short-wait.mjs.
from __future__ import annotations

import os
from time import perf_counter
from typing import Any, Callable

_max_awake = 0.001
# Spin only if recent waits were shorter than this: a busy machine has better uses for its processor.
_short = 0.0005
# A longer wait counts as this much, so that one slow answer among quick ones does not stop spinning for long.
_max_counted = 0.002
_last_weight = 0.2

# The sender may be waiting for this very processor.
_give_way: Callable[[], Any] = getattr(os, "sched_yield", lambda: None)


class ShortWait:
    def __init__(self, poll: Callable[[int], Any]) -> None:
        self._poll = poll
        self._average = 0.0
        self._began = 0.0

    def begin(self) -> None:
        """Returns when there is something to read, or when blocking is the better way to wait."""
        began = self._began = perf_counter()
        if self._average > _short:
            return
        poll = self._poll
        while not poll(0) and perf_counter() - began < _max_awake:
            _give_way()

    def end(self) -> None:
        """Notes that the answer was read."""
        waited = min(perf_counter() - self._began, _max_counted)
        self._average += (waited - self._average) * _last_weight
