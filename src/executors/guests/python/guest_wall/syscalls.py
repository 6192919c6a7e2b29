# System calls that a guest may make, by name; the numbers for x86-64 and arm64 (None: it has no such call).
from __future__ import annotations

import platform
from typing import Optional

_Numbers = tuple[Optional[int], Optional[int]]

# Compute, wait, read open files, use what the file system walls leave.
_ordinary: dict[str, _Numbers] = {
    "read": (0, 63), "write": (1, 64), "open": (2, None), "close": (3, 57), "stat": (4, None), "fstat": (5, 80),
    "lstat": (6, None), "poll": (7, None), "lseek": (8, 62), "mprotect": (10, 226), "munmap": (11, 215),
    "brk": (12, 214), "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "pread64": (17, 67), "pwrite64": (18, 68), "readv": (19, 65), "writev": (20, 66), "access": (21, None),
    "pipe": (22, None), "select": (23, None), "sched_yield": (24, 124), "mremap": (25, 216), "mincore": (27, 232),
    "madvise": (28, 233), "dup": (32, 23), "dup2": (33, None), "pause": (34, None), "nanosleep": (35, 101),
    "getitimer": (36, 102), "alarm": (37, None), "setitimer": (38, 103), "getpid": (39, 172), "exit": (60, 93),
    "uname": (63, 160), "fcntl": (72, 25), "fsync": (74, 82), "fdatasync": (75, 83), "ftruncate": (77, 46),
    "getdents": (78, None), "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50), "readlink": (89, None),
    "umask": (95, 166), "gettimeofday": (96, 169), "getrlimit": (97, 163), "getrusage": (98, 165),
    "sysinfo": (99, 179), "times": (100, 153), "getuid": (102, 174), "getgid": (104, 176), "geteuid": (107, 175),
    "getegid": (108, 177), "getppid": (110, 173), "getpgrp": (111, None), "getgroups": (115, 158),
    "getresuid": (118, 148), "getresgid": (120, 150), "getpgid": (121, 155), "getsid": (124, 156),
    "rt_sigpending": (127, 136), "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133),
    "sigaltstack": (131, 132), "statfs": (137, 43), "fstatfs": (138, 44), "getpriority": (140, 141),
    "sched_getparam": (143, 121), "sched_getscheduler": (145, 120), "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126), "gettid": (186, 178), "time": (201, None), "futex": (202, 98),
    "sched_getaffinity": (204, 123), "epoll_create": (213, None), "getdents64": (217, 61),
    "set_tid_address": (218, 96), "restart_syscall": (219, 128), "fadvise64": (221, 223),
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "clock_nanosleep": (230, 115),
    "exit_group": (231, 94), "epoll_wait": (232, None), "epoll_ctl": (233, 21), "openat": (257, 56),
    "newfstatat": (262, 79), "readlinkat": (267, 78), "faccessat": (269, 48), "pselect6": (270, 72),
    "ppoll": (271, 73), "set_robust_list": (273, 99), "get_robust_list": (274, 100), "epoll_pwait": (281, 22),
    "fallocate": (285, 47), "eventfd2": (290, 19), "epoll_create1": (291, 20), "dup3": (292, 24),
    "pipe2": (293, 59), "preadv": (295, 69), "pwritev": (296, 70), "getcpu": (309, 168), "getrandom": (318, 278),
    "membarrier": (324, 283), "copy_file_range": (326, 285), "preadv2": (327, 286), "pwritev2": (328, 287),
    "statx": (332, 291), "rseq": (334, 293), "close_range": (436, 436), "faccessat2": (439, 439),
    "epoll_pwait2": (441, 441), "futex_waitv": (449, 449), "mkdir": (83, None), "mkdirat": (258, 34),
    "rmdir": (84, None), "unlink": (87, None), "unlinkat": (263, 35), "rename": (82, None), "renameat": (264, 38),
    "renameat2": (316, 276), "link": (86, None), "linkat": (265, 37), "symlink": (88, None), "symlinkat": (266, 36),
    "creat": (85, None), "flock": (73, 32),
}  # fmt: skip

# What Landlock does not cover: only where nothing but the guest's own /tmp is writable anyway.
_metadata: dict[str, _Numbers] = {
    "truncate": (76, 45), "chmod": (90, None), "fchmod": (91, 52), "utime": (132, None), "utimes": (235, None),
    "futimesat": (261, None), "fchmodat": (268, 53), "utimensat": (280, 88), "fchmodat2": (452, 452),
}  # fmt: skip

# Allowed for some arguments only; see seccomp.py.
_judged: dict[str, _Numbers] = {
    "mmap": (9, 222), "ioctl": (16, 29), "clone": (56, 220), "clone3": (435, 435), "kill": (62, 129),
    "tgkill": (234, 131), "prctl": (157, 167), "prlimit64": (302, 261), "setrlimit": (160, 164), "seccomp": (317, 277),
}  # fmt: skip

_architectures = {"x86_64": (0, 0xC000_003E), "aarch64": (1, 0xC000_00B7), "arm64": (1, 0xC000_00B7)}


class UnknownArchitecture(RuntimeError):
    """There is no table for this machine, so there is no wall."""


def _column() -> tuple[int, int]:
    found = _architectures.get(platform.machine())
    if found is None:
        raise UnknownArchitecture(f'no table of system calls for "{platform.machine()}"')
    return found


def audit_architecture() -> int:
    return _column()[1]


def number_of(name: str) -> int:
    found = _judged[name][_column()[0]]
    assert found is not None
    return found


def allowed_numbers(with_metadata: bool) -> list[int]:
    column = _column()[0]
    tables = [_ordinary, _metadata] if with_metadata else [_ordinary]
    found = [numbers[column] for table in tables for numbers in table.values()]
    return [number for number in found if number is not None]
