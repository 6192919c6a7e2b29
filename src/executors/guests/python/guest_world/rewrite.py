# Allows tool calls with and without `await` in one program, by rewriting its syntax tree where they are used.
#
# A program without async code needs none of this: there a call simply blocks. In one with async code a call is an
# awaitable that has already started. Where such a program uses a call as a value (an operand, a condition, something
# iterated, a statement by itself, a name that is never awaited), the call is settled there: awaited inside async code,
# waited for elsewhere. Arguments, elements and returned values stay calls, so that `gather` and `create_task` get what
# they need; a call that slips through still behaves as its answer (calls.py).
from __future__ import annotations

import ast
import builtins
from typing import Optional, Union

from .async_code import has_outer_await, is_asyncio_run, last_name

settle_name = "__settle__"
settle_async_name = "__settle_async__"
to_awaitable_name = "__to_awaitable__"
refuse_tested_name = "__refuse_tested__"
refuse_shown_name = "__refuse_shown__"

_Comprehension = Union[ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp]

_awaitable_takers = {"gather", "create_task", "ensure_future", "wait", "wait_for", "as_completed", "shield", "run",
                     "run_until_complete", "append", "add", "put", "put_nowait", "insert", "setdefault"}  # fmt: skip
_value_takers = {"print", "len", "int", "float", "list", "tuple", "set", "frozenset", "dict",
                 "sorted", "sum", "min", "max", "any", "all", "enumerate", "zip", "reversed", "isinstance", "type",
                 "abs", "round", "iter", "next", "dumps", "hasattr", "getattr"}  # fmt: skip
_text_makers = {"str", "repr", "format", "bool"}
_plain_results = {name for name in dir(builtins) if name not in {"next", "eval", "getattr", "max", "min", "sum"}}


def _names_left_as_calls(tree: ast.AST) -> set[str]:
    """Names that are awaited somewhere, or passed to something that awaits or collects."""
    calls: set[str] = set()

    def keep(node: Optional[ast.AST]) -> None:
        if isinstance(node, ast.Name):
            calls.add(node.id)
        elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            for element in node.elts:
                keep(element)
        elif isinstance(node, ast.Dict):
            for value in node.values:
                keep(value)
        elif isinstance(node, ast.Starred):
            keep(node.value)

    for node in ast.walk(tree):
        if isinstance(node, ast.Await):
            keep(node.value)
        elif isinstance(node, (ast.List, ast.Tuple, ast.Set, ast.Dict)):
            keep(node)
        elif isinstance(node, ast.Call) and last_name(node.func) in _awaitable_takers:
            for value in node.args:
                keep(value)
        elif isinstance(node, (ast.FunctionDef, ast.Lambda)):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Return):
                    keep(inner.value)
    return calls


def _is_unknown_call(node: ast.expr) -> bool:
    """A call that may return anything."""
    return isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in _plain_results)


def _names_given_calls(tree: ast.AST) -> set[str]:
    """Names that may hold a coroutine: the result of a call that was not awaited."""
    return {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and _is_unknown_call(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


class SettleCalls(ast.NodeTransformer):
    def __init__(self, tree: ast.AST) -> None:
        self._is_async = has_outer_await(tree)
        self._is_outermost = True
        self._calls = _names_left_as_calls(tree)
        self._pending = _names_given_calls(tree) - self._calls

    def _call(self, name: str, value: ast.expr, is_awaited: bool = False) -> ast.expr:
        call = ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=[value], keywords=[])
        return ast.copy_location(ast.Await(value=call) if is_awaited else call, value)

    def _settled(self, value: ast.expr) -> ast.expr:
        return self._call(settle_async_name if self._is_async else settle_name, value, self._is_async)

    def _used(self, node: ast.expr, is_name_settled: bool = False) -> ast.expr:
        """An expression whose value is needed, not a pending call."""
        if isinstance(node, ast.IfExp):
            node.test = self._tested(node.test)
            node.body = self._used(node.body, is_name_settled)
            node.orelse = self._used(node.orelse, is_name_settled)
            return node
        if isinstance(node, ast.NamedExpr):
            node.value = self._used(node.value, is_name_settled)
            return node
        is_call = _is_unknown_call(node)
        is_name = isinstance(node, (ast.Name, ast.Subscript)) and is_name_settled
        visited = self.visit(node)
        return self._settled(visited) if is_call or is_name else visited

    def _tested(self, node: ast.expr) -> ast.expr:
        """An expression used as a condition: a coroutine is always true, and nobody means that."""
        if isinstance(node, ast.BoolOp):
            node.values = [self._tested(value) for value in node.values]
            return node
        value = node.value if isinstance(node, ast.NamedExpr) else node
        is_name = isinstance(value, ast.Name) and value.id in self._pending
        used = self._used(node)
        return self._call(refuse_tested_name, used) if _is_unknown_call(value) or is_name else used

    def _shown(self, node: ast.expr) -> ast.expr:
        """An expression that becomes text: `<coroutine object …>` looks like an answer and is none."""
        used = self._used(node)
        return used if isinstance(node, (ast.Constant, ast.JoinedStr)) else self._call(refuse_shown_name, used)

    def _use(self, node: ast.AST, *fields: str) -> ast.AST:
        """Visits a node, settling its named fields."""
        for field, value in ast.iter_fields(node):
            items = value if isinstance(value, list) else [value]
            for at, item in enumerate(items):
                if isinstance(item, ast.expr) and field in fields:
                    items[at] = self._used(item)
                elif isinstance(item, ast.AST):
                    items[at] = self.visit(item)
            if not isinstance(value, list):
                setattr(node, field, items[0])
        return node

    def _inside(self, node: ast.AST, is_async: bool) -> ast.AST:
        outside = (self._is_async, self._is_outermost)
        self._is_async, self._is_outermost = is_async, False
        self.generic_visit(node)
        self._is_async, self._is_outermost = outside
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._inside(node, False)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._inside(node, True)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return self._inside(node, False)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._inside(node, False)

    def _visit_comprehension(self, node: _Comprehension) -> ast.AST:
        # Its first source is evaluated outside of it; an await further in would turn it into an async generator.
        first = node.generators[0]
        source = first.iter if first.is_async else self._used(first.iter)
        first.iter = ast.Constant(value=None)
        has_await = any(isinstance(inner, ast.Await) for inner in ast.walk(node))
        self._inside(node, self._is_async and has_await and not isinstance(node, ast.GeneratorExp))
        first.iter = source
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        conditions = [self._tested(condition) for condition in node.ifs]
        node.ifs = []
        visited = self.generic_visit(node) if node.is_async else self._use(node, "iter")
        node.ifs = conditions
        return visited

    def visit_Await(self, node: ast.Await) -> ast.AST:
        self.generic_visit(node)
        # Awaiting an existing value is allowed: models write `await` wherever a tool is near.
        node.value = self._call(to_awaitable_name, node.value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = last_name(node.func)
        if self._is_async and self._is_outermost and is_asyncio_run(node):
            return self.visit_Await(ast.copy_location(ast.Await(value=node.args[0]), node))
        if name in _text_makers:
            node.func = self.visit(node.func)
            node.args = [self.visit(value) if isinstance(value, ast.Starred) else self._shown(value) for value in node.args]
            for item in node.keywords:
                item.value = self._shown(item.value)
            return node
        if name in _value_takers:
            node.func = self.visit(node.func)
            is_name_settled = name in {"isinstance", "type", "dumps", "hasattr"}
            node.args = [self._used(value, is_name_settled) for value in node.args]
            node.keywords = [self._use(item, "value") for item in node.keywords]  # type: ignore[misc]
            return node
        return self.generic_visit(node)

    def _visit_assignment(self, node: Union[ast.Assign, ast.AnnAssign]) -> ast.AST:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        is_call = all(isinstance(target, ast.Name) and target.id in self._calls for target in targets)
        return self.generic_visit(node) if is_call else self._use(node, "value")

    visit_Assign = visit_AnnAssign = _visit_assignment

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if node.value is not None and self._is_async:
            node.value = self._used(node.value, True)
            return node
        return self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if any(isinstance(operator, (ast.Is, ast.IsNot)) for operator in node.ops):
            node.left = self._used(node.left, True)
            node.comparators = [self._used(value, True) for value in node.comparators]
            return node
        node.left = self._tested(node.left)
        node.comparators = [self._tested(value) for value in node.comparators]
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        return self._use(node, "value")

    visit_Attribute = visit_Subscript = visit_AugAssign = visit_Starred = visit_Expr  # type: ignore[assignment]

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        node.value = self._shown(node.value)
        if node.format_spec is not None:
            node.format_spec = self.visit(node.format_spec)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
            node.right = self._shown(node.right)
            return node
        return self._use(node, "left", "right")

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        if isinstance(node.op, ast.Not):
            node.operand = self._tested(node.operand)
            return node
        return self._use(node, "operand")

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        # The last operand is passed on: `ready and load()`.
        *tested, last = node.values
        node.values = [*(self._tested(value) for value in tested), self._used(last)]
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        return self._use(node, "iter")

    def visit_If(self, node: Union[ast.If, ast.While, ast.Assert, ast.IfExp]) -> ast.AST:
        test = self._tested(node.test)
        node.test = ast.Constant(value=True)
        visited = self.generic_visit(node)
        node.test = test
        return visited

    visit_While = visit_Assert = visit_IfExp = visit_If
