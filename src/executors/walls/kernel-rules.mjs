// What the kernel denies to guests: the system calls that a process may still make, as a seccomp filter, with the small assembler that writes it,
// and the rights to files, ports and processes that it gives up (Landlock).
import { Buffer } from "node:buffer";
import { auditArchitectures, firstX32Number, numberOf } from "./syscalls.mjs";

/**
 * One instruction: its code, how many instructions to skip when its test holds or fails, and a constant.
 * @typedef {{ readonly code: number; readonly ifTrue: number; readonly ifFalse: number; readonly value: number }} Instruction
 */

const codes = {
  loadWord: 0x20,
  and: 0x54,
  jumpIfEqual: 0x15,
  jumpIfAtLeast: 0x35,
  jumpIfAnyBit: 0x45,
  answer: 0x06,
};

/** Offsets in the record. Arguments are 64 bits wide; their low word is enough for the tests here. */
const recordOffsets = { number: 0, architecture: 4, firstArgument: 16 };

/** Verdicts of a filter. */
export const verdicts = {
  allow: 0x7fff_0000,
  killProcess: 0x8000_0000,
  /** The call does nothing and fails with this error. */
  fail: (/** @type {number} */ errorNumber) => 0x0005_0000 | errorNumber,
};

/** @returns {Instruction} */
const instruction = (/** @type {number} */ code, /** @type {number} */ value, ifTrue = 0, ifFalse = 0) => ({
  code,
  ifTrue,
  ifFalse,
  value,
});

/** Loads a word of the record into the register. @param {number} offset */
const loadWord = (offset) => instruction(codes.loadWord, offset);

/** Loads the low word of an argument into the register. @param {number} index from 0 */
const loadArgument = (index) => loadWord(recordOffsets.firstArgument + 8 * index);

/** Masks the register with these bits. @param {number} mask */
const keepBits = (mask) => instruction(codes.and, mask);

/** Ends the filter. @param {number} verdict */
const answer = (verdict) => instruction(codes.answer, verdict);

/**
 * Enters the block if the register equals the value, skips it otherwise. A block ends with a verdict.
 * @param {number} value
 * @param {readonly Instruction[]} block
 */
const whenEqual = (value, block) => [instruction(codes.jumpIfEqual, value, 0, block.length), ...block];

/** @param {number} value @param {readonly Instruction[]} block */
const unlessEqual = (value, block) => [instruction(codes.jumpIfEqual, value, block.length, 0), ...block];

/** @param {number} value @param {readonly Instruction[]} block */
const whenAtLeast = (value, block) => [instruction(codes.jumpIfAtLeast, value, 0, block.length), ...block];

/** @param {number} mask @param {readonly Instruction[]} block */
const whenAnyBit = (mask, block) => [instruction(codes.jumpIfAnyBit, mask, 0, block.length), ...block];

/**
 * One verdict if the register is among the numbers, another if it is not. A binary search: when a filter is loaded, the
 * kernel runs it once for every system call, and a guest waits for that.
 * @param {readonly number[]} numbers at least one
 * @param {Instruction} found
 * @param {Instruction} otherwise
 */
const whenAmong = (numbers, found, otherwise) => {
  /** @type {[number, number][]} */
  const ranges = [];
  for (const number of [...numbers].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  /** @type {(part: readonly [number, number][]) => readonly Instruction[]} */
  const search = (part) => {
    const middle = part.length >> 1;
    const [first, last] = /** @type {[number, number]} */ (part[middle]);
    const above = instruction(codes.jumpIfAtLeast, first, 0, 2);
    if (middle === 0) return [above, instruction(codes.jumpIfAtLeast, last + 1, 1, 0), found, otherwise];
    const below = search(part.slice(0, middle));
    return [{ ...above, ifTrue: below.length, ifFalse: 0 }, ...below, ...search(part.slice(middle))];
  };
  return search(ranges);
};

/**
 * The program in the kernel's format: eight bytes per instruction.
 * @param {readonly Instruction[]} program
 */
export const assemble = (program) => {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, { code, ifTrue, ifFalse, value }] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4);
  }
  return bytes;
};

/** @typedef {import("./syscalls.mjs").SyscallName} SyscallName */
/** @typedef {import("./syscalls.mjs").Architecture} Architecture */

/**
 * A Node guest reads frames, writes frames and computes. It opens nothing, so it can only read and write the pipes it was
 * started with. Tests try all others.
 */
export const nodeCalls = [
  // The wire.
  "read write close",
  // The engine's memory. `mmap` and related calls have their own rules below.
  "brk munmap mremap madvise membarrier pkey_alloc pkey_free",
  // The engine's threads and their locks.
  "futex exit set_robust_list rseq sched_yield sched_getaffinity sched_getparam sched_getscheduler getpid gettid",
  // Clocks, where the vDSO does not answer.
  "clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday",
  // Node's thread for delayed tasks waits with this; there is nothing else to wait for.
  "epoll_wait epoll_pwait",
  // Signals of the process to itself, and its exit.
  "rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack restart_syscall exit_group",
  "getrandom",
];

/** A Python guest also uses the files that the other walls leave it. */
const pythonCalls = [
  "read write open close stat fstat lstat poll lseek mprotect munmap brk rt_sigaction rt_sigprocmask rt_sigreturn",
  "pread64 pwrite64 readv writev access pipe select sched_yield mremap mincore madvise dup dup2 pause nanosleep",
  "getitimer alarm setitimer getpid exit uname fcntl fsync fdatasync ftruncate getdents getcwd chdir fchdir readlink",
  "umask gettimeofday getrlimit getrusage sysinfo times getuid getgid geteuid getegid getppid getpgrp getgroups",
  "getresuid getresgid getpgid getsid rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack statfs fstatfs",
  "getpriority sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min gettid time futex",
  "sched_getaffinity epoll_create getdents64 set_tid_address restart_syscall fadvise64 clock_gettime clock_getres",
  "clock_nanosleep exit_group epoll_wait epoll_ctl openat newfstatat readlinkat faccessat pselect6 ppoll",
  "set_robust_list get_robust_list epoll_pwait fallocate eventfd2 epoll_create1 dup3 pipe2 preadv pwritev getcpu",
  "getrandom membarrier copy_file_range preadv2 pwritev2 statx rseq close_range faccessat2 epoll_pwait2 futex_waitv",
  "mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat creat flock",
];

/** What Landlock does not cover: only where nothing but the guest's own /tmp is writable anyway. */
const metadataCalls = ["truncate chmod fchmod utime utimes futimesat fchmodat utimensat fchmodat2"];

const errorNumbers = { EPERM: 1, ENOTTY: 25, ENOSYS: 38 };
const deny = answer(verdicts.fail(errorNumbers.EPERM));
const allow = answer(verdicts.allow);
const kill = answer(verdicts.killProcess);

/** The flags with which C libraries start a thread: everything shared, no new namespace. */
const threadFlags = 0x003d_0f00;
/** Ignored by the kernel; musl still sets it. */
const cloneDetached = 0x0040_0000;
const cloneThread = 0x0001_0000;
const sharedAndAnonymous = 0x01 | 0x20;
const [setName, getName] = [15, 16];
const protectExecute = 4;
/** Terminal attributes, close on exec, keep on exec, bytes waiting. */
const harmlessControls = [0x5401, 0x5451, 0x5450, 0x541b];

/** @typedef {(name: SyscallName, block: readonly Instruction[]) => readonly Instruction[]} Rule the block of one system call */

/**
 * @param {Architecture} architecture
 * @param {readonly string[]} allowed lines of names
 * @param {(rule: Rule) => readonly Instruction[]} toRules calls that depend on their arguments
 * @returns {readonly Instruction[]}
 */
const buildFilter = (architecture, allowed, toRules) => {
  /** @type {Rule} */
  const rule = (name, block) => {
    const number = numberOf(name, architecture);
    return number === undefined ? [] : whenEqual(number, block);
  };
  const names = /** @type {SyscallName[]} */ (allowed.flatMap((line) => line.split(" ")));
  return [
    loadWord(recordOffsets.architecture),
    // Calls of another architecture have other numbers: nobody makes them by mistake.
    ...unlessEqual(auditArchitectures[architecture], [kill]),
    loadWord(recordOffsets.number),
    ...whenAtLeast(firstX32Number, [kill]),
    // Its flags lie in memory, where a filter cannot look. "Not implemented" makes the C library use `clone`.
    ...rule("clone3", [answer(verdicts.fail(errorNumbers.ENOSYS))]),
    ...toRules(rule),
    ...whenAmong(
      names.flatMap((name) => numberOf(name, architecture) ?? []),
      allow,
      deny,
    ),
  ];
};

/** Allows a call if an argument has one of these values. @param {number} argument @param {readonly number[]} values */
const onlyIf = (argument, values, otherwise = deny) => [
  loadArgument(argument),
  ...values.flatMap((value) => whenEqual(value, [allow])),
  otherwise,
];

/**
 * The filter of a Node guest.
 * @param {{ readonly architecture: Architecture; readonly processId: number; readonly isJitless: boolean }} options
 *   `isJitless`: no memory becomes executable any more
 */
export const buildNodeFilter = ({ architecture, processId, isJitless }) =>
  buildFilter(architecture, nodeCalls, (rule) => {
    const mapping = isJitless ? [loadArgument(2), ...whenAnyBit(protectExecute, [deny]), allow] : [allow];
    return [
      ...rule("mmap", mapping),
      ...rule("mprotect", mapping),
      ...rule("pkey_mprotect", mapping),
      // A thread, never a process.
      ...rule("clone", [loadArgument(0), keepBits(~cloneDetached), ...whenEqual(threadFlags, [allow]), deny]),
      ...rule("tgkill", onlyIf(0, [processId])),
      ...rule("prctl", onlyIf(0, [setName])),
    ];
  });

/**
 * The filter of a Python guest.
 * @param {{ readonly architecture: Architecture; readonly processId: number; readonly hasOwnMounts: boolean }} options
 *   `hasOwnMounts`: nothing but the guest's own /tmp is writable
 */
export const buildPythonFilter = ({ architecture, processId, hasOwnMounts }) =>
  buildFilter(architecture, hasOwnMounts ? [...pythonCalls, ...metadataCalls] : pythonCalls, (rule) => [
    ...rule("clone", [loadArgument(0), ...whenAnyBit(cloneThread, [allow]), deny]),
    // Shared anonymous memory does not count towards the memory limit.
    ...rule("mmap", [
      loadArgument(3),
      keepBits(sharedAndAnonymous),
      ...whenEqual(sharedAndAnonymous, [deny]),
      allow,
    ]),
    ...rule("kill", onlyIf(0, [processId])),
    ...rule("tgkill", onlyIf(0, [processId])),
    ...rule("prctl", onlyIf(0, [setName, getName])),
    // Without privileges a process can only lower its own limits.
    ...rule("prlimit64", onlyIf(0, [0])),
    ...rule("setrlimit", [allow]),
    ...rule("ioctl", onlyIf(1, harmlessControls, answer(verdicts.fail(errorNumbers.ENOTTY)))),
  ]);

/** How many file access rights each Landlock version knows; versions from the fifth on know these. */
const fileRights = [13n, 14n, 15n, 15n, 16n];
/** Binding and connecting over TCP: from version 4 on. */
const networkRights = 0b11n;
/** Abstract sockets and signals to outside processes: from version 6 on. */
const scopes = 0b11n;
/** From this version on, a ruleset stays the same. */
export const lastVersion = 6;

/** Rights to files, as the bits of a rule. */
export const landlockRights = {
  writeFile: 1 << 1,
  readFile: 1 << 2,
  readFolder: 1 << 3,
  /** Not even where a guest may write: executing, creating devices, sockets and pipes, controlling devices. */
  neverAllowed: (1 << 0) | (1 << 6) | (1 << 9) | (1 << 10) | (1 << 11) | (1 << 15),
};

/**
 * The rights that a ruleset removes, in the kernel's format. The kernel refuses unknown words, so old kernels get fewer.
 * @param {number} version of Landlock, from 1
 */
export const toRuleset = (version) => {
  const rights = fileRights[Math.min(version, fileRights.length) - 1] ?? 13n;
  const words = [(1n << rights) - 1n];
  if (version >= 4) words.push(networkRights);
  if (version >= 6) words.push(scopes);
  const bytes = Buffer.alloc(words.length * 8);
  for (const [at, word] of words.entries()) bytes.writeBigUInt64LE(word, at * 8);
  return bytes;
};
