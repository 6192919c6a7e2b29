# Plans: which answers a program discards, and which made-up answers it has used. The host learns both with every call.
# Strict: a call that is not found to discard its answer counts as one whose answer is used.
from __future__ import annotations

import ast
from typing import Any, Optional

from .calls import Call, is_seen

#: Defined for a program in a plan, and nowhere else.
discard_name = "__discard__"

_task_group = ast.dump(ast.parse("asyncio.TaskGroup()", mode="eval").body)

_comprehensions = (ast.ListComp, ast.SetComp, ast.GeneratorExp)


class DiscardedCalls(ast.NodeVisitor):
    """The calls of a tree. The last expression of a program is its value."""

    def __init__(self, tree: ast.Module, has_value: bool) -> None:
        self.found: list[ast.Call] = []
        self._value = tree.body[-1] if has_value and tree.body else None
        self._has_asyncio = not any(_binds(node, "asyncio") for node in ast.walk(tree))
        self._task_groups = _find_task_groups(tree) if self._has_asyncio else set()
        self.visit(tree)
        # Other code may call what a module defines.
        if has_value:
            self._follow(tree)

    def mark(self) -> None:
        """Run after everything that looks at the names of callees."""
        for call in self.found:
            mark = ast.copy_location(ast.Name(id=discard_name, ctx=ast.Load()), call.func)
            call.func = ast.copy_location(ast.Call(func=mark, args=[call.func], keywords=[]), call.func)

    def visit_Expr(self, node: ast.Expr) -> None:
        if node is not self._value:
            self._discard(node.value)
        self.generic_visit(node)

    def _follow(self, tree: ast.Module) -> None:
        """If every call of a function discards its value, nobody looks at what it returns."""
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        texts = [value for node in ast.walk(tree) for value in vars(node).values() if isinstance(value, str)]
        waiting = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
        count = -1
        while count != len(self.found):
            count = len(self.found)
            callees = {id(call.func) for call in self.found}
            for function in waiting:
                uses = [name for name in names if name.id == function.name]
                # Any other place of its name is another use of it, or another thing of that name.
                is_plain = texts.count(function.name) == len(uses) + 1 and not function.decorator_list
                if uses and is_plain and all(id(name) in callees for name in uses):
                    waiting = [one for one in waiting if one is not function]
                    self._discard_returns(function)

    def _discard_returns(self, function: ast.AST) -> None:
        inner = _own_nodes(function)
        if not any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in inner):
            for node in inner:
                if isinstance(node, ast.Return):
                    self._discard(node.value)

    def _discard(self, node: Optional[ast.AST]) -> None:
        if isinstance(node, ast.Await):
            self._discard(node.value)
        elif isinstance(node, ast.IfExp):
            self._discard(node.body)
            self._discard(node.orelse)
        elif isinstance(node, ast.BoolOp):
            self._discard(node.values[-1])
        elif isinstance(node, (ast.List, ast.Tuple)):
            for item in node.elts:
                self._discard(item)
        elif isinstance(node, (ast.ListComp, ast.SetComp)):
            self._discard(node.elt)
        elif isinstance(node, ast.Call):
            self._discard_call(node)

    def _discard_call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        is_asyncio = self._has_asyncio and isinstance(owner, ast.Name) and owner.id == "asyncio"
        is_group = isinstance(owner, ast.Name) and owner.id in self._task_groups
        if is_asyncio and name == "gather":
            for value in node.args:
                if not isinstance(value, ast.Starred):
                    self._discard(value)
                elif isinstance(value.value, _comprehensions):
                    self._discard(value.value.elt)
                else:
                    self._discard(value.value)
        elif (is_asyncio and name in ("run", "wait_for", "create_task")) or (is_group and name == "create_task"):
            self._discard(node.args[0] if node.args else None)
        else:
            self.found.append(node)


def _binds(node: ast.AST, name: str) -> bool:
    """Whether the program itself binds the name."""
    if isinstance(node, ast.Name):
        return node.id == name and not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.alias):
        return node.asname == name and node.name != name
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.name == name
    return isinstance(node, ast.arg) and node.arg == name


def _find_task_groups(tree: ast.AST) -> set[str]:
    """Names that stand for an asyncio task group and nothing else."""
    nodes = list(ast.walk(tree))
    items = [item for node in nodes if isinstance(node, ast.AsyncWith) for item in node.items]
    groups = [item.optional_vars for item in items if ast.dump(item.context_expr) == _task_group]
    bound = [node for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]
    others = {node.id for node in bound if node not in groups}
    others |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    return {name.id for name in groups if isinstance(name, ast.Name)} - others


def _own_nodes(function: ast.AST) -> list[ast.AST]:
    """The nodes of a function, without its inner functions."""
    found: list[ast.AST] = []
    for node in ast.iter_child_nodes(function):
        found.append(node)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            found.extend(_own_nodes(node))
    return found


# One is enough to make all later calls depend on it.
_max_used = 8


class ToDiscard(list[Any]):
    """The values of a call whose answer is discarded."""


class MadeUpAnswers:
    def __init__(self) -> None:
        self._unseen: dict[int, Call] = {}
        self._left = _max_used

    def take(self, header: dict[str, Any], call: Call) -> None:
        """Notes an answer that has arrived."""
        if header.get("madeUp"):
            self._unseen[header["call"]] = call

    def with_used(self, header: dict[str, Any], values: Any) -> dict[str, Any]:
        """The header of a call, with what was used since the last one."""
        used = [number for number, call in list(self._unseen.items()) if is_seen(call)]
        for number in used:
            del self._unseen[number]
        if used and self._left > 0:
            header["used"] = ",".join(map(str, used[: self._left]))
            self._left -= len(used)
        if isinstance(values, ToDiscard):
            header["isDiscarded"] = True
        return header
