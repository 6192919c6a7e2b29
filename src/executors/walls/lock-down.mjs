// Locks down a sandbox process on Linux, irreversibly, before it takes any guest code.
import { Buffer } from "node:buffer";
import { assemble } from "./bpf-program.mjs";
import { becomeNobody, dropPrivileges } from "./drop-privileges.mjs";
import { applyLandlock } from "./landlock.mjs";
import { openNativeCalls } from "./native-calls.mjs";
import { buildSeccompFilter } from "./seccomp-filter.mjs";

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

/** @param {import("./native-calls.mjs").NativeCalls} native @param {boolean} isJitless */
const applySeccomp = ({ architecture, call, addressOf }, isJitless) => {
  const filter = assemble(buildSeccompFilter({ architecture, processId: process.pid, isJitless }));
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
    throw new Error(`Cannot put up the wall "${first.wall}": ${first.reason}`);
  return progress;
};

/** @param {unknown} error */
const toReason = (error) => (error instanceof Error ? error.message : String(error));
