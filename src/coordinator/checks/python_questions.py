# What python-libraries.ts asks the Python of a sandbox about a program. Nothing of the program is executed.
import ast
import importlib.util
from typing import Optional


def find_missing_modules(names: list[str]) -> list[str]:
    return [name for name in names if importlib.util.find_spec(name) is None]


def find_syntax_error(text: str) -> Optional[tuple[str, int, int]]:
    """Its message, line and column."""
    try:
        ast.parse(text)
    except SyntaxError as error:
        return error.msg, error.lineno or 1, error.offset or 1
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error), 1, 1
    return None
