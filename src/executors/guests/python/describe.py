# Describes an interpreter and where its files are, as one line of JSON. Arguments: libraries to look for.
# Written for every Python 3, so that an interpreter that is too old can say so.
import importlib.util
import json
import os
import site
import sys
import sysconfig


def chain_of(path: str) -> "list[str]":
    """A path and every link on the way to the real file."""
    found = [path]
    while os.path.islink(found[-1]) and len(found) < 20:
        found.append(os.path.normpath(os.path.join(os.path.dirname(found[-1]), os.readlink(found[-1]))))
    return [*found, os.path.realpath(path)]


def is_installed(name: str) -> bool:
    """A folder that a removed library left behind can be imported too, but is empty."""
    spec = importlib.util.find_spec(name)
    return spec is not None and spec.origin is not None


modules = [*sys.path, sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")]
folders = [*modules, *sysconfig.get_paths().values(), *site.getsitepackages()]
print(
    json.dumps(
        {
            "version": list(sys.version_info[:3]),
            "implementation": sys.implementation.name,
            "executable": sys.executable,
            "executables": list(dict.fromkeys(chain_of(sys.executable))),
            "prefixes": list(dict.fromkeys([sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix])),
            "modules": [path for path in dict.fromkeys(map(os.path.normpath, modules)) if os.path.exists(path)],
            "folders": [folder for folder in dict.fromkeys(folders) if os.path.isdir(folder)],
            "libraries": [name for name in sys.argv[1:] if is_installed(name)],
        }
    )
)
