// Landlock: this thread, and every thread it starts later, gives up rights to files, TCP ports and other processes.
import { Buffer } from "node:buffer";

const askForVersion = 1n;

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

/**
 * Removes all of them. Needs "no new privileges". Throws if the kernel has no Landlock.
 * @param {import("./native-calls.mjs").NativeCalls} native
 */
export const applyLandlock = ({ call, addressOf }) => {
  const version = call("landlock_create_ruleset", 0, 0, askForVersion);
  const ruleset = toRuleset(version);
  // A ruleset without rules allows nothing of what it lists.
  const descriptor = call("landlock_create_ruleset", addressOf(ruleset), ruleset.length, 0);
  call("landlock_restrict_self", descriptor, 0);
  call("close", descriptor);
};
