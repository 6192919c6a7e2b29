# Persistent state as a program sees it: the `workspace` with its helpers, `memory`, and named states. With and without `await`.
from __future__ import annotations

import csv
import inspect
import io
import json
import types
from typing import Any, Callable, Iterable, Mapping, Optional, Union

from .calls import Call, value_of
from .host_files import HostFiles
from .values import to_json

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
            value = change(None if before is None else before["value"])
            if type(value) is Call:
                value = value_of(value)
            elif inspect.isawaitable(value):
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
