# Async code of a program: whether it has any, and what to do about a forgotten `await`.
from __future__ import annotations

import ast
import asyncio
import builtins
import functools
import inspect
from typing import Any, Callable, Optional, Union

from .calls import Call

_functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_async_modules = {"asyncio", "anyio"}


def uses_async(tree: ast.AST) -> bool:
    """Whether a program has any async code, so that its calls must be awaitable."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Await, ast.AsyncFor, ast.AsyncWith, ast.AsyncFunctionDef)):
            return True
        if isinstance(node, ast.comprehension) and node.is_async:
            return True
        if isinstance(node, ast.Name) and node.id in _async_modules:
            return True
        if isinstance(node, ast.Attribute) and node.attr == "run_until_complete":
            return True
        if isinstance(node, ast.ImportFrom) and node.module in _async_modules:
            return True
    return False


def has_outer(tree: ast.AST, wanted: Union[type, tuple[type, ...]]) -> bool:
    """Whether such a node is outside every function."""
    for child in ast.iter_child_nodes(tree):
        is_async_source = isinstance(child, ast.comprehension) and child.is_async
        if isinstance(child, wanted) or (is_async_source and wanted is not ast.Return):
            return True
        if not isinstance(child, (*_functions, ast.ClassDef)) and has_outer(child, wanted):
            return True
    return False


def has_outer_await(tree: ast.AST) -> bool:
    return has_outer(tree, (ast.Await, ast.AsyncFor, ast.AsyncWith))


def needs_loop(tree: ast.AST) -> bool:
    """Whether a program starts tasks outside every function, as in a notebook, without awaiting anything there."""
    names = {last_name(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    if names & {"run_until_complete", "run_forever", "Runner"} or any(is_asyncio_run(node) for node in ast.walk(tree)):
        return False
    return _has_outer_call(tree, {"create_task", "get_running_loop", "ensure_future", "current_task"})


def _has_outer_call(tree: ast.AST, names: set[str]) -> bool:
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.Call) and last_name(child.func) in names:
            return True
        if not isinstance(child, (*_functions, ast.ClassDef)) and _has_outer_call(child, names):
            return True
    return False


def is_asyncio_run(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "run"
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in _async_modules
        and len(node.args) == 1
    )


def last_name(function: ast.expr) -> Optional[str]:
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else None


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


_forgotten = 'it is a coroutine: an "await" is missing before the call that created it'


def refuse_tested(value: Any) -> Any:
    """A coroutine is always true and equals nothing. Checking whether a task exists is legitimate."""
    if inspect.iscoroutine(value):
        raise TypeError(f"Cannot use a value: {_forgotten}")
    return value


def refuse_shown(value: Any) -> Any:
    if _holds_forgotten(value):
        raise TypeError(f"Cannot use a value: {_forgotten}")
    return value


def guard_print() -> None:
    """`<coroutine object …>` looks like an answer and is none."""
    original = builtins.print

    @functools.wraps(original)
    def guarded(*values: Any, **options: Any) -> None:
        if any(map(_holds_forgotten, values)):
            raise TypeError(f"Cannot print a value: {_forgotten}")
        original(*values, **options)

    builtins.print = guarded
