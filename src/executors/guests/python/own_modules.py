# Imports our own modules under names that reveal no host path: programs see them in their tracebacks.
from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import types
from typing import Optional, Sequence

_packages = ("guest_world", "guest_wall")


class OwnModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Inside this context, our packages are found in the folder."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def __enter__(self) -> None:
        sys.meta_path.insert(0, self)

    def __exit__(self, *_: object) -> None:
        sys.meta_path.remove(self)
        # Nothing that remains leads to the folder.
        for name, module in list(sys.modules.items()):
            if name == __name__ or name.split(".")[0] in _packages:
                module.__loader__ = None
                if module.__spec__ is not None:
                    module.__spec__.loader = None
        sys.modules.pop(__name__, None)

    def find_spec(
        self, fullname: str, path: Optional[Sequence[str]], target: Optional[types.ModuleType] = None
    ) -> Optional[importlib.machinery.ModuleSpec]:
        if fullname.split(".")[0] not in _packages:
            return None
        name = fullname.replace(".", "/")
        for file, is_package in ((f"{name}/__init__.py", True), (f"{name}.py", False)):
            if os.path.isfile(os.path.join(self._folder, file)):
                return importlib.util.spec_from_loader(fullname, self, origin=file, is_package=is_package)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Optional[types.ModuleType]:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        file = str(module.__spec__.origin) if module.__spec__ is not None else module.__name__
        with open(os.path.join(self._folder, file), "rb") as source:
            exec(compile(source.read(), file, "exec", dont_inherit=True), module.__dict__)
