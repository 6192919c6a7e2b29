# Compiles a program: top-level `await` and `return` work, the last expression is its value.
from __future__ import annotations

import ast
import contextlib
import inspect
import types
from typing import Any, Coroutine, Iterator, NamedTuple, Optional, Union

from .async_code import has_outer, has_outer_await, needs_loop, refuse_shown, refuse_tested, uses_async
from .calls import Call, ToolError, settled
from .plan import DiscardedCalls
from .repeatable import ask_clock, install_clock
from .rewrite import (
    SettleCalls,
    refuse_shown_name,
    refuse_tested_name,
    settle_async_name,
    settle_name,
    to_awaitable_name,
)

_value_name = "__value__"
_main_name = "__program__"


class Program(NamedTuple):
    """What is executed, and how.

    is_async: its tool calls are awaitables; without async code they simply block. is_wrapped: it is the body of a
    function. is_inside_loop: it has no `await` itself, but needs a running loop.
    """

    code: types.CodeType
    is_async: bool
    is_wrapped: bool
    is_inside_loop: bool


def compile_program(text: str, file_name: str, is_plan: bool = False) -> Program:
    """Raises SyntaxError with a position in the text, ToolError if it is nested too deeply."""
    with _nesting_refused():
        return _compile_program(text, file_name, is_plan)


@contextlib.contextmanager
def _nesting_refused() -> Iterator[None]:
    try:
        yield
    except (RecursionError, MemoryError):
        # Python's parser reports excessive nesting as a lack of memory.
        message = "Cannot compile the program: it is nested too deeply or too complex. Split it into several statements"
        raise ToolError(message, "PROGRAM_INVALID") from None


def _compile_program(text: str, file_name: str, is_plan: bool) -> Program:
    tree = ask_clock(ast.parse(text, file_name), text)
    discarded = DiscardedCalls(tree, has_value=True) if is_plan else None
    is_async = uses_async(tree)
    is_awaiting = has_outer_await(tree)
    is_inside_loop = is_async and not is_awaiting and needs_loop(tree)
    is_wrapped = has_outer(tree, ast.Return)
    if is_async:
        tree = SettleCalls(tree).visit(tree)
    if is_wrapped:
        tree.body = [_wrap(tree.body, is_awaiting)]
    elif tree.body and isinstance(tree.body[-1], ast.Expr):
        last = tree.body[-1]
        target = ast.Name(id=_value_name, ctx=ast.Store())
        tree.body[-1] = ast.copy_location(ast.Assign(targets=[target], value=last.value), last)
    if discarded is not None:
        discarded.mark()
    ast.fix_missing_locations(tree)
    code = compile(tree, file_name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    return Program(code, is_async, is_wrapped, is_inside_loop)


def start_program(program: Program, world: dict[str, Any]) -> Union[Any, Coroutine[Any, Any, Any]]:
    """Runs a program to its end, or returns the coroutine that does."""
    _install_settlers(world)
    return _start_later(program, world) if program.is_inside_loop else _start(program, world)


def start_module(text: str, file_name: str, world: dict[str, Any], is_plan: bool = False) -> None:
    """Runs a module of the library. Its calls are settled as in a program with async code, which may use it."""
    with _nesting_refused():
        tree = ask_clock(ast.parse(text, file_name), text)
        discarded = DiscardedCalls(tree, has_value=False) if is_plan else None
        tree = SettleCalls(tree).visit(tree)
        if discarded is not None:
            discarded.mark()
        tree = ast.fix_missing_locations(tree)
        code = compile(tree, file_name, "exec", dont_inherit=True)
    _install_settlers(world)
    exec(code, world)


def _install_settlers(world: dict[str, Any]) -> None:
    world[settle_name] = settled
    world[settle_async_name] = _settle_async
    world[to_awaitable_name] = _to_awaitable
    world[refuse_tested_name] = refuse_tested
    world[refuse_shown_name] = refuse_shown
    install_clock(world)


async def _start_later(program: Program, world: dict[str, Any]) -> Any:
    return _start(program, world)


def _start(program: Program, world: dict[str, Any]) -> Any:
    result = eval(program.code, world)
    if program.is_wrapped:
        return world.pop(_main_name)()
    if inspect.iscoroutine(result):
        return _value_after(result, world)
    return world.pop(_value_name, None)


async def _value_after(main: Coroutine[Any, Any, Any], world: dict[str, Any]) -> Any:
    await main
    return world.pop(_value_name, None)


def _wrap(body: list[ast.stmt], is_awaiting: bool) -> ast.stmt:
    """The body of a function that assigns what the program assigns: its names stay those of the module."""
    if isinstance(body[-1], ast.Expr):
        body[-1] = ast.copy_location(ast.Return(value=body[-1].value), body[-1])
    kept = [_without_annotation(statement) for statement in body]
    names = sorted(_names_bound_by(body))
    declared: list[ast.stmt] = [ast.Global(names=names)] if names else []
    kind = ast.AsyncFunctionDef if is_awaiting else ast.FunctionDef
    empty = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    made = kind(name=_main_name, args=empty, body=[*declared, *kept], decorator_list=[], returns=None)
    if "type_params" in kind._fields:
        made.type_params = []  # type: ignore[union-attr]
    return ast.copy_location(made, body[0])


def _without_annotation(node: ast.stmt) -> ast.stmt:
    """A name declared global may not be annotated."""
    stripped: ast.stmt = _StripAnnotations().visit(node)
    return stripped


class _StripAnnotations(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.AST) -> ast.AST:
        return node

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_FunctionDef

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign(targets=[node.target], value=node.value), node)


def _names_bound_by(body: list[ast.stmt]) -> set[str]:
    names: set[str] = set()

    def look(node: Optional[ast.AST]) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
            return
        if isinstance(node, ast.Lambda):
            return
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            names.add(node.id)
        elif isinstance(node, ast.alias) and node.name != "*":
            names.add(node.asname or node.name.split(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name is not None:
            names.add(node.name)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            names.update(node.names)
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            # It has its own names; only `:=` reaches out of it.
            for inner in ast.walk(node):
                if isinstance(inner, ast.NamedExpr) and isinstance(inner.target, ast.Name):
                    names.add(inner.target.id)
            return
        # A match statement binds plain strings.
        for field in ("name", "rest"):
            text = getattr(node, field, None)
            if type(node).__name__.startswith("Match") and isinstance(text, str):
                names.add(text)
        if node is not None:
            for child in ast.iter_child_nodes(node):
                look(child)

    for statement in body:
        look(statement)
    return names


async def _settle_async(value: Any) -> Any:
    return await value if type(value) is Call else value


def _to_awaitable(value: Any) -> Any:
    return value if inspect.isawaitable(value) else _already(value)


async def _already(value: Any) -> Any:
    return value


class World:
    """The names that a program has without an import. Names that an earlier run of the session defined stay its own."""

    def __init__(self) -> None:
        self._given: dict[str, Any] = {}

    def give(self, names: dict[str, Any], values: dict[str, Any], functions: dict[str, Any]) -> None:
        """`values` replace those given before; `functions` stay once they exist."""
        for name, value in values.items():
            if name not in names or names[name] is self._given.get(name):
                names[name] = self._given[name] = value
        for name, function in functions.items():
            names.setdefault(name, function)
