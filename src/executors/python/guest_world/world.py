# The names that a run finds without an import. What an earlier run of the session called so is its own.
from __future__ import annotations

from typing import Any


class World:
    """Gives names to a program, and takes none away from it."""

    def __init__(self) -> None:
        self._given: dict[str, Any] = {}

    def give(self, names: dict[str, Any], values: dict[str, Any], functions: dict[str, Any]) -> None:
        """`values` take the place of those that were given before; `functions` stay once they are there."""
        for name, value in values.items():
            if name not in names or names[name] is self._given.get(name):
                names[name] = self._given[name] = value
        for name, function in functions.items():
            names.setdefault(name, function)
