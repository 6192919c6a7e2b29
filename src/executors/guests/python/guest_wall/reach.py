# Checks whether user nobody can read the interpreter, and opens a path to it if it is in a folder that only root may enter.
from __future__ import annotations

import json
import os
import stat
from typing import Sequence

from . import kernel

nobody = 65534


def is_readable_for_nobody(readable: Sequence[str]) -> bool:
    """Programs import from these paths after the wall stands."""
    return all(_as_nobody(path) for path in (*readable, os.__file__, json.__file__))


def show_to_nobody(readable: Sequence[str]) -> None:
    """Mounts an empty folder with only these paths where nobody could not pass, e.g. over root's home.

    Uses a mount namespace of this process. Does nothing if root may not mount.
    """
    if os.geteuid() != 0 or is_readable_for_nobody(readable):
        return
    closed = sorted({folder for path in readable for folder in _closed_folder_above(path)})
    if not closed:
        return
    try:
        kernel.unshare(kernel.CLONE_NEWNS)
        kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
        for folder in closed:
            _cover(folder, [path for path in readable if path.startswith(f"{folder}/")])
    except OSError:
        return


def _cover(folder: str, paths: Sequence[str]) -> None:
    held = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in paths if os.path.exists(path)}
    flags = kernel.MS_NOSUID | kernel.MS_NODEV
    kernel.mount("tmpfs", folder, "tmpfs", flags, "size=64k,mode=755")
    for path, descriptor in held.items():
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        os.makedirs(path if is_folder else os.path.dirname(path), mode=0o755, exist_ok=True)
        if not is_folder:
            os.close(os.open(path, os.O_CREAT | os.O_CLOEXEC, 0o644))
        kernel.mount(f"/proc/self/fd/{descriptor}", path, "", kernel.MS_BIND)
        os.close(descriptor)


def _closed_folder_above(path: str) -> list[str]:
    """The outermost folder on the way that nobody may not pass, as a list; empty if there is none."""
    above = os.path.dirname(path)
    folders = [] if above in ("/", path) else [*_closed_folder_above(above)]
    if folders or above == "/":
        return folders
    return [] if _as_nobody(above, is_passed_only=True) else [above]


def _as_nobody(path: str, is_passed_only: bool = False) -> bool:
    """Checks with nobody's file rights for a moment. A path that does not exist does not count."""
    kernel.set_file_user(nobody, nobody)
    try:
        if is_passed_only:
            os.stat(f"{path}/.")
            return True
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            if stat.S_ISDIR(os.fstat(descriptor).st_mode):
                # Listing a folder takes one right, reaching its contents another.
                os.stat(".", dir_fd=descriptor)
        finally:
            os.close(descriptor)
        return True
    except FileNotFoundError:
        return True
    except OSError:
        return False
    finally:
        kernel.set_file_user(0, 0)
