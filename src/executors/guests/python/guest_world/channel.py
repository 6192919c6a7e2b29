# The guest side of the wire format in frames.mjs: two lengths, a JSON header, a text body.
from __future__ import annotations

import json
import os
import select
import struct
import threading
from typing import Any, NamedTuple, NoReturn, Optional


class Frame(NamedTuple):
    header: dict[str, Any]
    body: bytes


class Wire:
    """How a guest reaches its host. This one leads nowhere: a run is rehearsed on it."""

    def send(self, header: dict[str, Any], body: bytes = b"") -> None:
        json.dumps(header).encode()

    def receive(self, timeout: Optional[float] = None) -> Optional[Frame]:
        """The next frame; None on timeout or after another thread called `wake`."""
        return None

    def wake(self) -> None:
        """Ends a `receive` that waits on another thread."""

    def is_sending(self) -> bool:
        """Whether a frame is half written."""
        return False

    def linger(self) -> None:
        """Discards what the host still sends. A host that writes to a guest that is gone may lose the guest's last frame."""


_prefix = struct.Struct("<II")
_chunk_bytes = 1 << 16
_linger_milliseconds = 100


class Channel(Wire):
    """Frames over descriptors. Any thread may write, but only one may read at a time."""

    def __init__(self, read_from: int, write_to: int) -> None:
        self._read_from = read_from
        self._write_to = write_to
        self._held = bytearray()
        self._write_lock = threading.Lock()
        self._poll = select.poll()
        self._poll.register(read_from, select.POLLIN)
        self._wake_from = -1
        self._wake_to = -1

    def send(self, header: dict[str, Any], body: bytes = b"") -> None:
        head = json.dumps(header, separators=(",", ":")).encode()
        frame = b"".join((_prefix.pack(len(head), len(body)), head, body))
        with self._write_lock:
            rest = memoryview(frame)
            while rest:
                rest = rest[os.write(self._write_to, rest) :]

    def receive(self, timeout: Optional[float] = None) -> Optional[Frame]:
        while (frame := self._take_held()) is None:
            # Without a timeout and other threads, a blocking read is enough.
            has_to_poll = timeout is not None or threading.active_count() > 1
            if has_to_poll and not self._is_readable(timeout):
                return None
            self._read_some()
        return frame

    def skip_past(self, mark: bytes) -> None:
        """Skips input meant for a previous guest: everything before the mark."""
        while (at := self._held.find(mark)) < 0:
            del self._held[: -len(mark)]
            self._read_some()
        del self._held[: at + len(mark)]

    def wake(self) -> None:
        if self._wake_to >= 0:
            os.write(self._wake_to, b"\0")

    def is_sending(self) -> bool:
        return self._write_lock.locked()

    def linger(self) -> None:
        poll = select.poll()
        poll.register(self._read_from, select.POLLIN)
        try:
            while poll.poll(_linger_milliseconds) and os.read(self._read_from, _chunk_bytes):
                pass
        except OSError:
            pass

    def _is_readable(self, timeout: Optional[float]) -> bool:
        if self._wake_from < 0 and threading.active_count() > 1:
            self._wake_from, self._wake_to = os.pipe()
            self._poll.register(self._wake_from, select.POLLIN)
        milliseconds = None if timeout is None else max(0.0, timeout * 1000)
        ready = {fd for fd, _ in self._poll.poll(milliseconds)}
        if self._wake_from in ready:
            os.read(self._wake_from, 4096)
        return self._read_from in ready

    def _read_some(self) -> None:
        chunk = os.read(self._read_from, _chunk_bytes)
        if not chunk:
            # The host is gone. Not a normal end: a supervisor must not start another guest.
            os._exit(1)
        self._held += chunk

    def _wanted(self) -> int:
        if len(self._held) < _prefix.size:
            return _prefix.size
        lengths: tuple[int, int] = _prefix.unpack_from(self._held)
        return _prefix.size + sum(lengths)

    def _take_held(self) -> Optional[Frame]:
        held = self._held
        wanted = self._wanted()
        if len(held) < wanted or wanted == _prefix.size:
            return None
        body_at = _prefix.size + _prefix.unpack_from(held)[0]
        header = json.loads(held[_prefix.size : body_at])
        body = bytes(memoryview(held)[body_at:wanted])
        del held[:wanted]
        return Frame(header, body)


def leave() -> NoReturn:
    os._exit(0)
