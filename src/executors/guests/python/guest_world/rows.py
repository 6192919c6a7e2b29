# Lists from answers: `rows` makes one of any answer, `paginate` one of all pages of a tool. Nothing here knows a server.
from __future__ import annotations

import json
import re
from typing import Any, Callable, Iterator, Mapping, Optional

from .calls import settled
from .handles import Ask
from .tool_function import ToolFunction
from .values import to_json


def rows(answer: Any = None) -> list[Any]:
    """An answer as a list: a list stays, nothing is an empty list, anything else is its only item."""
    answer = settled(answer)
    if answer is None or answer == "":
        return []
    if isinstance(answer, (list, tuple)):
        return list(answer)
    if isinstance(answer, str):
        try:
            return [json.loads(line) for line in answer.split("\n") if line.strip() != ""]
        except ValueError:
            return [answer]
    return [answer]


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


_cursor_parameters = set(
    "cursor pagetoken nextpagetoken nexttoken nextcursor continuationtoken continuation startingafter startcursor after marker token".split()
)
_page_parameters = set("page pagenumber pagenum pageno pageindex currentpage".split())
_offset_parameters = set("offset skip start startindex startat startrow from".split())
_size_parameters = set("limit pagesize perpage size count maxresults maxcount first top take rows".split())
_next_fields = set(
    "nextcursor nextpagetoken nexttoken nextpage continuationtoken continuation endcursor nextmarker nextoffset".split()
)
_more_fields = set("hasmore hasnextpage hasnext more istruncated truncated".split())
_total_fields = set("total totalcount totalresults totalitems totalrows".split())
_pages_fields = set("totalpages pagecount pages lastpage".split())
_item_fields = "items results data rows records entries values nodes edges list".split()


def _read_fields(answer: Any) -> dict[str, Any]:
    """The fields of an answer and of the objects in it, by name without case and marks."""
    found: dict[str, Any] = {}
    if not isinstance(answer, dict):
        return found
    for name, value in answer.items():
        if isinstance(value, dict):
            for inner, held in value.items():
                found.setdefault(_plain(inner), held)
        found[_plain(name)] = value
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_boolean(value: Any) -> bool:
    return isinstance(value, bool)


def _is_cursor(value: Any) -> bool:
    return (isinstance(value, str) and value != "") or _is_number(value)


def _find_field(fields: dict[str, Any], names: set[str], is_fit: Callable[[Any], bool]) -> Any:
    return next((value for name, value in fields.items() if name in names and is_fit(value)), None)


def _find_name(properties: Mapping[str, Any], given: Mapping[str, Any], names: set[str]) -> Optional[str]:
    return next((name for name in [*properties, *given] if _plain(name) in names), None)


def _read_items(answer: Any) -> list[Any]:
    """The items of one page: the answer itself, its list under a usual name, or its only list."""
    if not isinstance(answer, dict):
        return rows(answer)
    lists = [name for name, value in answer.items() if isinstance(value, list)]
    name = next((one for one in _item_fields if one in lists), lists[0] if len(lists) == 1 else None)
    if name is not None:
        return list(answer[name])
    inner = next((one for one in _item_fields if isinstance(answer.get(one), dict)), None)
    return [answer] if inner is None else _read_items(answer[inner])


def _default_of(properties: Mapping[str, Any], given: Mapping[str, Any], name: str, fallback: Any) -> Any:
    if given.get(name) is not None:
        return given[name]
    declared = properties.get(name)
    value = declared.get("default") if isinstance(declared, Mapping) else None
    return fallback if value is None else value


def _to_next(
    given: dict[str, Any], properties: Mapping[str, Any], answer: Any, items: list[Any], seen: int
) -> Optional[dict[str, Any]]:
    """The arguments of the next page; None after the last one. `seen`: items so far."""
    fields = _read_fields(answer)
    more = _find_field(fields, _more_fields, _is_boolean)
    cursor = _find_field(fields, _next_fields, _is_cursor)
    if more is False or len(items) == 0:
        return None
    page = _find_name(properties, given, _page_parameters)
    offset = _find_name(properties, given, _offset_parameters)
    if cursor is not None:
        name = _find_name(properties, given, _cursor_parameters)
        if name is None and _is_number(cursor):
            name = page or offset
        return None if name is None or given.get(name) == cursor else {**given, name: cursor}
    total = _find_field(fields, _total_fields, _is_number)
    size = _find_name(properties, given, _size_parameters)
    wanted = None if size is None else _default_of(properties, given, size, None)
    if more is not True:
        # Without a word about the rest, a page that is not full is the last one.
        is_last = seen >= total if total is not None else isinstance(wanted, (int, float)) and len(items) < wanted
        if is_last:
            return None
    if page is not None:
        at = int(_default_of(properties, given, page, 0 if "index" in page.lower() else 1))
        pages = _find_field(fields, _pages_fields, _is_number)
        return None if pages is not None and at >= pages else {**given, page: at + 1}
    if offset is None:
        return None
    return {**given, offset: int(_default_of(properties, given, offset, 0)) + len(items)}


def create_paginate(ask: Ask) -> Callable[..., Iterator[Any]]:
    """`ask`: a function of the catalog, to find out which parameters a tool has."""

    def read_parameters(tool: Any) -> Mapping[str, Any]:
        if type(tool) is not ToolFunction:
            return {}
        schema = settled(ask("get_tool_schema", [tool._server, tool.__name__]))
        return schema.get("properties") or {}

    def paginate(tool: Callable[..., Any], args: Optional[Mapping[str, Any]] = None, **fields: Any) -> Iterator[Any]:
        """Iterates over the items of all pages."""
        arguments: Optional[dict[str, Any]] = {**(args or {}), **fields}
        properties = read_parameters(tool)
        before = ""
        seen = 0
        while arguments is not None:
            answer = settled(tool(arguments))
            text = to_json(answer)
            # A tool that ignores the parameter would return the same page forever.
            if text == before:
                return
            before = text
            items = _read_items(answer)
            yield from items
            seen += len(items)
            arguments = _to_next(arguments, properties, answer, items, seen)

    return paginate
