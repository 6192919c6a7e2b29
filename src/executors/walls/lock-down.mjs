// Locks down a sandbox process on Linux, irreversibly, before it takes any guest code.
import { Buffer } from "node:buffer";
import { assemble, buildNodeFilter, toRuleset } from "./kernel-rules.mjs";
import { openNativeCalls } from "./syscalls.mjs";

/**
 * @typedef {"seccomp" | "landlock"} OwnWall walls that a process puts up around itself
 * @typedef {{ readonly wall: string; readonly reason: string }} MissingWall
 * @typedef {object} LockDownOptions
 * @property {string} nativeFolder of the package with the foreign-function binary
 * @property {readonly OwnWall[]} walls
 * @property {boolean} isJitless no memory becomes executable any more
 * @property {boolean} isStrict throw if one of the walls cannot be put up
 * @property {string} [timeZone] of the guests: behind the walls it cannot be looked up
 *
 * @typedef {{ readonly walls: readonly OwnWall[]; readonly missing: readonly MissingWall[] }} LockDownReport
 */

const setParentDeathSignal = 1;
const setDumpable = 4;
const setNoNewPrivileges = 38;
const signalKill = 9;
const setModeFilter = 1;
/** Applies the filter to existing threads, too. */
const synchroniseThreads = 1;
const askForLandlockVersion = 1n;

const nobody = 65_534;
// Gives up root and all capabilities. Without bubblewrap a sandbox process starts with everything its host has.
const dropFromBoundingSet = 24;
const ambientSet = 47;
const clearAmbientSet = 4;
/** More than any kernel defines. */
const maxCapability = 63;
const capabilityVersion = 0x2008_0522;

/**
 * Becomes user nobody on every thread: the C library applies it to all of them, and a thread that stops being root loses its
 * capabilities. Works without native calls. If it cannot change users (a user namespace with one user, a restricted container),
 * only the capabilities are dropped.
 */
const becomeNobody = () => {
  if (process.platform !== "linux" || process.geteuid?.() !== 0) return;
  try {
    process.setgroups?.([]);
    process.setgid?.(nobody);
    process.setuid?.(nobody);
  } catch {}
};

/**
 * Drops what a new user id does not: the bounding set (while still allowed), ambient and inheritable capabilities, and those
 * of a user who is not root or has to stay root.
 * @param {import("./syscalls.mjs").NativeCalls} native
 */
const dropPrivileges = ({ call, addressOf }) => {
  dropBoundingSet(call);
  becomeNobody();
  attempt(() => call("prctl", ambientSet, clearAmbientSet, 0, 0, 0));
  const header = Buffer.alloc(8);
  header.writeUInt32LE(capabilityVersion, 0);
  // Effective, permitted and inheritable, two words each.
  const nothing = Buffer.alloc(24);
  call("capset", addressOf(header), addressOf(nothing));
};

/** @param {import("./syscalls.mjs").NativeCalls["call"]} call */
const dropBoundingSet = (call) => {
  for (let capability = 0; capability <= maxCapability; capability++) {
    // Refused past the last capability and without the right to drop: "no new privileges" prevents gaining any in either case.
    if (!attempt(() => call("prctl", dropFromBoundingSet, capability, 0, 0, 0))) return;
  }
};

/** @param {() => unknown} act @returns {boolean} whether it was possible */
const attempt = (act) => {
  try {
    act();
    return true;
  } catch {
    return false;
  }
};

/**
 * Gives up all rights to files, TCP ports and other processes. Needs "no new privileges". Throws if the kernel has no Landlock.
 * @param {import("./syscalls.mjs").NativeCalls} native
 */
const applyLandlock = ({ call, addressOf }) => {
  const version = call("landlock_create_ruleset", 0, 0, askForLandlockVersion);
  const ruleset = toRuleset(version);
  // A ruleset without rules allows nothing of what it lists.
  const descriptor = call("landlock_create_ruleset", addressOf(ruleset), ruleset.length, 0);
  call("landlock_restrict_self", descriptor, 0);
  call("close", descriptor);
};

/** @param {import("./syscalls.mjs").NativeCalls} native @param {boolean} isJitless */
const applySeccomp = ({ architecture, call, addressOf }, isJitless) => {
  const filter = assemble(buildNodeFilter({ architecture, processId: process.pid, isJitless }));
  const program = Buffer.alloc(16);
  program.writeUInt16LE(filter.length / 8, 0);
  program.writeBigUInt64LE(addressOf(filter), 8);
  const refusing = call("seccomp", setModeFilter, synchroniseThreads, addressOf(program));
  if (refusing !== 0) throw new Error(`Thread ${refusing} cannot apply the filter`);
};

/** @typedef {{ walls: OwnWall[]; missing: MissingWall[] }} Progress */

/** @param {LockDownOptions} options @param {Progress} progress */
const putUp = ({ nativeFolder, walls: wanted, isJitless }, { walls, missing }) => {
  const native = openNativeCalls(nativeFolder);
  dropPrivileges(native);
  // Must come after it: a new user id clears the signal.
  native.call("prctl", setParentDeathSignal, signalKill);
  // No debugger of the same user, no core file, hidden in /proc from others.
  native.call("prctl", setDumpable, 0);
  native.call("prctl", setNoNewPrivileges, 1);
  /** @type {readonly [OwnWall, () => void][]} */
  const steps = [
    ["landlock", () => applyLandlock(native)],
    // Last: it forbids the calls that the others need.
    ["seccomp", () => applySeccomp(native, isJitless)],
  ];
  for (const [wall, apply] of steps.filter(([name]) => wanted.includes(name))) {
    try {
      apply();
      walls.push(wall);
    } catch (error) {
      missing.push({ wall, reason: toReason(error) });
    }
  }
  // A normal exit of Node would turn its event loop once more, with calls that are forbidden now.
  if (walls.includes("seccomp")) process.reallyExit = (code = 0) => native.call("exit_group", code);
};

/**
 * Puts up the requested walls and reports which of them stand.
 * @param {LockDownOptions} options
 * @returns {LockDownReport}
 */
export const lockDown = (options) => {
  /** @type {Progress} */
  const progress = { walls: [], missing: [] };
  if (options.timeZone !== undefined) process.env.TZ = options.timeZone;
  if (options.walls.length === 0) {
    becomeNobody();
    return progress;
  }
  try {
    putUp(options, progress);
  } catch (error) {
    becomeNobody();
    progress.missing = options.walls.map((wall) => ({ wall, reason: toReason(error) }));
  }
  const [first] = progress.missing;
  if (options.isStrict && first !== undefined)
    throw new Error(`Cannot apply the protection "${first.wall}": ${first.reason}`);
  return progress;
};

/** @param {unknown} error */
const toReason = (error) => (error instanceof Error ? error.message : String(error));
