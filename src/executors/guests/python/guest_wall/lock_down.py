# Locks down a guest process, irreversibly, in the only order in which each step is still permitted.
# The host built the rules of seccomp and Landlock (engines/guest-files.ts); this only installs them.
from __future__ import annotations

import base64
import ctypes
import json
import os
import platform
import resource
import signal
import stat
import struct
from typing import Any, Iterable, NamedTuple, Sequence

from . import kernel

_nobody = 65534
_max_threads = 64
_max_files = 128
_max_file_bytes = 1 << 30
_set_mode_filter, _all_threads = 1, 1
_ask_version, _path_beneath = 1, 1

devices = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")


class Rules:
    """The rules of seccomp and Landlock for this machine. Raises OSError if the host has none for it."""

    def __init__(self, given: dict[str, Any]) -> None:
        machine = given["machines"].get(platform.machine())
        if machine is None:
            raise OSError(f'no system-call rules for "{platform.machine()}"')
        self._filter = base64.b64decode(machine["filter"])
        self._process_id_at: list[int] = machine["processIdAt"]
        self._calls: dict[str, int] = machine["calls"]
        self._rulesets = [base64.b64decode(ruleset) for ruleset in given["rulesets"]]
        self._rights: dict[str, int] = given["rights"]

    def apply_filter(self) -> None:
        """Needs no_new_privs. Signals may go only to this process."""
        code = ctypes.create_string_buffer(self._filter, len(self._filter))
        for at in self._process_id_at:
            struct.pack_into("<I", code, at, os.getpid())
        program = struct.pack("<HxxxxxxQ", len(code) // 8, ctypes.addressof(code))
        held = ctypes.create_string_buffer(program, len(program))
        self._call("seccomp", ctypes.c_long(_set_mode_filter), ctypes.c_long(_all_threads), held)

    def landlock_version(self) -> int:
        """0 if the kernel has none."""
        try:
            return self._call("landlock_create_ruleset", None, ctypes.c_size_t(0), ctypes.c_uint32(_ask_version))
        except OSError:
            return 0

    def apply_landlock(self, readable: Iterable[str], writable: Iterable[str]) -> None:
        """Denies all other files. Needs no_new_privs."""
        attributes = self._rulesets[min(self.landlock_version(), len(self._rulesets)) - 1]
        known = struct.unpack_from("<Q", attributes)[0]
        size = ctypes.c_size_t(len(attributes))
        ruleset = self._call("landlock_create_ruleset", attributes, size, ctypes.c_uint32(0))
        try:
            for paths, rights in ((readable, "read"), (writable, "write"), (devices, "file")):
                for path in paths:
                    self._allow(ruleset, path, self._rights[rights] & known)
            self._call("landlock_restrict_self", ctypes.c_int(ruleset), ctypes.c_uint32(0))
        finally:
            os.close(ruleset)

    def _allow(self, ruleset: int, path: str, rights: int) -> None:
        try:
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            return
        try:
            is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
            rule = struct.pack("<Qi", rights if is_folder else rights & self._rights["file"], descriptor)
            self._call("landlock_add_rule", ctypes.c_int(ruleset), ctypes.c_int(_path_beneath), rule, ctypes.c_uint32(0))
        finally:
            os.close(descriptor)

    def _call(self, name: str, *values: Any) -> int:
        return kernel.syscall(self._calls[name], *values)


class WallPlan(NamedTuple):
    """What already stands around the process, and what it may still reach.

    kind: "bubblewrap" if the zygote lives in bubblewrap's namespaces and may create more, "self" if there is nothing
    yet, "seatbelt" if macOS provides the wall. readable: files and folders. hidden: mounts from the host. rules: see `Rules`.
    """

    kind: str
    readable: Sequence[str]
    hidden: Sequence[str]
    temporary_folder: str
    temporary_bytes: int
    rules: dict[str, Any]


def lock_down(plan: WallPlan) -> list[str]:
    """Returns the walls in force. Raises OSError if a required one cannot be put up."""
    walls: list[str] = []
    os.umask(0o077)
    os.setsid()
    writable: list[str] = []
    if plan.kind == "seatbelt":
        _set_limits()
        return ["Seatbelt"]
    rules = Rules(plan.rules)
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
    if rules.landlock_version() > 0:
        rules.apply_landlock(plan.readable, writable)
        walls.append("Landlock")
    elif not has_namespaces:
        raise OSError("the kernel has no Landlock, and there are no namespaces")
    rules.apply_filter()
    walls.append("seccomp")
    return walls


def connect_to_nothing(*descriptors: int) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(nothing, descriptor)
    os.close(nothing)


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
        if not _is_readable_for_nobody(readable):
            return
        os.setresgid(_nobody, _nobody, _nobody)
        os.setresuid(_nobody, _nobody, _nobody)
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


def _is_readable_for_nobody(readable: Sequence[str]) -> bool:
    """Programs import from these paths after the wall stands."""
    return all(_as_nobody(path) for path in (*readable, os.__file__, json.__file__))


def show_to_nobody(readable: Sequence[str]) -> None:
    """Mounts an empty folder with only these paths where nobody could not pass, e.g. over root's home.

    Uses a mount namespace of this process. Does nothing if root may not mount.
    """
    if os.geteuid() != 0 or _is_readable_for_nobody(readable):
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
    kernel.set_file_user(_nobody, _nobody)
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
