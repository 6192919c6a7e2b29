# Time limits of a program, enforced by the kernel: wall-clock time and processor time.
from __future__ import annotations

import signal
import types
from typing import Callable, Optional

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

    def end(self) -> None:
        self.start(0, 0)

    def _on_clock(self, _signal: int, _frame: Optional[types.FrameType]) -> None:
        if not self._is_late("timeout"):
            signal.setitimer(signal.ITIMER_REAL, _again_seconds)

    def _on_processor(self, _signal: int, _frame: Optional[types.FrameType]) -> None:
        if not self._is_late("cpu"):
            signal.setitimer(signal.ITIMER_PROF, _again_seconds)
