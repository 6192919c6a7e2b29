# Imports modules before there is a program, so that its own imports of them cost nothing.
from __future__ import annotations

import importlib
from typing import Iterable

#: What programs of agents import most.
standard_library = (
    "base64 collections concurrent.futures csv dataclasses datetime decimal difflib enum fractions functools hashlib "
    "heapq html io itertools math operator pathlib pprint random re secrets statistics string tempfile textwrap time "
    "typing unicodedata urllib.parse uuid zoneinfo"
).split()


def import_all(names: Iterable[str]) -> list[str]:
    """Imports what is installed; returns what was."""
    found = []
    for name in names:
        try:
            importlib.import_module(name)
            found.append(name)
        except Exception:
            # Missing or broken: a program that wants it gets the error from its own import.
            pass
    return found
