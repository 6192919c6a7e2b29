# Handles a forgotten `await`: awaits coroutines in returned values, refuses those that a program prints, tests or formats.
from __future__ import annotations

import asyncio
import builtins
import functools
import inspect
from typing import Any, Callable

from .calls import Call

_deepest = 50


def _is_forgotten(value: Any) -> bool:
    """Excludes tool calls: they behave as their answers."""
    return type(value) is not Call and (inspect.iscoroutine(value) or isinstance(value, asyncio.Future))


def _holds_forgotten(value: Any, depth: int = 0) -> bool:
    if depth > _deepest:
        return False
    kind = type(value)
    if kind is dict:
        return any(_holds_forgotten(item, depth + 1) for item in value.values())
    if kind in (list, tuple, set, frozenset):
        return any(_holds_forgotten(item, depth + 1) for item in value)
    return _is_forgotten(value)


async def _await_all(value: Any, depth: int = 0) -> Any:
    if _is_forgotten(value):
        return await _await_all(await value, depth)
    if depth > _deepest:
        return value
    kind = type(value)
    if kind is dict:
        items = await asyncio.gather(*(_await_all(item, depth + 1) for item in value.values()))
        return dict(zip(value, items))
    if kind in (list, tuple, set, frozenset):
        return kind(await asyncio.gather(*(_await_all(item, depth + 1) for item in value)))
    return value


def await_within(value: Any, run: Callable[[Any], Any]) -> Any:
    """The value with every coroutine in it awaited; `run` runs one to its end."""
    return run(_await_all(value)) if _holds_forgotten(value) else value


_forgotten = 'Cannot use a value: it is a coroutine: an "await" is missing before the call that created it'


def refuse_tested(value: Any) -> Any:
    """A coroutine is always true and equals nothing. Checking whether a task exists is legitimate."""
    if inspect.iscoroutine(value):
        raise TypeError(_forgotten)
    return value


def refuse_shown(value: Any) -> Any:
    if _holds_forgotten(value):
        raise TypeError(_forgotten)
    return value


def guard_print() -> None:
    """`<coroutine object …>` looks like an answer and is none."""
    original = builtins.print

    @functools.wraps(original)
    def guarded(*values: Any, **options: Any) -> None:
        for value in values:
            if _holds_forgotten(value):
                raise TypeError('Cannot print a value: it is a coroutine: an "await" is missing before the call that created it')
        original(*values, **options)

    builtins.print = guarded
