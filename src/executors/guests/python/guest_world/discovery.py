# The functions with which a program explores the catalog, by themselves and together as the module `runtime`.
from __future__ import annotations

import copy
import types
from typing import Any, Callable, Sequence

from .calls import Call, ToolError, value_of
from .tool_function import to_values
from .values import to_json

#: Reserved server name for the catalog: no configured server can have it.
discovery = "\0discovery"

runtime_name = "runtime"

_uncached = ("list_servers", "list_tools", "describe_tool", "get_tool_schema", "search_tools", "query_tool_docs",
          "search_tool_docs", "discover_servers")  # fmt: skip
#: Cached answers: the same question goes to the host only once per run.
_cached = ("discovered_servers", "describe_server", "list_loaded_server_metadata", "capability_summary")
_also_cached = ("list_servers", "list_tools", "query_tool_docs", "search_tool_docs")

Ask = Callable[[str, Sequence[Any]], Any]


class DiscoveryFunction:
    """One discovery function. The host binds its parameters, as for a tool."""

    __slots__ = ("__name__", "_ask")

    def __init__(self, name: str, ask: Ask) -> None:
        self.__name__ = name
        self._ask = ask

    def __call__(self, *values: Any, **fields: Any) -> Any:
        return self._ask(self.__name__, to_values(values, fields))

    def __repr__(self) -> str:
        return f"<function {self.__name__}>"


class Discovery:
    def __init__(self, ask: Ask, call_tool: Callable[..., Any]) -> None:
        self._ask = ask
        self._answers: dict[str, Any] = {}
        names = (*_uncached, *_cached, *(f"{name}_sync" for name in _also_cached))
        self.functions: dict[str, Any] = {
            name: DiscoveryFunction(name, ask if name in _uncached else self._recall) for name in names
        }
        self.runtime = types.ModuleType(runtime_name, "The connected servers, and functions to call their tools.")
        self.runtime.__dict__.update({**self.functions, "call_tool": call_tool, "MCPError": ToolError})
        self.functions[runtime_name] = self.runtime

    def forget(self) -> None:
        """Servers may have changed since the last run."""
        self._answers.clear()

    def _recall(self, name: str, values: Sequence[Any]) -> Any:
        key = f"{name} {to_json(list(values))}"
        if key not in self._answers:
            answer = self._ask(name[: -len("_sync")] if name.endswith("_sync") else name, values)
            self._answers[key] = value_of(answer) if type(answer) is Call else answer
        # A program may change what it was given.
        return copy.deepcopy(self._answers[key])
