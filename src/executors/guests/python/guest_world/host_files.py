# The workspace's files, requested from the host: whole requests and answers, and files in chunks.
from __future__ import annotations

import os
import re
from typing import Any, Callable, Optional, Protocol, Sequence

from .calls import Call, Convert, value_of

#: Reserved server name for the workspace: no configured server can have it.
workspace = "\0workspace"

#: Characters sent at once.
part_length = 1024 * 1024
#: Max rereads of a large file that changes while it is read.
_max_tries = 20

_absolute = re.compile(r"/workspace(/|$)")

Part = Sequence[Any]


class Ask(Protocol):
    def __call__(self, tool: str, values: Sequence[Any], convert: Optional[Convert] = None) -> Any: ...


class HostFiles:
    """`start` begins a request like a tool call; everything else waits for its answer."""

    def __init__(self, start: Callable[..., Any], is_running: Callable[[], bool]) -> None:
        self._start = start
        self._is_running = is_running
        self._late: list[Callable[[], None]] = []

    def start(self, tool: str, values: Sequence[Any], convert: Optional[Convert] = None) -> Any:
        self.do_late()
        return self._start(workspace, tool, values, False, convert)

    def ask(self, tool: str, *values: Any) -> Any:
        answer = self.start(tool, values)
        return value_of(answer) if type(answer) is Call else answer

    def later(self, work: Callable[[], None]) -> None:
        """For requests that cannot be made now: the garbage collector may interrupt anything."""
        self._late.append(work)

    def do_late(self) -> None:
        while self._late:
            self._late.pop(0)()

    def path_of(self, given: Any) -> Optional[str]:
        """The path to request from the host; None outside the workspace and while no program runs."""
        if isinstance(given, int) or not self._is_running():
            return None
        try:
            path = os.fsdecode(given)
        except (TypeError, ValueError):
            return None
        # The workspace is the working folder, so every relative path belongs to it.
        return path if _absolute.match(path) or not os.path.isabs(path) else None

    def read(self, path: str) -> bytes:
        first: Optional[Part] = self.ask("read", path, "latin1")
        return self.join_parts(path, "latin1", first).encode("latin-1")

    def join_parts(self, path: str, encoding: str, first: Optional[Part]) -> str:
        """The whole text that begins with this chunk, from one version of the file."""
        for _ in range(_max_tries):
            part, parts = first, []
            while part is not None:
                content, next_offset, stamp = part
                parts.append(content)
                if next_offset is None:
                    return "".join(parts)
                part = self.ask("read", path, encoding, next_offset, stamp)
            first = self.ask("read", path, encoding)
        raise OSError(f'Cannot read "{path}": it is changed faster than it can be read')

    def write(self, path: str, text: str, encoding: str, is_new: bool = False) -> Any:
        """Starts writing. A large text is written when this returns."""
        if len(text) <= part_length:
            return self.start("write", [path, text, encoding, is_new])
        upload = self.ask("startWrite", path, is_new)
        for part in _cut(text):
            self.ask("addPart", upload, part, encoding)
        return self.ask("endWrite", upload)

    def append(self, path: str, text: str, encoding: str) -> Any:
        if len(text) <= part_length:
            return self.start("append", [path, text, encoding])
        for part in _cut(text):
            self.ask("append", path, part, encoding)
        return None


def settle(answer: Any) -> None:
    """Waits for pending writes."""
    if type(answer) is Call:
        value_of(answer)


def _cut(text: str) -> list[str]:
    return [text[at : at + part_length] for at in range(0, len(text), part_length)]


