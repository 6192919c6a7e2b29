// The system calls that a sandbox process may still make, as a seccomp filter. Everything else fails with EPERM.
import {
  answer,
  keepBits,
  loadArgument,
  loadWord,
  recordOffsets,
  unlessEqual,
  verdicts,
  whenAnyBit,
  whenAtLeast,
  whenEqual,
} from "./bpf-program.mjs";
import { auditArchitectures, firstX32Number, numberOf } from "./syscalls.mjs";

/** @typedef {import("./bpf-program.mjs").Instruction} Instruction */
/** @typedef {import("./syscalls.mjs").SyscallName} SyscallName */

/**
 * The process reads frames, writes frames and computes. It opens nothing, so it can only read and write the
 * pipes it was started with.
 * @type {readonly SyscallName[]}
 */
const allowed = [
  // The wire.
  "read",
  "write",
  "close",
  // The engine's memory. `mmap` and related calls have their own rules below.
  "brk",
  "munmap",
  "mremap",
  "madvise",
  "membarrier",
  "pkey_alloc",
  "pkey_free",
  // The engine's threads and their locks.
  "futex",
  "exit",
  "set_robust_list",
  "rseq",
  "sched_yield",
  "sched_getaffinity",
  "sched_getparam",
  "sched_getscheduler",
  "getpid",
  "gettid",
  // Clocks, where the vDSO does not answer.
  "clock_gettime",
  "clock_getres",
  "clock_nanosleep",
  "nanosleep",
  "gettimeofday",
  // Node's thread for delayed tasks waits with this; there is nothing else to wait for.
  "epoll_wait",
  "epoll_pwait",
  // Signals of the process to itself, and its exit.
  "rt_sigaction",
  "rt_sigprocmask",
  "rt_sigreturn",
  "sigaltstack",
  "restart_syscall",
  "exit_group",
  "getrandom",
];

const errorNumbers = { EPERM: 1, ENOSYS: 38 };
const deny = answer(verdicts.fail(errorNumbers.EPERM));
const allow = answer(verdicts.allow);
const kill = answer(verdicts.killProcess);

/** The flags with which C libraries start a thread: everything shared, no new namespace. */
const threadFlags = 0x003d_0f00;
/** Ignored by the kernel; musl still sets it. */
const cloneDetached = 0x0040_0000;
const setName = 15;
const protectExecute = 4;

/**
 * @param {{
 *   readonly architecture: import("./syscalls.mjs").Architecture;
 *   readonly processId: number;
 *   readonly isJitless: boolean;
 * }} options `isJitless`: no memory becomes executable any more
 * @returns {readonly Instruction[]}
 */
export const buildSeccompFilter = ({ architecture, processId, isJitless }) => {
  /** @param {SyscallName} name @param {readonly Instruction[]} block */
  const rule = (name, block) => {
    const number = numberOf(name, architecture);
    return number === undefined ? [] : whenEqual(number, block);
  };
  const mapping = isJitless ? [loadArgument(2), ...whenAnyBit(protectExecute, [deny]), allow] : [allow];
  return [
    loadWord(recordOffsets.architecture),
    // Calls of another architecture have other numbers: nobody makes them by mistake.
    ...unlessEqual(auditArchitectures[architecture], [kill]),
    loadWord(recordOffsets.number),
    ...(architecture === "x64" ? whenAtLeast(firstX32Number, [kill]) : []),
    ...allowed.flatMap((name) => rule(name, [allow])),
    ...rule("mmap", mapping),
    ...rule("mprotect", mapping),
    ...rule("pkey_mprotect", mapping),
    // A thread, never a process.
    ...rule("clone", [loadArgument(0), keepBits(~cloneDetached), ...whenEqual(threadFlags, [allow]), deny]),
    // Its flags lie in memory, where a filter cannot look. "Not implemented" makes the C library use `clone`.
    ...rule("clone3", [answer(verdicts.fail(errorNumbers.ENOSYS))]),
    ...rule("tgkill", [loadArgument(0), ...whenEqual(processId, [allow]), deny]),
    ...rule("prctl", [loadArgument(0), ...whenEqual(setName, [allow]), deny]),
    deny,
  ];
};
