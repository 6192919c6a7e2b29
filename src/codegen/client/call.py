# Calls tools: inside mcp-coordinator directly, in a project of your own through mcp-coordinator, which is started once.
from __future__ import annotations

import atexit
import json
import keyword
import os
import shutil
import subprocess
import sys
import threading
from queue import Queue
from typing import Annotated, Any, Dict, List, Mapping, Optional, Sequence, TypeVar

T = TypeVar("T")

#: The value itself; in a program that uses `await`, something that can be awaited too.
Answer = Annotated[T, "can be awaited"]

#: Where the library was generated, relative to this file.
PLACE: Dict[str, Any] = {}

NAME = "mcp-coordinator"
HERE = os.path.dirname(os.path.realpath(__file__))


class ToolError(Exception):
    """A call that was refused or failed. `code` is for programs, `hint` the next step for a person."""

    def __init__(self, code: str, message: str, hint: Optional[str] = None, run_id: Optional[str] = None) -> None:
        super().__init__(f"{message}. {hint}" if hint else message)
        self.code = code
        self.hint = hint
        self.run_id = run_id


def _not_found(state: str) -> ToolError:
    return ToolError(
        "COORDINATOR_NOT_FOUND",
        f"Cannot start {NAME}: {state}",
        'Install it with "npm install -g ." in its checkout, '
        "or set MCP_COORDINATOR_COMMAND to the path of its program.",
    )


def _to_command(path: str) -> List[str]:
    return ["node", path] if path.endswith((".mjs", ".cjs", ".js")) else [path]


def _find_command() -> List[str]:
    """The one that the environment names, that of the project, or the one on the search path."""
    named = os.environ.get("MCP_COORDINATOR_COMMAND", "").strip()
    if named:
        return _to_command(named)
    for start in (HERE, os.getcwd()):
        folder = start
        while True:
            found = shutil.which(NAME, path=os.path.join(folder, "node_modules", ".bin"))
            if found:
                return [found]
            parent = os.path.dirname(folder)
            if parent == folder:
                break
            folder = parent
    on_path = shutil.which(NAME)
    if on_path is None:
        raise _not_found("it is not installed here")
    return [on_path]


def _list_words() -> List[str]:
    folder = os.path.join(HERE, PLACE["folder"]) if "folder" in PLACE else os.getcwd()
    words = ["serve", "--calls", "--project" if PLACE.get("isProject") else "--folder", os.path.normpath(folder)]
    for path in [] if os.environ.get("MCP_SERVERS_CONFIG") else PLACE.get("config", []):
        words += ["--config", os.path.normpath(os.path.join(HERE, path))]
    return words


class _Connection:
    def __init__(self) -> None:
        try:
            self.child = subprocess.Popen(
                [*_find_command(), *_list_words()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
            )
        except OSError as error:
            raise _not_found(str(error)) from error
        self.lock = threading.Lock()
        self.count = 0
        self.waiting: Dict[int, "Queue[Dict[str, Any]]"] = {}
        self.is_open = True
        threading.Thread(target=self._read, daemon=True).start()
        atexit.register(self.close)

    def _read(self) -> None:
        assert self.child.stdout is not None
        for line in self.child.stdout:
            answer = json.loads(line)
            with self.lock:
                queue = self.waiting.pop(answer.get("id"), None)
            if queue is not None:
                queue.put(answer)
        code = self.child.wait()
        with self.lock:
            self.is_open = False
            waiting = list(self.waiting.values())
            self.waiting.clear()
        for queue in waiting:
            message = f"Cannot finish the call: {NAME} ended with exit code {code}"
            hint = "Its messages are above. The next call starts it again."
            queue.put({"error": {"code": "COORDINATOR_ENDED", "message": message, "hint": hint}})

    def call(self, server: str, tool: str, arguments: Mapping[str, Any]) -> Any:
        queue: "Queue[Dict[str, Any]]" = Queue()
        with self.lock:
            self.count += 1
            request = {"id": self.count, "server": server, "tool": tool, "arguments": arguments}
            line = json.dumps(request, allow_nan=False)
            self.waiting[self.count] = queue
            assert self.child.stdin is not None
            try:
                self.child.stdin.write(f"{line}\n")
                self.child.stdin.flush()
            except OSError:
                pass  # The reader reports that it ended.
        answer = queue.get()
        error = answer.get("error")
        if error is not None:
            raise ToolError(error["code"], error["message"], error.get("hint"), error.get("runId"))
        return answer.get("value")

    def close(self) -> None:
        atexit.unregister(self.close)
        if self.child.stdin is not None and not self.child.stdin.closed:
            try:
                self.child.stdin.close()
            except OSError:
                pass
        self.child.wait()


_connection: Optional[_Connection] = None
_opening = threading.Lock()


def close() -> None:
    """Ends mcp-coordinator before this process ends. The next call starts it again."""
    global _connection
    with _opening:
        if _connection is not None:
            _connection.close()
        _connection = None


def _to_arguments(values: Sequence[Any], fields: Mapping[str, Any]) -> Dict[str, Any]:
    if len(values) > 1 or not all(isinstance(one, Mapping) for one in values):
        raise TypeError("expected keyword arguments or one dictionary")
    given = dict(values[0]) if values else {}
    for name, value in fields.items():
        # A field with the name of a keyword is written with an underscore: `from_`.
        is_keyword = name.endswith("_") and keyword.iskeyword(name[:-1])
        given[name[:-1] if is_keyword else name] = value
    return given


def call(server: str, tool: str, values: Sequence[Any], fields: Mapping[str, Any]) -> Any:
    """Calls a tool by the name that its server uses."""
    global _connection
    inside = getattr(sys.modules.get("__main__"), "call_tool", None)
    if inside is not None:
        return inside(server, tool, *values, **fields)
    arguments = _to_arguments(values, fields)
    with _opening:
        if _connection is None or not _connection.is_open:
            _connection = _Connection()
    return _connection.call(server, tool, arguments)
