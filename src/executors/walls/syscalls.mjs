// Numbers of the Linux system calls that the wall uses, for each supported architecture.
// From the kernel's own tables: arch/x86/entry/syscalls/syscall_64.tbl, and include/uapi/asm-generic/unistd.h for arm64.

/** @typedef {"x64" | "arm64"} Architecture */
/** @typedef {{ readonly x64?: number; readonly arm64?: number }} Numbers absent where an architecture lacks the call */

/** How the kernel identifies an architecture to a filter: its ELF machine, 64 bits, little endian. */
export const auditArchitectures = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/** On x64 the numbers from here on are the x32 calls: the same kernel functions under other numbers. */
export const firstX32Number = 0x4000_0000;

export const syscalls = {
  brk: { x64: 12, arm64: 214 },
  capset: { x64: 126, arm64: 91 },
  clock_getres: { x64: 229, arm64: 114 },
  clock_gettime: { x64: 228, arm64: 113 },
  clock_nanosleep: { x64: 230, arm64: 115 },
  clone: { x64: 56, arm64: 220 },
  clone3: { x64: 435, arm64: 435 },
  close: { x64: 3, arm64: 57 },
  epoll_pwait: { x64: 281, arm64: 22 },
  epoll_wait: { x64: 232 },
  exit: { x64: 60, arm64: 93 },
  exit_group: { x64: 231, arm64: 94 },
  futex: { x64: 202, arm64: 98 },
  getpid: { x64: 39, arm64: 172 },
  getrandom: { x64: 318, arm64: 278 },
  gettid: { x64: 186, arm64: 178 },
  gettimeofday: { x64: 96, arm64: 169 },
  landlock_create_ruleset: { x64: 444, arm64: 444 },
  landlock_restrict_self: { x64: 446, arm64: 446 },
  madvise: { x64: 28, arm64: 233 },
  membarrier: { x64: 324, arm64: 283 },
  mmap: { x64: 9, arm64: 222 },
  mprotect: { x64: 10, arm64: 226 },
  mremap: { x64: 25, arm64: 216 },
  munmap: { x64: 11, arm64: 215 },
  nanosleep: { x64: 35, arm64: 101 },
  pkey_alloc: { x64: 330, arm64: 289 },
  pkey_free: { x64: 331, arm64: 290 },
  pkey_mprotect: { x64: 329, arm64: 288 },
  prctl: { x64: 157, arm64: 167 },
  read: { x64: 0, arm64: 63 },
  restart_syscall: { x64: 219, arm64: 128 },
  rseq: { x64: 334, arm64: 293 },
  rt_sigaction: { x64: 13, arm64: 134 },
  rt_sigprocmask: { x64: 14, arm64: 135 },
  rt_sigreturn: { x64: 15, arm64: 139 },
  sched_getaffinity: { x64: 204, arm64: 123 },
  sched_getparam: { x64: 143, arm64: 121 },
  sched_getscheduler: { x64: 145, arm64: 120 },
  sched_yield: { x64: 24, arm64: 124 },
  seccomp: { x64: 317, arm64: 277 },
  set_robust_list: { x64: 273, arm64: 99 },
  sigaltstack: { x64: 131, arm64: 132 },
  tgkill: { x64: 234, arm64: 131 },
  write: { x64: 1, arm64: 64 },
};

/** @typedef {keyof typeof syscalls} SyscallName */

/**
 * @param {SyscallName} name
 * @param {Architecture} architecture
 * @returns {number | undefined} undefined if the architecture has no such call
 */
export const numberOf = (name, architecture) => {
  /** @type {Numbers} */
  const numbers = syscalls[name];
  return numbers[architecture];
};

/**
 * @param {string} architecture a value of `process.arch`
 * @returns {architecture is Architecture}
 */
export const isKnownArchitecture = (architecture) => architecture === "x64" || architecture === "arm64";
