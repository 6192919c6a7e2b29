# The limits of a run inside the guest process: time and memory, enforced by the kernel, and bytes in flight.
from __future__ import annotations

import os
import signal
import threading
import types
from typing import Any, Callable, Optional

try:
    import resource
except ImportError:  # Windows and WebAssembly
    resource = None  # type: ignore[assignment]

_mebibyte = 1 << 20
_page_bytes = resource.getpagesize() if resource is not None else 4096
# Reporting how a run ended takes some memory, even at the limit.
_reserve_bytes = 16 * _mebibyte


class Memory:
    """Counts from what the process held at creation; uncounted, it sets no limit."""

    def __init__(self, is_counted: bool = True) -> None:
        self._base_data = _read_data_bytes() if is_counted else 0
        self._base_resident = 0

    def limit(self, megabytes: int) -> None:
        """Lowers the limit; a process without privileges can only lower it."""
        # Measured here and not at creation: a fork starts with less than its parent once had.
        self._base_resident = self._base_resident or _peak_bytes()
        if resource is None or self._base_data == 0:
            return
        soft = self._base_data + megabytes * _mebibyte
        hard = soft + _reserve_bytes
        _soft_now, hard_now = resource.getrlimit(resource.RLIMIT_DATA)
        if hard_now != resource.RLIM_INFINITY and hard_now < hard:
            hard = hard_now
            soft = min(soft, hard - _reserve_bytes)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))

    def release_reserve(self) -> None:
        if resource is None or self._base_data == 0:
            return
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))

    def used_bytes(self) -> int:
        return max(0, _peak_bytes() - self._base_resident)


def _read_data_bytes() -> int:
    """Private writable memory as RLIMIT_DATA counts it; 0 where it cannot be read."""
    try:
        file = os.open("/proc/self/statm", os.O_RDONLY)
        try:
            return int(os.read(file, 200).split()[5]) * _page_bytes
        finally:
            os.close(file)
    except (OSError, ValueError, IndexError):
        return 0


def _peak_bytes() -> int:
    return 0 if resource is None else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


_again_seconds = 0.02


class Alarms:
    """Does nothing without signals: then only the host enforces the time limit."""

    def __init__(self, has_signals: bool, is_late: Callable[[str], bool]) -> None:
        """`is_late` gets the reason and stops the program; if it cannot do so yet, it returns false."""
        self._has_signals = has_signals and hasattr(signal, "setitimer")
        self._is_late = is_late

    def install(self) -> None:
        if self._has_signals:
            signal.signal(signal.SIGALRM, self._on_clock)
            signal.signal(signal.SIGPROF, self._on_processor)

    def start(self, clock_seconds: float, processor_seconds: float) -> None:
        if self._has_signals:
            signal.setitimer(signal.ITIMER_REAL, clock_seconds)
            signal.setitimer(signal.ITIMER_PROF, processor_seconds)

    def extend(self, clock_seconds: float) -> None:
        """The host stops its clock while a person is asked, and enforces the time limit."""
        if self._has_signals:
            signal.setitimer(signal.ITIMER_REAL, clock_seconds)

    def end(self) -> None:
        self.start(0, 0)

    def _on_clock(self, _signal: int, _frame: Optional[types.FrameType]) -> None:
        if not self._is_late("timeout"):
            signal.setitimer(signal.ITIMER_REAL, _again_seconds)

    def _on_processor(self, _signal: int, _frame: Optional[types.FrameType]) -> None:
        if not self._is_late("cpu"):
            signal.setitimer(signal.ITIMER_PROF, _again_seconds)


# As in frames.mjs: the fixed cost of a call.
_call_overhead_bytes = 256


class CallBudget:
    """How much of a run's `bytesInFlight` its calls use. A call waits until the host has room for its arguments, and reads
    answers meanwhile: a host that cannot deliver its answers would never get room.
    """

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
