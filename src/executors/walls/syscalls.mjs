// The Linux system calls that the walls of all guests use: their numbers on each supported architecture, and how to make them from JavaScript,
// through a prebuilt foreign-function binary from npm (koffi). The numbers are those of the kernel's own tables:
// arch/x86/entry/syscalls/syscall_64.tbl, and include/uapi/asm-generic/unistd.h for arm64.
import { join } from "node:path";

/** @typedef {"x64" | "arm64"} Architecture */
/** @typedef {{ readonly x64?: number; readonly arm64?: number }} Numbers absent where an architecture lacks the call */

/** How the kernel identifies an architecture to a filter: its ELF machine, 64 bits, little endian. */
export const auditArchitectures = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/** On x64 the numbers from here on are the x32 calls: the same kernel functions under other numbers. */
export const firstX32Number = 0x4000_0000;

export const syscalls = {
  access: { x64: 21 },
  alarm: { x64: 37 },
  brk: { x64: 12, arm64: 214 },
  capset: { x64: 126, arm64: 91 },
  chdir: { x64: 80, arm64: 49 },
  chmod: { x64: 90 },
  clock_getres: { x64: 229, arm64: 114 },
  clock_gettime: { x64: 228, arm64: 113 },
  clock_nanosleep: { x64: 230, arm64: 115 },
  clone: { x64: 56, arm64: 220 },
  clone3: { x64: 435, arm64: 435 },
  close: { x64: 3, arm64: 57 },
  close_range: { x64: 436, arm64: 436 },
  copy_file_range: { x64: 326, arm64: 285 },
  creat: { x64: 85 },
  dup: { x64: 32, arm64: 23 },
  dup2: { x64: 33 },
  dup3: { x64: 292, arm64: 24 },
  epoll_create: { x64: 213 },
  epoll_create1: { x64: 291, arm64: 20 },
  epoll_ctl: { x64: 233, arm64: 21 },
  epoll_pwait: { x64: 281, arm64: 22 },
  epoll_pwait2: { x64: 441, arm64: 441 },
  epoll_wait: { x64: 232 },
  eventfd2: { x64: 290, arm64: 19 },
  exit: { x64: 60, arm64: 93 },
  exit_group: { x64: 231, arm64: 94 },
  faccessat: { x64: 269, arm64: 48 },
  faccessat2: { x64: 439, arm64: 439 },
  fadvise64: { x64: 221, arm64: 223 },
  fallocate: { x64: 285, arm64: 47 },
  fchdir: { x64: 81, arm64: 50 },
  fchmod: { x64: 91, arm64: 52 },
  fchmodat: { x64: 268, arm64: 53 },
  fchmodat2: { x64: 452, arm64: 452 },
  fcntl: { x64: 72, arm64: 25 },
  fdatasync: { x64: 75, arm64: 83 },
  flock: { x64: 73, arm64: 32 },
  fstat: { x64: 5, arm64: 80 },
  fstatfs: { x64: 138, arm64: 44 },
  fsync: { x64: 74, arm64: 82 },
  ftruncate: { x64: 77, arm64: 46 },
  futex: { x64: 202, arm64: 98 },
  futex_waitv: { x64: 449, arm64: 449 },
  futimesat: { x64: 261 },
  get_robust_list: { x64: 274, arm64: 100 },
  getcpu: { x64: 309, arm64: 168 },
  getcwd: { x64: 79, arm64: 17 },
  getdents: { x64: 78 },
  getdents64: { x64: 217, arm64: 61 },
  getegid: { x64: 108, arm64: 177 },
  geteuid: { x64: 107, arm64: 175 },
  getgid: { x64: 104, arm64: 176 },
  getgroups: { x64: 115, arm64: 158 },
  getitimer: { x64: 36, arm64: 102 },
  getpgid: { x64: 121, arm64: 155 },
  getpgrp: { x64: 111 },
  getpid: { x64: 39, arm64: 172 },
  getppid: { x64: 110, arm64: 173 },
  getpriority: { x64: 140, arm64: 141 },
  getrandom: { x64: 318, arm64: 278 },
  getresgid: { x64: 120, arm64: 150 },
  getresuid: { x64: 118, arm64: 148 },
  getrlimit: { x64: 97, arm64: 163 },
  getrusage: { x64: 98, arm64: 165 },
  getsid: { x64: 124, arm64: 156 },
  gettid: { x64: 186, arm64: 178 },
  gettimeofday: { x64: 96, arm64: 169 },
  getuid: { x64: 102, arm64: 174 },
  ioctl: { x64: 16, arm64: 29 },
  kill: { x64: 62, arm64: 129 },
  landlock_add_rule: { x64: 445, arm64: 445 },
  landlock_create_ruleset: { x64: 444, arm64: 444 },
  landlock_restrict_self: { x64: 446, arm64: 446 },
  link: { x64: 86 },
  linkat: { x64: 265, arm64: 37 },
  lseek: { x64: 8, arm64: 62 },
  lstat: { x64: 6 },
  madvise: { x64: 28, arm64: 233 },
  membarrier: { x64: 324, arm64: 283 },
  mincore: { x64: 27, arm64: 232 },
  mkdir: { x64: 83 },
  mkdirat: { x64: 258, arm64: 34 },
  mmap: { x64: 9, arm64: 222 },
  mprotect: { x64: 10, arm64: 226 },
  mremap: { x64: 25, arm64: 216 },
  munmap: { x64: 11, arm64: 215 },
  nanosleep: { x64: 35, arm64: 101 },
  newfstatat: { x64: 262, arm64: 79 },
  open: { x64: 2 },
  openat: { x64: 257, arm64: 56 },
  pause: { x64: 34 },
  pipe: { x64: 22 },
  pipe2: { x64: 293, arm64: 59 },
  pkey_alloc: { x64: 330, arm64: 289 },
  pkey_free: { x64: 331, arm64: 290 },
  pkey_mprotect: { x64: 329, arm64: 288 },
  poll: { x64: 7 },
  ppoll: { x64: 271, arm64: 73 },
  prctl: { x64: 157, arm64: 167 },
  pread64: { x64: 17, arm64: 67 },
  preadv: { x64: 295, arm64: 69 },
  preadv2: { x64: 327, arm64: 286 },
  prlimit64: { x64: 302, arm64: 261 },
  pselect6: { x64: 270, arm64: 72 },
  pwrite64: { x64: 18, arm64: 68 },
  pwritev: { x64: 296, arm64: 70 },
  pwritev2: { x64: 328, arm64: 287 },
  read: { x64: 0, arm64: 63 },
  readlink: { x64: 89 },
  readlinkat: { x64: 267, arm64: 78 },
  readv: { x64: 19, arm64: 65 },
  rename: { x64: 82 },
  renameat: { x64: 264, arm64: 38 },
  renameat2: { x64: 316, arm64: 276 },
  restart_syscall: { x64: 219, arm64: 128 },
  rmdir: { x64: 84 },
  rseq: { x64: 334, arm64: 293 },
  rt_sigaction: { x64: 13, arm64: 134 },
  rt_sigpending: { x64: 127, arm64: 136 },
  rt_sigprocmask: { x64: 14, arm64: 135 },
  rt_sigreturn: { x64: 15, arm64: 139 },
  rt_sigsuspend: { x64: 130, arm64: 133 },
  rt_sigtimedwait: { x64: 128, arm64: 137 },
  sched_get_priority_max: { x64: 146, arm64: 125 },
  sched_get_priority_min: { x64: 147, arm64: 126 },
  sched_getaffinity: { x64: 204, arm64: 123 },
  sched_getparam: { x64: 143, arm64: 121 },
  sched_getscheduler: { x64: 145, arm64: 120 },
  sched_yield: { x64: 24, arm64: 124 },
  seccomp: { x64: 317, arm64: 277 },
  select: { x64: 23 },
  set_robust_list: { x64: 273, arm64: 99 },
  set_tid_address: { x64: 218, arm64: 96 },
  setitimer: { x64: 38, arm64: 103 },
  setrlimit: { x64: 160, arm64: 164 },
  sigaltstack: { x64: 131, arm64: 132 },
  stat: { x64: 4 },
  statfs: { x64: 137, arm64: 43 },
  statx: { x64: 332, arm64: 291 },
  symlink: { x64: 88 },
  symlinkat: { x64: 266, arm64: 36 },
  sysinfo: { x64: 99, arm64: 179 },
  tgkill: { x64: 234, arm64: 131 },
  time: { x64: 201 },
  times: { x64: 100, arm64: 153 },
  truncate: { x64: 76, arm64: 45 },
  umask: { x64: 95, arm64: 166 },
  uname: { x64: 63, arm64: 160 },
  unlink: { x64: 87 },
  unlinkat: { x64: 263, arm64: 35 },
  utime: { x64: 132 },
  utimensat: { x64: 280, arm64: 88 },
  utimes: { x64: 235 },
  write: { x64: 1, arm64: 64 },
  writev: { x64: 20, arm64: 66 },
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
const isKnownArchitecture = (architecture) => architecture === "x64" || architecture === "arm64";

/**
 * @typedef {object} NativeCalls
 * @property {Architecture} architecture
 * @property {(name: SyscallName, ...words: readonly (number | bigint)[]) => number} call
 *   the kernel's return value; throws an error with `errorNumber` if it refused
 * @property {(name: string, result: string, parameters: readonly string[]) => (...words: readonly (number | bigint)[]) => number} findFunction
 *   a function of the C library, for frequent calls
 * @property {(bytes: Uint8Array) => bigint} addressOf the address of bytes; keep them referenced while it is used
 */

/** The package has one build for each C library, and only the right one loads. */
const builds = ["linux", "musl"];

/** @param {string} folder of the package that holds the binary */
const loadBinary = (folder) => {
  let problem;
  for (const build of builds) {
    try {
      /** @type {{ exports: any }} */
      const module = { exports: {} };
      // Not `require`: it would search folders that this process may not read.
      process.dlopen(module, join(folder, `${build}_${process.arch}`, "koffi.node"));
      return module.exports;
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
};

/**
 * @param {string} folder of the package that holds the binary
 * @returns {NativeCalls}
 */
export const openNativeCalls = (folder) => {
  const { arch } = process;
  if (!isKnownArchitecture(arch)) throw new Error(`No table of system calls for ${arch}`);
  const binary = loadBinary(folder);
  const library = binary.load(null);
  /** @type {NativeCalls["findFunction"]} */
  const findFunction = (name, result, parameters) =>
    library.func(
      name,
      binary.types[result],
      parameters.map((parameter) => binary.types[parameter]),
    );
  const syscall = findFunction("syscall", "int64", ["int64", ...Array(6).fill("uint64")]);
  return {
    architecture: arch,
    call: (name, ...words) => {
      const number = numberOf(name, arch);
      if (number === undefined) throw new Error(`${arch} has no system call "${name}"`);
      const result = Number(syscall(number, ...words, ...Array(6 - words.length).fill(0)));
      if (result !== -1) return result;
      const errorNumber = Number(binary.errno());
      throw Object.assign(new Error(`System call "${name}" failed with error ${errorNumber}`), {
        errorNumber,
      });
    },
    findFunction,
    addressOf: (bytes) => BigInt(binary.address(bytes)),
  };
};
