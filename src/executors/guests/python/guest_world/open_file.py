# `open` for files of the workspace: Python's own file objects over content that the host holds.
from __future__ import annotations

import errno
import functools
import io
import threading
import weakref
from typing import Any, Callable, Optional

from .calls import settled
from .workspace import HostFiles, part_length

_collecting = threading.local()


class _Reader(io.RawIOBase):
    """Reads chunks on demand: a large file is never in memory as a whole."""

    def __init__(self, files: HostFiles, path: str) -> None:
        self._files = files
        self._path = path
        self._at = 0
        self._start = 0
        self._stamp: Any = None
        self._part = self._fetch(0)

    def _fetch(self, at: int) -> bytes:
        found = self._files.ask("read", self._path, "latin1", at, self._stamp)
        if found is None and self._stamp is None:
            found = self._files.ask("read", self._path, "latin1", at)
        if found is None:
            raise OSError(errno.EBUSY, f'Cannot continue reading "{self._path}": it was changed')
        content, next_at, stamp = found
        self._start = at
        self._is_whole = at == 0 and next_at is None
        # A file that arrived whole is not requested again.
        self._stamp = stamp or None
        return str(content).encode("latin-1")

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        inside = self._at - self._start
        if not 0 <= inside < len(self._part):
            if self._is_whole:
                return 0
            self._part = self._fetch(self._at)
            inside = 0
        piece = self._part[inside : inside + len(buffer)]
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)

    def seek(self, offset: int, whence: int = 0) -> int:
        if whence == 2:
            end = len(self._part) if self._is_whole else int(self._files.ask("stat", self._path)["bytes"])
            offset += end
        elif whence == 1:
            offset += self._at
        if offset < 0:
            raise OSError(errno.EINVAL, "Cannot seek before the beginning of the file")
        self._at = offset
        return offset

    def tell(self) -> int:
        return self._at


class _Draft(io.RawIOBase):
    """Written content: the host gets it on flush or close, either all of it or what was appended since the last time."""

    def __init__(self, files: HostFiles, path: str, mode: str) -> None:
        self._files = files
        self._path = path
        self._can_read = "+" in mode
        self._is_appending = "a" in mode
        self._is_new = "x" in mode
        facts = self._look()
        if facts is not None and self._is_new:
            raise FileExistsError(errno.EEXIST, f'Cannot create "{path}": it already exists')
        if facts is None and "r" in mode:
            self._files.ask("read", path, "latin1")
        is_read = facts is not None and ("r" in mode or mode.startswith("a+"))
        self._content = bytearray(files.read(path) if is_read else b"")
        #: Bytes of the file that come before the content.
        self._before = int(facts["bytes"]) if facts is not None and self._is_appending and not is_read else 0
        self._at = len(self._content) if self._is_appending else 0
        #: How much of the content the host's file already has; 0 if it must be written as a whole.
        self._known = len(self._content)
        # A file opened for writing exists, even if nothing is written.
        self._is_changed = "r" not in mode and (facts is None or not self._is_appending)

    def _look(self) -> Any:
        try:
            facts = self._files.ask("stat", self._path)
        except FileNotFoundError:
            return None
        if facts["kind"] == "folder":
            raise IsADirectoryError(errno.EISDIR, f'Cannot write "{self._path}": it is a folder')
        return facts

    def readable(self) -> bool:
        return self._can_read

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._content[self._at : self._at + len(buffer)]
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)

    def write(self, data: Any) -> int:
        piece = bytes(data)
        if self._is_appending:
            self._at = len(self._content)
        if self._at > len(self._content):
            self._content.extend(bytes(self._at - len(self._content)))
        if self._at < self._known:
            self._known = 0
        self._content[self._at : self._at + len(piece)] = piece
        self._at += len(piece)
        self._is_changed = True
        return len(piece)

    def truncate(self, size: Optional[int] = None) -> int:
        size = self._at if size is None else size
        if size < len(self._content):
            del self._content[size:]
            self._known = 0
        else:
            self._content.extend(bytes(size - len(self._content)))
        self._is_changed = True
        return size

    def seek(self, offset: int, whence: int = 0) -> int:
        base = {0: -self._before, 1: self._at, 2: len(self._content)}[whence]
        self._at = max(0, base + offset)
        return self._before + self._at

    def tell(self) -> int:
        return self._before + self._at

    def sync(self) -> None:
        if not self._is_changed:
            return
        self._is_changed = False
        content, known, is_new = bytes(self._content), self._known, self._is_new
        self._known, self._is_new = len(content), False
        if self._is_appending or known > 0:
            text = content[known:].decode("latin-1")
            send = functools.partial(self._files.append, self._path, text, "latin1")
        else:
            text = content.decode("latin-1")
            send = functools.partial(self._files.write, self._path, text, "latin1", is_new)
        if getattr(_collecting, "is_on", False):
            self._files.later(send)
        else:
            settled(send())

    def close(self) -> None:
        if not self.closed:
            try:
                self.sync()
            finally:
                super().close()


def _close_late(file: Any) -> None:
    """A file that nobody closed is still saved, as soon as the host can be reached."""
    _collecting.is_on = True
    try:
        file.close()
    except BaseException:
        pass
    finally:
        _collecting.is_on = False


class _ClosedLate:
    def __del__(self) -> None:
        _close_late(self)


class _Synced(_ClosedLate):
    """Over a `_Draft`: what is flushed reaches the host."""

    def flush(self) -> None:
        super().flush()  # type: ignore[misc]
        self.raw.sync()  # type: ignore[attr-defined]


class _Writer(_Synced, io.BufferedWriter):
    pass


class _Editor(_Synced, io.BufferedRandom):
    pass


class _Text(_ClosedLate, io.TextIOWrapper):
    pass


class OpenFile:
    """`open`: the host serves files of the workspace, all others are opened as before."""

    def __init__(self, files: HostFiles, real: Callable[..., Any]) -> None:
        self._files = files
        self._real = real
        self._written: weakref.WeakSet[Any] = weakref.WeakSet()

    def __call__(
        self,
        file: Any,
        mode: str = "r",
        buffering: int = -1,
        encoding: Optional[str] = None,
        errors: Optional[str] = None,
        newline: Optional[str] = None,
        closefd: bool = True,
        opener: Any = None,
    ) -> Any:
        path = self._files.path_of(file)
        if path is None or not isinstance(mode, str):
            return self._real(file, mode, buffering, encoding, errors, newline, closefd, opener)
        kind = _check_mode(mode, buffering)
        is_binary = "b" in mode
        raw: Any = _Reader(self._files, path) if kind == "r" else _Draft(self._files, path, kind)
        raw.name, raw.mode = file, f"{kind[0]}b{kind[1:]}"
        if is_binary and buffering == 0:
            return raw
        size = part_length
        buffered: Any
        if kind == "r":
            buffered = io.BufferedReader(raw, size)
        else:
            buffered = _Editor(raw, size) if "+" in kind else _Writer(raw, size)
            self._written.add(buffered)
        if is_binary:
            return buffered
        text = (io.TextIOWrapper if kind == "r" else _Text)(
            buffered, encoding or "utf-8", errors, newline, line_buffering=buffering == 1
        )
        text.mode = mode  # type: ignore[misc]
        if kind != "r":
            self._written.add(text)
        return text

    def keep(self, report: Callable[[str], None]) -> None:
        """The same at the end of a program that failed, as far as that works."""
        try:
            self.flush()
        except Exception as error:
            report(f"A file was not written: {error}")

    def flush(self) -> None:
        """Saves what was written so far to files that are still open."""
        for file in list(self._written):
            if not file.closed:
                file.flush()
        self._files.do_late()


def _check_mode(mode: str, buffering: int) -> str:
    signs = set(mode)
    kinds = [sign for sign in "rwax" if sign in signs]
    if len(signs) != len(mode) or signs - set("rwaxbt+") or len(kinds) != 1 or {"b", "t"} <= signs:
        raise ValueError(f"invalid mode: '{mode}'")
    if buffering == 0 and "b" not in signs:
        raise ValueError("can't have unbuffered text I/O")
    return kinds[0] + ("+" if "+" in signs else "")
