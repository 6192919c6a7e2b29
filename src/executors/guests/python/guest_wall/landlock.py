# The Landlock wall: which files may be opened, by path; no TCP, no signals and no abstract sockets to the outside.
from __future__ import annotations

import ctypes
import os
import stat
import struct
from typing import Iterable

from .kernel import syscall

_create_ruleset, _add_rule, _restrict_self = 444, 445, 446
_ask_version, _path_beneath = 1, 1

_execute, _write_file, _read_file, _read_dir = 1, 1 << 1, 1 << 2, 1 << 3
_read = _read_file | _read_dir
_make_device, _make_socket, _make_pipe, _make_block_device, _device_ioctl = 1 << 6, 1 << 9, 1 << 10, 1 << 11, 1 << 15
_nowhere = _execute | _make_device | _make_socket | _make_pipe | _make_block_device | _device_ioctl
# How many access rights each version of the kernel interface knows.
_file_rights_of_version = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_all_tcp = 0b11
_all_scopes = 0b11


def landlock_version() -> int:
    """0 if the kernel has none."""
    try:
        return syscall(_create_ruleset, None, ctypes.c_size_t(0), ctypes.c_uint32(_ask_version))
    except OSError:
        return 0


def apply_landlock(readable: Iterable[str], writable: Iterable[str], devices: Iterable[str]) -> None:
    """Denies everything else. Needs no_new_privs."""
    version = landlock_version()
    all_files = (1 << _file_rights_of_version.get(version, 16)) - 1
    words = [all_files, *([_all_tcp] if version >= 4 else []), *([_all_scopes] if version >= 6 else [])]
    attributes = struct.pack(f"<{len(words)}Q", *words)
    ruleset = syscall(_create_ruleset, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    try:
        for path in readable:
            _allow(ruleset, path, _read & all_files)
        for path in writable:
            _allow(ruleset, path, all_files & ~_nowhere)
        for path in devices:
            _allow(ruleset, path, _read_file | _write_file)
        syscall(_restrict_self, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        held = rights if is_folder else rights & (_read_file | _write_file)
        rule = struct.pack("<Qi", held, descriptor)
        syscall(_add_rule, ctypes.c_int(ruleset), ctypes.c_int(_path_beneath), rule, ctypes.c_uint32(0))
    finally:
        os.close(descriptor)
