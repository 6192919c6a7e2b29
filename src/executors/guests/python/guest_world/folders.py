# File system functions for the workspace: `os`, and through it `os.path`, `pathlib`, `glob`, `shutil`.
from __future__ import annotations

import builtins
import datetime
import errno
import functools
import io
import os
import pathlib
import shutil
import stat
import zlib
from typing import Any, Callable, Iterator

from .open_file import OpenFile
from .workspace import HostFiles

Facts = dict[str, Any]
#: What `os.getcwd` returns: absolute paths built with it lead back to the workspace.
working_folder = "/workspace"


def to_stat(facts: Facts) -> os.stat_result:
    is_file = facts["kind"] == "file"
    mode = (stat.S_IFREG | 0o600) if is_file else (stat.S_IFDIR | 0o700)
    moment = datetime.datetime.fromisoformat(str(facts["modifiedAt"]).replace("Z", "+00:00")).timestamp()
    # Two files must not look like one.
    number = zlib.crc32(str(facts["path"]).encode()) + 1
    return os.stat_result((mode, number, 0, 1, 0, 0, int(facts["bytes"]), moment, moment, moment))


class Entry:
    """What `os.scandir` yields."""

    __slots__ = ("_facts", "name", "path")

    def __init__(self, folder: str, facts: Facts) -> None:
        self._facts = facts
        self.name = str(facts["path"]).rsplit("/", 1)[-1]
        self.path = os.path.join(folder, self.name)

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        return bool(self._facts["kind"] == "file")

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        return bool(self._facts["kind"] == "folder")

    def is_symlink(self) -> bool:
        return False

    def is_junction(self) -> bool:
        return False

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        return to_stat(self._facts)

    def inode(self) -> int:
        return self.stat().st_ino

    def __fspath__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        return f"<DirEntry {self.name!r}>"


class Entries:
    """An iterable that can be closed, like `os.scandir`."""

    def __init__(self, entries: list[Entry]) -> None:
        self._entries = iter(entries)

    def __iter__(self) -> Iterator[Entry]:
        return self

    def __next__(self) -> Entry:
        return next(self._entries)

    def __enter__(self) -> Entries:
        return self

    def __exit__(self, *_details: Any) -> None:
        pass

    def close(self) -> None:
        pass


def install_files(files: HostFiles) -> OpenFile:
    """From now on the host serves files of the workspace; all other paths work as before."""
    ask = files.ask

    def list_names(path: str) -> list[str]:
        return [str(facts["path"]).rsplit("/", 1)[-1] for facts in ask("readdir", path, False)]

    def remove(path: str) -> None:
        ask("rm", path, False, False)

    def may(path: str, _mode: int = 0, **_options: Any) -> bool:
        return bool(ask("exists", path))

    def change_folder(path: str) -> None:
        if ask("stat", path)["path"] != "":
            raise PermissionError(errno.EACCES, f'Cannot make "{path}" the working folder: it is always the workspace')

    def nothing(_path: str, *_values: Any, **_options: Any) -> None:
        pass

    one_path: dict[str, Callable[..., Any]] = {
        "stat": lambda path: to_stat(ask("stat", path)),
        "lstat": lambda path: to_stat(ask("stat", path)),
        "listdir": list_names,
        "scandir": lambda path: Entries([Entry(path, facts) for facts in ask("readdir", path, False)]),
        "mkdir": lambda path, _mode=0o777: ask("mkdir", path, False),
        "remove": remove,
        "unlink": remove,
        "rmdir": lambda path: ask("rmdir", path),
        "access": may,
        "chdir": change_folder,
        "chmod": nothing,
        "utime": nothing,
        "listxattr": lambda _path, **_options: [],
    }
    for name, ours in one_path.items():
        if hasattr(os, name):
            setattr(os, name, _route(files, getattr(os, name), ours))
    for name in ("rename", "replace"):
        setattr(os, name, _route_two(files, getattr(os, name)))
    shutil.rmtree = _route(files, shutil.rmtree, lambda path, *_more, **_named: ask("rm", path, True, False))  # type: ignore[assignment]
    real_folder = os.getcwd
    os.getcwd = lambda: working_folder if files.path_of(".") is not None else real_folder()

    opened = OpenFile(files, builtins.open)
    builtins.open = io.open = _as_function(opened)
    _patch_old_paths()
    return opened


def _as_function(opened: OpenFile) -> Callable[..., Any]:
    """A plain function, like the one it replaces."""

    @functools.wraps(io.open)
    def open(*values: Any, **named: Any) -> Any:
        return opened(*values, **named)

    return open


def _route(files: HostFiles, real: Callable[..., Any], ours: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(real)
    def routed(path: Any = ".", *values: Any, **named: Any) -> Any:
        inner = None if named.get("dir_fd") is not None else files.path_of(path)
        if inner is None:
            return real(path, *values, **named)
        named.pop("dir_fd", None)
        named.pop("follow_symlinks", None)
        if "mode" in named:
            values = (*values, named.pop("mode"))
        return ours(inner, *values, **named)

    return routed


def _route_two(files: HostFiles, real: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(real)
    def routed(src: Any, dst: Any, **named: Any) -> Any:
        one, other = files.path_of(src), files.path_of(dst)
        if one is None and other is None:
            return real(src, dst, **named)
        if one is None or other is None:
            raise OSError(errno.EXDEV, "Cannot move a file into or out of the workspace: copy it")
        return files.ask("rename", one, other)

    return routed


def _patch_old_paths() -> None:
    """Before Python 3.11 `pathlib` held its own references to the system's functions."""
    accessor: Any = getattr(pathlib, "_NormalAccessor", None)
    names = ("stat", "lstat", "listdir", "scandir", "mkdir", "unlink", "rmdir", "rename", "replace", "getcwd")
    for name in names if accessor is not None else ():
        if hasattr(accessor, name):
            setattr(accessor, name, staticmethod(getattr(os, name)))
    if accessor is not None and hasattr(accessor, "open"):
        accessor.open = staticmethod(io.open)
