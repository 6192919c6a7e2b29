// Gives up root and all capabilities. Without bubblewrap a sandbox process starts with everything its host has.
import { Buffer } from "node:buffer";

const nobody = 65_534;
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
export const becomeNobody = () => {
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
 * @param {import("./native-calls.mjs").NativeCalls} native
 */
export const dropPrivileges = ({ call, addressOf }) => {
  dropBoundingSet(call);
  becomeNobody();
  attempt(() => call("prctl", ambientSet, clearAmbientSet, 0, 0, 0));
  const header = Buffer.alloc(8);
  header.writeUInt32LE(capabilityVersion, 0);
  // Effective, permitted and inheritable, two words each.
  const nothing = Buffer.alloc(24);
  call("capset", addressOf(header), addressOf(nothing));
};

/** @param {import("./native-calls.mjs").NativeCalls["call"]} call */
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
