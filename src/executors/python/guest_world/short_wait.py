# Stays awake while an answer is about to come: to be woken costs both sides more than most answers take. As in short-wait.mjs.
from __future__ import annotations

import os
from time import perf_counter
from typing import Any, Callable

_most_awake = 0.001
# Only where waits were shorter than this of late: a busy machine has better uses for its processor.
_short = 0.0005
# A longer wait counts as this much: after one slow answer among quick ones it soon stays awake again.
_longest_counted = 0.002
_last_weight = 0.2

# Whoever is to bring the answer may be waiting for this very processor.
_give_way: Callable[[], Any] = getattr(os, "sched_yield", lambda: None)


class ShortWait:
    def __init__(self, poll: Callable[[int], Any]) -> None:
        self._poll = poll
        self._average = 0.0
        self._began = 0.0

    def begin(self) -> None:
        """Ends when there is something to read, or when blocking is the better way to wait."""
        began = self._began = perf_counter()
        if self._average > _short:
            return
        poll = self._poll
        while not poll(0) and perf_counter() - began < _most_awake:
            _give_way()

    def end(self) -> None:
        """The answer was read."""
        waited = min(perf_counter() - self._began, _longest_counted)
        self._average += (waited - self._average) * _last_weight
