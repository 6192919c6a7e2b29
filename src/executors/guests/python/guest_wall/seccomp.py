# The seccomp filter: a permanent allow-list of system calls for this process and all its threads.
from __future__ import annotations

import ctypes
import errno
import functools
import struct

from .kernel import syscall
from .syscalls import allowed_numbers, audit_architecture, number_of

_load, _and, _return = 0x20, 0x54, 0x06
_jump_equal, _jump_greater, _jump_greater_equal, _jump_set = 0x15, 0x25, 0x35, 0x45
_number_at, _architecture_at = 0, 4
_allow, _kill_process, _fail = 0x7FFF_0000, 0x8000_0000, 0x0005_0000
_x32_bit = 0x4000_0000
_set_mode_filter, _all_threads = 1, 1

_clone_thread = 0x0001_0000
_map_shared_and_anonymous = 0x01 | 0x20
_prctl_set_name, _prctl_get_name = 15, 16
_terminal_attributes, _close_on_exec, _keep_on_exec, _bytes_waiting = 0x5401, 0x5451, 0x5450, 0x541B

_Instruction = tuple[int, int, int, int]


def _argument_at(index: int) -> int:
    return 16 + 8 * index


def _when(name: str, *body: _Instruction) -> list[_Instruction]:
    """Instructions for one system call; each path through them ends with a return."""
    return [(_jump_equal, 0, len(body), number_of(name)), *body]


def _only_if(name: str, argument: int, values: list[int], otherwise: int) -> list[_Instruction]:
    checks: list[_Instruction] = []
    for value in values:
        checks += [(_jump_equal, 0, 1, value), (_return, 0, 0, _allow)]
    return _when(name, (_load, 0, 0, _argument_at(argument)), *checks, (_return, 0, 0, _fail | otherwise))


def _to_ranges(numbers: list[int]) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return ranges


def _search(ranges: list[tuple[int, int]]) -> list[_Instruction]:
    """Binary search: when it loads the filter, the kernel runs it for every number, and each guest waits for that."""
    if len(ranges) == 1:
        first, last = ranges[0]
        return [
            (_jump_greater_equal, 0, 2, first),
            (_jump_greater, 1, 0, last),
            (_return, 0, 0, _allow),
            (_return, 0, 0, _fail | errno.EPERM),
        ]
    middle = len(ranges) // 2
    below = _search(ranges[:middle])
    return [(_jump_greater_equal, len(below), 0, ranges[middle][0]), *below, *_search(ranges[middle:])]


def _pack(instructions: list[_Instruction]) -> bytes:
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in instructions)


@functools.lru_cache(maxsize=None)
def prepare_filter(with_metadata: bool) -> bytes:
    """The part that is the same for every process: built once, before the forks."""
    return _pack(_search(_to_ranges(allowed_numbers(with_metadata))))


@functools.lru_cache(maxsize=None)
def build_filter(process_id: int, with_metadata: bool) -> bytes:
    """The filter's instructions. Signals may go only to `process_id`."""
    instructions: list[_Instruction] = [
        (_load, 0, 0, _architecture_at),
        (_jump_equal, 1, 0, audit_architecture()),
        (_return, 0, 0, _kill_process),
        (_load, 0, 0, _number_at),
        (_jump_greater_equal, 0, 1, _x32_bit),
        (_return, 0, 0, _kill_process),
        # Threads, but no processes. The newer call hides its flags in memory, so libc must fall back to the older one.
        *_when(
            "clone",
            (_load, 0, 0, _argument_at(0)),
            (_jump_set, 0, 1, _clone_thread),
            (_return, 0, 0, _allow),
            (_return, 0, 0, _fail | errno.EPERM),
        ),
        *_when("clone3", (_return, 0, 0, _fail | errno.ENOSYS)),
        # Shared anonymous memory does not count towards the memory limit.
        *_when(
            "mmap",
            (_load, 0, 0, _argument_at(3)),
            (_and, 0, 0, _map_shared_and_anonymous),
            (_jump_equal, 0, 1, _map_shared_and_anonymous),
            (_return, 0, 0, _fail | errno.EPERM),
            (_return, 0, 0, _allow),
        ),
        *_only_if("kill", 0, [process_id], errno.EPERM),
        *_only_if("tgkill", 0, [process_id], errno.EPERM),
        *_only_if("prctl", 0, [_prctl_set_name, _prctl_get_name], errno.EPERM),
        # Without privileges a process can only lower its own limits.
        *_only_if("prlimit64", 0, [0], errno.EPERM),
        *_when("setrlimit", (_return, 0, 0, _allow)),
        *_only_if("ioctl", 1, [_terminal_attributes, _close_on_exec, _keep_on_exec, _bytes_waiting], errno.ENOTTY),
    ]
    return _pack(instructions) + prepare_filter(with_metadata)


def apply_filter(instructions: bytes) -> None:
    """Needs no_new_privs."""
    code = ctypes.create_string_buffer(instructions, len(instructions))
    program = struct.pack("<HxxxxxxQ", len(instructions) // 8, ctypes.addressof(code))
    held = ctypes.create_string_buffer(program, len(program))
    syscall(number_of("seccomp"), ctypes.c_long(_set_mode_filter), ctypes.c_long(_all_threads), held)
