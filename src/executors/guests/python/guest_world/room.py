# Tracks how much of a run's `bytesInFlight` its calls use: a call waits until the host has room for its arguments.
# While it waits, answers are read: a host that cannot deliver its answers would never get room.
from __future__ import annotations

import threading
from typing import Any

# As in frames.mjs: the fixed cost of a call.
_call_overhead_bytes = 256


class Room:
    def __init__(self) -> None:
        # Any thread may make calls.
        self._lock = threading.Lock()
        self._costs: dict[Any, int] = {}
        self._taken = 0
        self._bytes = 0
        self.max_arguments = 0

    def open(self, limits: dict[str, int]) -> None:
        self._costs.clear()
        self._taken = 0
        self._bytes = limits["bytesInFlight"]
        self.max_arguments = limits["argumentBytes"]

    def has_room(self, argument_bytes: int) -> bool:
        return self._taken == 0 or self._taken + argument_bytes + _call_overhead_bytes <= self._bytes

    def take(self, call: int, argument_bytes: int) -> None:
        with self._lock:
            self._costs[call] = argument_bytes + _call_overhead_bytes
            self._taken += self._costs[call]

    def free(self, call: Any) -> None:
        with self._lock:
            self._taken -= self._costs.pop(call, 0)
