# The coordinator of a run under the names that programs for other systems use: `from mcp_coordinator import Coordinator`.
from __future__ import annotations

from typing import Any, Callable, Optional, Sequence

#: Where such programs import it from.
coordinator_package = "mcp_coordinator"

Ask = Callable[..., Any]


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
