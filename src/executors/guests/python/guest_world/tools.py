# The servers in Python: objects, modules below `mcp_tools`, and functions that call by name.
from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence

from .calls import (
    Convert,
    ToolError,
    discovery_server,
    network_server,
    own_server,
    people_server,
    plan_server,
    skills_server,
    values_server,
    workspace_server,
)
from .discovery import Discovery, coordinator_package, create_coordinator, runtime_name
from .fetch import create_fetch, to_response
from .handles import create_handles
from .plan import ToDiscard, discard_name
from .program import start_module
from .rows import create_paginate, rows
from .skills import create_save_tool, skills_name
from .tool_function import StartCall, ToolFunction, discarding, to_ask, to_values
from .workspace import HostFiles, Workspace, module_name

library_name = "mcp_tools"
#: Where programs written for similar systems look for `runtime`.
_runtime_package = "mcp"
_servers_package = f"{_runtime_package}.servers"


class Server(types.ModuleType):
    """A server: every public attribute is a tool; the host resolves names when they are called."""

    def __init__(
        self,
        start: StartCall,
        server: str,
        module_name: str,
        is_adapter: Callable[[str], bool],
        list_tools: Callable[[], list[str]],
    ) -> None:
        super().__init__(module_name, f'The tools of the server "{server}".')
        self.__dict__["__path__"] = []
        self.__dict__["_make"] = lambda tool: ToolFunction(start, server, tool)
        self.__dict__["_is_adapter"] = is_adapter
        self.__dict__["_list_tools"] = list_tools

    def __getattr__(self, name: str) -> Any:
        # `import *` asks for the list of names.
        if name == "__all__":
            return self.__dict__["_list_tools"]()
        # The import system looks here before it looks for a module of that name.
        if name.startswith("__") or self.__dict__["_is_adapter"](name):
            raise AttributeError(name)
        tool: ToolFunction = self.__dict__["_make"](name)
        self.__dict__[name] = tool
        return tool

    def __setattr__(self, name: str, value: Any) -> None:
        # A tool stays the tool when a program imports the module of the same name.
        if not isinstance(value, types.ModuleType) or self.__dict__["_is_adapter"](name):
            super().__setattr__(name, value)

    def __getitem__(self, name: str) -> ToolFunction:
        tool: ToolFunction = getattr(self, name)
        return tool

    def __repr__(self) -> str:
        return f"<server {self.__name__.rsplit('.', 1)[-1]}>"


class Servers(Mapping[str, Server]):
    """The servers by name, as `mcp_servers`."""

    def __init__(self, find: Callable[[str], Server], list_servers: Callable[[], list[str]]) -> None:
        self._find = find
        self._list_servers = list_servers

    def __getitem__(self, name: str) -> Server:
        return self._find(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._list_servers())

    def __len__(self) -> int:
        return len(self._list_servers())


class ToolLibrary(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes `mcp_tools`, its servers and the library's own files importable."""

    def __init__(self, start: StartCall, files: HostFiles) -> None:
        self._start = start
        self._workspace = Workspace(files)
        self._servers: dict[str, Server] = {}
        self._globals: dict[str, str] = {}
        self._files: dict[str, str] = {}
        self._discovery = Discovery(self._ask, self._call_tool)
        self._save_tool = create_save_tool(lambda skill: start(skills_server, "save", [skill], False))
        recalled = self._discovery.functions
        recalled["mcp_servers"] = Servers(
            lambda name: self._server(self._name_of(name)), lambda: recalled["list_servers_sync"]()
        )
        memory_functions = {name: one for name, one in self._workspace.functions().items() if "memor" in name and "_" in name}
        self._discovery.runtime.__dict__.update({**memory_functions, "save_tool": self._save_tool})
        self._coordinator = create_coordinator(self._ask, self._ask_skills, self._call_tool)
        self._values = {**create_handles(to_ask(start)), "rows": rows, "paginate": create_paginate(self._ask)}
        self._fetch = create_fetch(lambda url, request: start(network_server, "fetch", [url, request], False, to_response))

    def functions(self) -> dict[str, Any]:
        """Discovery, workspace, stored values and skills, as far as the run names them. A program's own names take precedence."""
        known = {
            discovery_server: self._discovery.functions,
            workspace_server: self._workspace.functions(),
            values_server: self._values,
            people_server: {"ask": ToolFunction(self._start, people_server, "ask")},
            skills_server: {skills_name: self._server(skills_server), "save_tool": self._save_tool},
        }
        everything = {name: value for functions in known.values() for name, value in functions.items()}
        known[own_server] = {"coordinator": types.SimpleNamespace(**everything)}
        known[plan_server] = {discard_name: self._discard}
        return {
            name: known[server][name]
            for name, server in self._globals.items()
            if server in known and name in known[server]
        }

    def use(self, named: dict[str, str], files: dict[str, str]) -> dict[str, Any]:
        """What one run may use; returns the names that need no import."""
        self._globals = named
        self._files = files
        self._discovery.forget()
        return self._names()

    def _names(self) -> dict[str, Any]:
        names: dict[str, Any] = {
            identifier: self._server(name) for identifier, name in self._globals.items() if not name.startswith("\0")
        }
        if self._globals.get("fetch") == network_server:
            names["fetch"] = self._fetch
        names["ToolError"] = ToolError
        names["call_tool"] = names["callTool"] = self._call_tool
        names["call_mcp_tool"] = names["callMCPTool"] = self._call_by_name
        return names

    def _call_tool(self, server: str, tool: str, /, *values: Any, **fields: Any) -> Any:
        return self._start(server, tool, to_values(_without_none(values), fields), False)

    def _call_by_name(self, name: str, /, *values: Any, **fields: Any) -> Any:
        return self._call_tool("", name, *values, **fields)

    @property
    def is_plan(self) -> bool:
        return self._globals.get(discard_name) == plan_server

    def _discard(self, function: Any) -> Any:
        """Wraps the callee of a call whose answer is discarded."""
        if type(function) is ToolFunction:
            return discarding(function)
        # Comparing anything else may call its `__eq__`, and a tool call would block.
        if type(function) is not types.MethodType or function not in (self._call_tool, self._call_by_name):
            return function
        is_named = function == self._call_by_name

        def call(*words: Any, **fields: Any) -> Any:
            server, tool, *values = ("", *words) if is_named else words
            return self._start(server, tool, ToDiscard(to_values(_without_none(values), fields)), False)

        return call

    def _ask(self, name: str, values: Sequence[Any], convert: Optional[Convert] = None) -> Any:
        return self._start(discovery_server, name, values, False, convert)

    def _ask_skills(self, name: str, values: Sequence[Any]) -> Any:
        return self._start(skills_server, name, values, False)

    def _server(self, name: str) -> Server:
        known = self._servers.get(name)
        if known is None:
            known = self._servers[name] = Server(
                self._start,
                name,
                f"{library_name}.{name}",
                lambda module: self._is_adapter(name, module),
                lambda: [] if name == skills_server else list(self._discovery.functions["list_tools_sync"](name)),
            )
        return known

    def _is_adapter(self, server: str, name: str) -> bool:
        if server == skills_server:
            return any(path.startswith((f"{skills_name}/{name}/", f"{skills_name}/{name}.py")) for path in self._files)
        parts = [path.split("/") for path in self._files if path.startswith(f"{library_name}/")]
        return any(
            file == f"{name}.py" and self._globals.get(package, package) == server for _top, package, file in parts
        )

    def find_spec(
        self, fullname: str, path: Optional[Sequence[str]], target: Optional[types.ModuleType] = None
    ) -> Optional[importlib.machinery.ModuleSpec]:
        own = (library_name, module_name, skills_name, _runtime_package, _servers_package, coordinator_package)
        is_ours = fullname in own or fullname.startswith((f"{library_name}.", f"{_servers_package}."))
        is_ours = is_ours or fullname == f"{_runtime_package}.{runtime_name}"
        if not is_ours and self._source_of(fullname) is None:
            return None
        is_package = f"{fullname.replace('.', '/')}.py" not in self._files
        return importlib.util.spec_from_loader(fullname, self, is_package=is_package)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Optional[types.ModuleType]:
        parts = spec.name.split(".")
        if spec.name == module_name:
            return self._workspace
        if spec.name == skills_name:
            return self._server(skills_server)
        if spec.name.startswith(f"{_servers_package}."):
            return self._server(self._name_of(parts[2])) if len(parts) == 3 else None
        if self._source_of(spec.name) is not None or len(parts) != 2 or spec.name == _servers_package:
            return None
        if parts[0] == _runtime_package or self._globals.get(parts[1]) == discovery_server:
            return self._discovery.runtime
        return self._server(self._name_of(parts[1]))

    def exec_module(self, module: types.ModuleType) -> None:
        if module in (self._discovery.runtime, self._workspace, self._servers.get(skills_server)):
            return
        name = module.__spec__.name if module.__spec__ is not None else module.__name__
        source = self._source_of(name)
        if name.startswith(f"{_servers_package}."):
            return
        if source is not None:
            # The program's own modules have the same names without an import.
            module.__dict__.update({**self._names(), **self.functions()})
            start_module(source, self._file_of(name) or name, module.__dict__, self.is_plan)
        elif len(name.split(".")) == 3:
            package = name.split(".")[1]
            module.__dict__["__getattr__"] = self._server(self._name_of(package)).__getattr__
        elif module.__name__ == library_name:
            module.__dict__.update({**self._discovery.functions, **self._values, **self._names()})
            module.__dict__["__getattr__"] = self._find_server
        elif module.__name__ == _runtime_package:
            module.__dict__[runtime_name] = self._discovery.runtime
        elif module.__name__ == _servers_package:
            module.__dict__["__getattr__"] = self._find_server
        elif module.__name__ == coordinator_package:
            module.__dict__["Coordinator"] = self._coordinator

    def _find_server(self, name: str) -> Server:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._server(self._name_of(name))

    def _name_of(self, identifier: str) -> str:
        name = self._globals.get(identifier, identifier)
        return identifier if name.startswith("\0") else name

    def _source_of(self, module_name: str) -> Optional[str]:
        file = self._file_of(module_name)
        return None if file is None else self._files[file]

    def _file_of(self, module_name: str) -> Optional[str]:
        path = module_name.replace(".", "/")
        return next((name for name in (path, f"{path}.py", f"{path}/__init__.py") if name in self._files), None)


def _without_none(values: Sequence[Any]) -> Sequence[Any]:
    return [] if list(values) == [None] else values


def install_library(start: StartCall, files: HostFiles) -> ToolLibrary:
    library = ToolLibrary(start, files)
    sys.meta_path.insert(0, library)
    return library
