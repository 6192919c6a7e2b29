# What leaves the guest besides its calls: the lines that a program prints, and its failure as strings.
from __future__ import annotations

import io
import itertools
import sys
from types import TracebackType
from typing import Any, Callable, Iterator, Optional

from .calls import ToolError

_max_name_length = 200
_max_message_length = 20_000
_deepest_stack = 50


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


class Stopped(BaseException):
    """Unwinds a program whose outcome the host already knows."""


def to_failure(error: BaseException, file_name: str) -> dict[str, str]:
    """Positions in the program of that file name; innermost first."""
    error = _only_cause(error)
    message = _message_of(error)
    places = list(_places(error, file_name))
    places.reverse()
    return {
        "name": error.name[:_max_name_length] if isinstance(error, ToolError) else type(error).__name__[:_max_name_length],
        "message": message[:_max_message_length],
        "stack": "\n".join(places[:_deepest_stack]),
        "code": _code_of(error),
    }


def _code_of(error: BaseException) -> str:
    code = getattr(error, "code", "") if isinstance(error, (ToolError, OSError)) else ""
    return code[:100] if isinstance(code, str) else ""


def _only_cause(error: BaseException) -> BaseException:
    """A task group turns a single failure into a group of one."""
    inner: Any = getattr(error, "exceptions", None)
    while isinstance(inner, tuple) and len(inner) == 1 and isinstance(inner[0], BaseException):
        error = inner[0]
        inner = getattr(error, "exceptions", None)
    return error


def _message_of(error: BaseException) -> str:
    try:
        if isinstance(error, SyntaxError):
            return str(error.msg)
        inner: Any = getattr(error, "exceptions", None)
        if isinstance(inner, tuple):
            parts = "; ".join(f"{type(one).__name__}: {one}" for one in inner[:10])
            return f"{error} {parts}"
        return str(error)
    except BaseException:
        return "The program raised something that cannot be shown"


def _places(error: BaseException, file_name: str) -> Iterator[str]:
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        place = code.co_filename
        if place == file_name or place.startswith(("mcp_tools/", "skills/")):
            column = _column_of(trace)
            name = "program.py" if place == file_name else place
            yield f"    at {code.co_name} ({name}:{trace.tb_lineno}{'' if column is None else f':{column}'})"
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename == file_name and error.lineno is not None:
        yield f"    at program.py:{error.lineno}:{error.offset or 1}"


def _column_of(trace: TracebackType) -> Optional[int]:
    if sys.version_info < (3, 11):
        return None
    positions = itertools.islice(trace.tb_frame.f_code.co_positions(), max(0, trace.tb_lasti) // 2, None)
    for _line, _end_line, column, _end_column in positions:
        return None if column is None else column + 1
    return None
