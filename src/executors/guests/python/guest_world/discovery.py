# The functions with which a program explores the catalog, by themselves, as the module `runtime` and as `Coordinator`.
from __future__ import annotations

import copy
import types
from typing import Any, Callable, Optional, Sequence

from .calls import ToolError, settled
from .tool_function import to_values
from .values import to_json

runtime_name = "runtime"
#: Where programs written for other systems import `Coordinator` from.
coordinator_package = "mcp_coordinator"

_uncached = ("list_servers", "list_tools", "describe_tool", "get_tool_schema", "search_tools", "query_tool_docs",
          "search_tool_docs", "discover_servers")  # fmt: skip
#: Cached answers: the same question goes to the host only once per run.
_cached = ("discovered_servers", "describe_server", "list_loaded_server_metadata", "capability_summary")
_also_cached = ("list_servers", "list_tools", "query_tool_docs", "search_tool_docs")

Ask = Callable[..., Any]


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
            self._answers[key] = settled(self._ask(name.removesuffix("_sync"), values))
        # A program may change what it was given.
        return copy.deepcopy(self._answers[key])


class Coordinator:
    """The coordinator that runs this program. Its servers are already configured: a path is accepted, but no file is read."""

    _ask: Ask
    _ask_skills: Ask
    call_tool: Ask

    def __init__(self, config_path: Optional[str] = None, **_options: Any) -> None:
        pass

    def generate_tools(self, force_refresh: bool = False) -> Any:
        """The number of tools that can be imported from `mcp_tools`: nothing has to be generated for that."""
        return self._ask("list_tools", [], len)

    def ensure_tools_exist(self) -> Any:
        return self._ask("list_tools", [], lambda tools: len(tools) > 0)

    def discover_servers(self, force_refresh: bool = False) -> Any:
        """Server -> its tools, its description, how many resources and prompts it has."""
        return self._ask("discover_servers", [])

    def list_servers(self) -> Any:
        return self._ask("list_servers", [])

    def list_tools(self, server_name: str) -> Any:
        return self._ask("list_tools", [server_name])

    def get_tool_schema(self, server_name: str, tool_name: str) -> Any:
        return self._ask("get_tool_schema", [server_name, tool_name])

    def save_skill(
        self, name: str, code: str, description: Optional[str] = None, tags: Optional[Sequence[str]] = None
    ) -> Any:
        skill = {"name": name, "code": code, "language": "python", "description": description, "tags": tags}
        return self._ask_skills("save", [{key: value for key, value in skill.items() if value is not None}])

    def list_skills(self) -> Any:
        return self._ask_skills("list", [])

    def get_skill(self, name: str, version: Optional[int] = None) -> Any:
        return self._ask_skills("show", [name] if version is None else [name, version])

    def search_skills(self, query: str) -> Any:
        return self._ask_skills("search", [query])

    def __getattr__(self, name: str) -> Any:
        if name in ("execute_code", "execute_file", "run_skill"):
            raise AttributeError(f'Cannot use "{name}": this program is already running: write the code here or import the skill')
        raise AttributeError(f"'Coordinator' has no attribute '{name}'")

    def close(self) -> None:
        """It belongs to the run and ends with it."""

    def __enter__(self) -> Coordinator:
        return self

    def __exit__(self, *_details: Any) -> None:
        pass

    async def __aenter__(self) -> Coordinator:
        return self

    async def __aexit__(self, *_details: Any) -> None:
        pass


def create_coordinator(ask: Ask, ask_skills: Ask, call_tool: Ask) -> type[Coordinator]:
    """Creates the class from the functions of one guest."""
    ways = {"_ask": staticmethod(ask), "_ask_skills": staticmethod(ask_skills), "call_tool": staticmethod(call_tool)}
    return type("Coordinator", (Coordinator,), ways)
