# Skills in Python: a package to import from, and saving a function of the program as a skill.
from __future__ import annotations

import ast
import inspect
import linecache
from typing import Any, Callable, Optional

skills_name = "skills"


def create_save_tool(save: Callable[[dict[str, Any]], Any]) -> Callable[..., Any]:
    def save_tool(
        function: Callable[..., Any],
        name: Optional[str] = None,
        description: Optional[str] = None,
        tags: Optional[list[str]] = None,
        category: Optional[str] = None,
    ) -> Any:
        """Saves a function of this program as a skill, with what it needs of the program."""
        function = inspect.unwrap(function)
        if not inspect.isfunction(function) or function.__name__ == "<lambda>":
            raise TypeError("save_tool takes a function defined with def")
        skill = {
            "name": name or function.__name__,
            "code": source_of(function),
            "description": description or inspect.getdoc(function),
            "language": "python",
            "tags": tags,
            "category": category,
        }
        return save({key: value for key, value in skill.items() if value is not None})

    return save_tool


def source_of(function: Callable[..., Any]) -> str:
    """The function's source, after the imports, functions and constants of its module that it uses."""
    file_name = function.__code__.co_filename
    text = "".join(linecache.getlines(file_name))
    try:
        statements = ast.parse(text).body
    except SyntaxError:
        # Only a program may await and return at its top level.
        statements = _without_outer(text)
    owners = {name: statement for statement in statements for name in _names_of(statement)}
    if function.__name__ not in owners:
        raise TypeError(f"save_tool cannot find {function.__name__} at the top level of the program")
    kept: set[int] = set()
    waiting = [function.__name__]
    while waiting:
        statement = owners.get(waiting.pop())
        if statement is None or id(statement) in kept:
            continue
        kept.add(id(statement))
        waiting.extend(node.id for node in ast.walk(statement) if isinstance(node, ast.Name))
    lines = text.splitlines()
    parts = [_text_of(lines, statement) for statement in statements if id(statement) in kept]
    return "\n\n".join(parts) + "\n"


def _without_outer(text: str) -> list[ast.stmt]:
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | ast.PyCF_ONLY_AST
    tree: Any = compile(text, "program.py", "exec", flags=flags, dont_inherit=True)
    body: list[ast.stmt] = tree.body
    return body


def _names_of(statement: ast.stmt) -> list[str]:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [statement.name]
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return [alias.asname or alias.name.split(".")[0] for alias in statement.names]
    if isinstance(statement, ast.Assign):
        return [target.id for target in statement.targets if isinstance(target, ast.Name)]
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        return [statement.target.id]
    return []


def _text_of(lines: list[str], statement: ast.stmt) -> str:
    decorators = getattr(statement, "decorator_list", [])
    first = min([statement.lineno, *(one.lineno for one in decorators)])
    return "\n".join(lines[first - 1 : statement.end_lineno])
