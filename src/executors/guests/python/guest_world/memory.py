# The memory limit of a guest process, enforced by the kernel: private memory beyond what the interpreter started with.
from __future__ import annotations

import os

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
