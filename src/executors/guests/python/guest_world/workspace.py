# Persistent state as a program sees it: the files of the `workspace`, `memory`, and named states. All of it is requested from the host.
from __future__ import annotations

import csv
import inspect
import io
import json
import os
import re
import types
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

from .calls import Convert, settled, workspace_server
from .values import to_json

#: Characters sent at once.
part_length = 1024 * 1024
#: Max rereads of a large file that changes while it is read.
_max_rereads = 20

_absolute = re.compile(r"/workspace(/|$)")

Part = Sequence[Any]


class HostFiles:
    """`start` begins a request like a tool call; everything else waits for its answer."""

    def __init__(self, start: Callable[..., Any], is_running: Callable[[], bool]) -> None:
        self._start = start
        self._is_running = is_running
        self._late: list[Callable[[], Any]] = []

    def start(self, tool: str, values: Sequence[Any], convert: Optional[Convert] = None) -> Any:
        self.do_late()
        return self._start(workspace_server, tool, values, False, convert)

    def ask(self, tool: str, *values: Any) -> Any:
        return settled(self.start(tool, values))

    def later(self, request: Callable[[], Any]) -> None:
        """For requests that cannot be made now: the garbage collector may interrupt anything."""
        self._late.append(request)

    def do_late(self) -> None:
        while self._late:
            settled(self._late.pop(0)())

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
        for _ in range(_max_rereads):
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


def _cut(text: str) -> list[str]:
    return [text[at : at + part_length] for at in range(0, len(text), part_length)]


module_name = "workspace"
#: Enough for heavy contention; more means that `change` causes conflicts itself.
_max_tries = 1000


def _to_python(entry: Any) -> Any:
    """Facts under Python-style names."""
    names = {"createdAt": "created_at", "updatedAt": "updated_at", "modifiedAt": "modified_at", "savedAt": "saved_at"}
    return {names.get(key, key): value for key, value in entry.items()} if isinstance(entry, dict) else entry


def _all_to_python(entries: Any) -> Any:
    return [_to_python(entry) for entry in entries]


class Memory:
    """Values that are remembered between runs, by key."""

    def __init__(self, files: HostFiles) -> None:
        self._files = files

    def save(self, key: str, value: Any, metadata: Optional[Mapping[str, Any]] = None) -> Any:
        return self._files.start("memorySave", [key, value, metadata], _to_python)

    def load(self, key: str, default: Any = None) -> Any:
        return self._files.start("memoryLoad", [key], lambda entry: default if entry is None else entry["value"])

    def update(self, key: str, change: Callable[[Any], Any]) -> Any:
        """Changes the stored value or None. Retries if another run was faster, so `change` may be called more than once."""
        if not callable(change):
            raise TypeError(f'Cannot update "{key}": expected a function that takes the current value')
        for _ in range(_max_tries):
            before = self._files.ask("memoryLoad", key)
            value = settled(change(None if before is None else before["value"]))
            if inspect.isawaitable(value):
                raise TypeError(f'Cannot update "{key}": expected a function without "async"')
            revision = None if before is None else before["revision"]
            if self._files.ask("memoryReplace", key, value, revision) is not None:
                return value
        raise RuntimeError(f'Cannot update "{key}": it was changed {_max_tries} times by others')

    def delete(self, key: str) -> Any:
        return self._files.start("memoryDelete", [key])

    def list(self, prefix: str = "") -> Any:
        return self._files.start("memoryList", [prefix], _all_to_python)

    def exists(self, key: str) -> Any:
        return self._files.start("memoryInfo", [key], lambda info: info is not None)

    def info(self, key: str) -> Any:
        return self._files.start("memoryInfo", [key], _to_python)

    def __repr__(self) -> str:
        return "<memory>"


class Workspace(types.ModuleType):
    """The files that runs share. It is also a module, so that `from workspace import memory` works."""

    def __init__(self, files: HostFiles) -> None:
        super().__init__(module_name, "The files, the memory and the states that runs share.")
        self._files = files
        self.workspace = self
        self.memory = Memory(files)

    def read_text(self, path: Any) -> Any:
        return self._read(path, lambda text: text)

    def write_text(self, path: Any, text: str) -> Any:
        if not isinstance(text, str):
            raise TypeError(f'Cannot write "{path}": expected a string, not "{type(text).__name__}"')
        return self._files.write(str(path), text, "utf8")

    def append_text(self, path: Any, text: str) -> Any:
        return self._files.append(str(path), text, "utf8")

    def read_json(self, path: Any) -> Any:
        def parse(text: str) -> Any:
            try:
                return json.loads(text)
            except ValueError as error:
                raise ValueError(f'Cannot read "{path}": it is not JSON, {error}') from None

        return self._read(path, parse)

    def write_json(self, path: Any, value: Any) -> Any:
        text = json.dumps(json.loads(to_json(value)), ensure_ascii=False, indent=2)
        return self._files.write(str(path), f"{text}\n", "utf8")

    def read_csv(self, path: Any) -> Any:
        return self._read(path, lambda text: list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"), newline=""))))

    def write_csv(self, path: Any, rows: Iterable[Union[Mapping[str, Any], Iterable[Any]]]) -> Any:
        """Rows are records, whose fields are the columns, or lists that are written as they are."""
        table: list[Any] = json.loads(to_json(rows))
        out = io.StringIO(newline="")
        if table and all(isinstance(row, list) for row in table):
            csv.writer(out, lineterminator="\n").writerows([_to_cell(cell) for cell in row] for row in table)
        else:
            header = list(dict.fromkeys(name for row in table for name in row))
            writer = csv.DictWriter(out, header, restval="", lineterminator="\n")
            writer.writeheader()
            writer.writerows({name: _to_cell(cell) for name, cell in row.items()} for row in table)
        return self._files.write(str(path), out.getvalue(), "utf8")

    def list(self, path: Any = "", recursive: bool = False) -> Any:
        return self._files.start("readdir", [str(path), recursive], _all_to_python)

    def exists(self, path: Any) -> Any:
        return self._files.start("exists", [str(path)])

    def delete(self, path: Any, recursive: bool = False) -> Any:
        """False if nothing was there."""
        is_there = self._files.ask("exists", str(path))
        return self._files.start("rm", [str(path), recursive, True], lambda _answer: is_there)

    def get_state(self, name: Optional[str] = None) -> Any:
        return self._files.start("getState", [name], _to_python)

    def save_state(self, value: Any, name: Optional[str] = None) -> Any:
        return self._files.start("saveState", [value, name])

    def functions(self) -> dict[str, Any]:
        """What a program has without an import, under all of its names."""
        memory = self.memory
        return {
            "workspace": self,
            "memory": memory,
            "get_state": self.get_state,
            "save_state": self.save_state,
            "save_memory": memory.save,
            "load_memory": memory.load,
            "update_memory": memory.update,
            "delete_memory": memory.delete,
            "list_memories": memory.list,
            "memory_exists": memory.exists,
            "get_memory_info": memory.info,
        }

    def _read(self, path: Any, convert: Callable[[str], Any]) -> Any:
        name = str(path)
        return self._files.start(
            "read", [name, "utf8"], lambda part: convert(self._files.join_parts(name, "utf8", part))
        )

    def __repr__(self) -> str:
        return "<workspace>"


def _to_cell(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, bool):
        return json.dumps(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else value
