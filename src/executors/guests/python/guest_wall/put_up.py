# Puts up the whole wall, in the only order in which each step is still permitted.
from __future__ import annotations

import os
import resource
import signal
from typing import NamedTuple, Sequence

from . import kernel
from .landlock import apply_landlock, landlock_version
from .reach import is_readable_for_nobody, nobody
from .seccomp import apply_filter, build_filter

_max_threads = 64
_max_files = 128
_max_file_bytes = 1 << 30


class WallPlan(NamedTuple):
    """What already stands around the process, and what it may still reach.

    kind: "bubblewrap" if the zygote lives in bubblewrap's namespaces and may create more, "self" if there is nothing
    yet, "seatbelt" if macOS provides the wall. readable: files and folders. hidden: mounts from the host.
    """

    kind: str
    readable: Sequence[str]
    hidden: Sequence[str]
    temporary_folder: str
    temporary_bytes: int


def put_up_wall(plan: WallPlan) -> list[str]:
    """Returns the walls in force. Raises OSError if a required one cannot be put up."""
    walls: list[str] = []
    os.umask(0o077)
    os.setsid()
    writable: list[str] = []
    if plan.kind == "seatbelt":
        _set_limits()
        return ["Seatbelt"]
    has_namespaces = plan.kind == "bubblewrap"
    if has_namespaces:
        _enter_own_mounts(plan)
        writable.append(plan.temporary_folder)
        walls += ["own mounts with private temporary files", "own process namespace", "no network interface"]
    kernel.drop_bounding_set()
    _become_nobody(plan.readable)
    is_root = os.geteuid() == 0
    if not is_root:
        walls.append("no root user")
    has_own_user_namespace = _enter_own_user_namespace()
    # The kernel does not count root's threads.
    if has_own_user_namespace and not is_root:
        walls.append(f"at most {_max_threads} threads")
    # A new user namespace comes with a full set.
    kernel.drop_bounding_set()
    kernel.drop_capabilities()
    walls.append("no capabilities")
    _set_limits()
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    os.chdir(plan.temporary_folder if writable else "/")
    if landlock_version() > 0:
        apply_landlock(plan.readable, writable, ["/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"])
        walls.append("Landlock")
    elif not has_namespaces:
        raise OSError("the kernel has no Landlock, and there are no namespaces")
    apply_filter(build_filter(os.getpid(), with_metadata=has_namespaces))
    walls.append("seccomp")
    return walls


def hide_mounts(plan: WallPlan) -> None:
    """Unmounts what no guest may see and nobody needs any more: for the process that all guests are forked from."""
    kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    for path in ("/proc", *plan.hidden):
        kernel.unmount(path)


def _enter_own_mounts(plan: WallPlan) -> None:
    kernel.unshare(kernel.CLONE_NEWNS)
    flags = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
    options = f"size={plan.temporary_bytes},nr_inodes=10000,mode=1777"
    kernel.mount("tmpfs", plan.temporary_folder, "tmpfs", flags, options)


def _become_nobody(readable: Sequence[str]) -> None:
    """Stays root if nobody could not read the interpreter: then only the capabilities are dropped."""
    if os.geteuid() != 0:
        return
    try:
        os.setgroups([])
        if not is_readable_for_nobody(readable):
            return
        os.setresgid(nobody, nobody, nobody)
        os.setresuid(nobody, nobody, nobody)
    except OSError:
        # Root of a user namespace with no other users: the id means nothing outside.
        return


def _enter_own_user_namespace() -> bool:
    """In its own namespace a process has its own thread count, and no privileges over anything outside."""
    try:
        kernel.unshare(kernel.CLONE_NEWUSER)
    except OSError:
        return False
    if _kernel_version() < (5, 14):
        return False
    resource.setrlimit(resource.RLIMIT_NPROC, (_max_threads, _max_threads))
    return True


def _kernel_version() -> tuple[int, int]:
    major, minor = os.uname().release.split(".")[:2]
    return int(major), int("".join(filter(str.isdigit, minor)) or 0)


def _set_limits() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (_max_files, _max_files))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_max_file_bytes, _max_file_bytes))
