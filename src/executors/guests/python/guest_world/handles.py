# Values stored on the host: a program holds handles, reads parts of them, and passes them on as if they were the values.
from __future__ import annotations

import base64
import os
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence, Union

from .calls import settled
from .values import marking, to_json

_page_size = 500

Ask = Callable[..., Any]


class StoreArguments(list[Any]):
    """The values of a call whose answer is to be stored."""


class ValueHandle:
    """A value stored on the host. As a tool argument it stands for its content."""

    def __init__(self, ask: Ask, facts: Mapping[str, Any]) -> None:
        self._ask = ask
        self._facts = dict(facts)
        self.id = str(facts["id"])
        self.kind = str(facts["kind"])
        self.bytes = int(facts["bytes"])
        self.count: Optional[int] = facts.get("count")
        self.name: Optional[str] = facts.get("name")
        self.mime_type: Optional[str] = facts.get("mimeType")

    def peek(self) -> Any:
        return self._ask("peek", [self.id])

    def page(self, options: Optional[Mapping[str, Any]] = None, **fields: Any) -> Any:
        return self._ask("page", [self.id, {**(options or {}), **fields}])

    def query(self, asked: Union[str, Mapping[str, Any], None] = None, **fields: Any) -> Any:
        return self._ask("query", [self.id, _to_query(asked, fields)])

    def load(self) -> Any:
        """Fetches the whole value."""
        return self._ask("load", [self.id])

    def __iter__(self) -> Iterator[Any]:
        """Items, fields or lines, fetched page by page."""
        for offset in range(0, self.count or 0, _page_size):
            page = settled(self.page(offset=offset, limit=_page_size))
            yield from page.split("\n") if isinstance(page, str) else page.items() if isinstance(page, dict) else page

    def __plain__(self) -> dict[str, Any]:
        if marking.mark == "":
            return self._facts
        marking.is_used = True
        return {marking.mark: self.id}

    def __repr__(self) -> str:
        return to_json(self._facts)


def _to_query(asked: Union[str, Mapping[str, Any], None], fields: dict[str, Any]) -> Any:
    if isinstance(asked, str):
        return {"path": asked, **fields} if fields else asked
    return {**(asked or {}), **fields}


def _id_of(handle: Any) -> Any:
    handle = settled(handle)
    if isinstance(handle, ValueHandle):
        return handle.id
    return handle.get("id") if isinstance(handle, dict) else handle


def to_arguments(values: Sequence[Any], is_marked: bool) -> str:
    """The values of a call, its handles marked by a name that only this call knows: server data cannot forge one."""
    is_stored = isinstance(values, StoreArguments)
    if not is_marked:
        return to_json(list(values), is_exact=True)
    mark = f"stored:{os.urandom(12).hex()}"
    marking.mark, marking.is_used = mark, False
    try:
        text = to_json(list(values), is_exact=True)
        if not marking.is_used and not is_stored:
            return text
        return f'{{"values":{text},"mark":"{mark}","isStored":{"true" if is_stored else "false"}}}'
    finally:
        marking.mark = ""


def create_handles(ask: Ask) -> dict[str, Any]:
    """The functions for programs; `ask` takes a name, values, and a function that converts the answer."""

    def to_handle(facts: Any) -> ValueHandle:
        return ValueHandle(ask, facts)

    def keep(value: Any = None) -> Any:
        value = settled(value)
        return value if isinstance(value, ValueHandle) else ask("keep", [value], to_handle)

    def stored(id: Any) -> Any:
        return ask("stored", [_id_of(id)], to_handle)

    def peek(handle: Any) -> Any:
        return ask("peek", [_id_of(handle)])

    def page(handle: Any, options: Optional[Mapping[str, Any]] = None, **fields: Any) -> Any:
        return ask("page", [_id_of(handle), {**(options or {}), **fields}])

    def query(handle: Any, asked: Union[str, Mapping[str, Any], None] = None, **fields: Any) -> Any:
        return ask("query", [_id_of(handle), _to_query(asked, fields)])

    def artifact(name: str, data: Any, mime_type: Optional[str] = None) -> Any:
        """A file of the run: a text, bytes, or anything that is JSON."""
        data = settled(data)
        if isinstance(data, (bytes, bytearray, memoryview)):
            data = {"base64": base64.b64encode(bytes(data)).decode()}
        return ask("artifact", [name, data, *([] if mime_type is None else [mime_type])], to_handle)

    functions = (keep, stored, peek, page, query, artifact)
    # `kept`: the former name of `stored`.
    return {**{function.__name__: function for function in functions}, "kept": stored}
