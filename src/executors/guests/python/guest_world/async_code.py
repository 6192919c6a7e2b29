# Whether a program has async code, and where: inside functions or at the top level.
from __future__ import annotations

import ast
from typing import Optional, Union

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
