# What a program prints: every `print` is one line for the host.
from __future__ import annotations

import io
from typing import Callable


class LogStream(io.TextIOBase):
    """Replaces stdout or stderr. Text without a line end waits for the rest of its line."""

    def __init__(self, send: Callable[[str], None], max_held: Callable[[], int]) -> None:
        self._send = send
        self._max_held = max_held
        self._held: list[str] = []
        self._size = 0
        self.buffer = _ByteStream(self)

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if text:
            self._held.append(text)
            self._size += len(text)
            if text.endswith("\n") or self._size > self._max_held():
                self.flush_line()
        return len(text)

    def flush_line(self) -> None:
        """Sends the buffered text, finished or not."""
        if not self._held:
            return
        text = "".join(self._held)
        self._held = []
        self._size = 0
        self._send(text[:-1] if text.endswith("\n") else text)


class _ByteStream(io.RawIOBase):
    def __init__(self, stream: LogStream) -> None:
        self._stream = stream

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._stream.write(bytes(data).decode("utf-8", "replace"))
        return len(data)
