# One tool as a function of a program.
from __future__ import annotations

import keyword
from typing import Any, Callable, Optional, Protocol, Sequence

from .calls import Convert, OnProgress, values_server
from .handles import StoreArguments, ValueHandle
from .plan import ToDiscard


class StartCall(Protocol):
    def __call__(
        self,
        server: str,
        tool: str,
        values: Sequence[Any],
        is_raw: bool,
        convert: Optional[Convert] = None,
        on_progress: Optional[OnProgress] = None,
    ) -> Any: ...


class ToolFunction:
    """One tool. Keyword arguments are the fields of its one object; other arguments are passed as they are."""

    __slots__ = ("__name__", "_is_discarded", "_is_raw", "_on_progress", "_server", "_start")

    def __init__(
        self,
        start: StartCall,
        server: str,
        tool: str,
        is_raw: bool = False,
        is_discarded: bool = False,
        on_progress: Optional[OnProgress] = None,
    ) -> None:
        self._on_progress = on_progress
        self._start = start
        self._is_discarded = is_discarded
        self._server = server
        self._is_raw = is_raw
        self.__name__ = tool

    def __call__(self, *values: Any, **fields: Any) -> Any:
        given = to_values(values, fields)
        if self._is_discarded:
            given = ToDiscard(given)
        return self._start(self._server, self.__name__, given, self._is_raw, None, self._on_progress)

    @property
    def raw(self) -> ToolFunction:
        """The same tool, returning the whole MCP result."""
        return ToolFunction(self._start, self._server, self.__name__, True, False, self._on_progress)

    def with_(self, *, on_progress: Optional[OnProgress] = None) -> ToolFunction:
        """The same tool. It tells `on_progress` how far it is: `{"progress", "total", "message"}`."""
        if on_progress is not None and not callable(on_progress):
            raise TypeError("on_progress is not a function")
        return ToolFunction(self._start, self._server, self.__name__, self._is_raw, False, on_progress)

    def __getattr__(self, name: str) -> ToolFunction:
        """`github.resources.read(…)` and `github.prompts.triage(…)`, also beside a tool that has one of these names."""
        if name.startswith("_") or self.__name__ not in ("resources", "prompts"):
            raise AttributeError(name)
        return ToolFunction(self._start, self._server, f"{self.__name__}.{name}")

    def keep(self, *values: Any, **fields: Any) -> Any:
        """Calls the tool and stores its answer on the host; returns a handle to it."""
        given = StoreArguments(to_values(values, fields))
        return self._start(self._server, self.__name__, given, self._is_raw, self._to_handle, self._on_progress)

    def _to_handle(self, facts: Any) -> ValueHandle:
        return ValueHandle(to_ask(self._start), facts)

    def __repr__(self) -> str:
        return f"<tool {self._server}.{self.__name__}>"


def discarding(tool: ToolFunction) -> ToolFunction:
    """The same tool for a program that discards the answer. No method: a prompt may have its name."""
    return ToolFunction(tool._start, tool._server, tool.__name__, tool._is_raw, True)


def to_ask(start: StartCall) -> Callable[..., Any]:
    """How stored values are requested from the host."""

    def ask(name: str, values: Sequence[Any], convert: Optional[Convert] = None) -> Any:
        return start(values_server, name, values, False, convert)

    return ask


def to_values(values: Sequence[Any], fields: dict[str, Any]) -> Sequence[Any]:
    """The values of a call as sent to the host: keyword arguments are the fields of one object."""
    if not fields:
        return values
    # Python spells reserved names as `from_` and `class_`.
    named = {
        name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name: value
        for name, value in fields.items()
    }
    if len(values) == 1 and isinstance(values[0], dict):
        return [{**values[0], **named}]
    return [*values, named]
