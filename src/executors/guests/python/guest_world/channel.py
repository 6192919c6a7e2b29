# The guest side of the wire format in frames.mjs: two lengths, a JSON header, a text body.
from __future__ import annotations

import json
import os
import select
import struct
import threading
from typing import Any, NamedTuple, NoReturn, Optional, Protocol


class Frame(NamedTuple):
    header: dict[str, Any]
    body: bytes


class Wire(Protocol):
    """How a guest reaches its host: descriptors, or an imitation of them."""

    def send(self, header: dict[str, Any], body: bytes = b"") -> None: ...

    def receive(self, timeout: Optional[float] = None) -> Optional[Frame]:
        """The next frame; None on timeout or after another thread called `wake`."""

    def wake(self) -> None:
        """Ends a `receive` that waits on another thread."""

    def is_sending(self) -> bool:
        """Whether a frame is half written."""
        ...

    def linger(self) -> None:
        """Reads and discards what the host still sends. A host that writes to a guest that is gone may lose the guest's last frame."""


class DeadWire:
    """A wire that leads nowhere, for rehearsing a run."""

    def send(self, header: dict[str, Any], body: bytes = b"") -> None:
        json.dumps(header).encode()

    def receive(self, timeout: Optional[float] = None) -> Optional[Frame]:
        return None

    def wake(self) -> None:
        pass

    def is_sending(self) -> bool:
        return False

    def linger(self) -> None:
        pass


_prefix = struct.Struct("<II")
_chunk_bytes = 1 << 16
_linger_milliseconds = 100


class Channel:
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
            sent = os.write(self._write_to, frame)
            if sent < len(frame):
                rest = memoryview(frame)
                while sent < len(frame):
                    sent += os.write(self._write_to, rest[sent:])

    def receive(self, timeout: Optional[float] = None) -> Optional[Frame]:
        return self._take_held() or self._receive_next(timeout)

    def skip_past(self, mark: bytes) -> None:
        """Skips input meant for a previous guest: everything before the mark."""
        while (at := self._held.find(mark)) < 0:
            del self._held[: -len(mark)]
            chunk = os.read(self._read_from, _chunk_bytes)
            if not chunk:
                leave()
            self._held += chunk
        del self._held[: at + len(mark)]

    def _receive_next(self, timeout: Optional[float]) -> Optional[Frame]:
        frame = None
        while frame is None:
            # Without a clock and other threads a blocking read is the fastest way to wait.
            if timeout is not None or threading.active_count() > 1:
                if not self._is_readable(timeout):
                    return None
            self._read_some()
            frame = self._take_held()
        return frame

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
        wanted = self._wanted() - len(self._held)
        if wanted <= _chunk_bytes:
            chunk = os.read(self._read_from, _chunk_bytes)
            if not chunk:
                leave()
            self._held += chunk
            return
        # A large body is read into place, without a copy for each chunk.
        at = len(self._held)
        self._held += bytes(wanted)
        view = memoryview(self._held)
        try:
            while wanted > 0:
                count = os.readv(self._read_from, [view[at:]])
                if count == 0:
                    leave()
                at += count
                wanted -= count
        finally:
            view.release()
            del self._held[at:]

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
        if wanted == len(held):
            self._held = bytearray()
        else:
            del held[:wanted]
        return Frame(header, body)


def leave() -> NoReturn:
    os._exit(0)
