// Gives up root and every capability. Without bubblewrap a sandbox process starts with all that its host has.
import { Buffer } from "node:buffer";

const nobody = 65_534;
const dropFromBoundingSet = 24;
const ambientSet = 47;
const clearAmbientSet = 4;
/** More than any kernel knows. */
const maxCapability = 63;
const capabilityVersion = 0x2008_0522;

/**
 * Becomes nobody, on every thread of the process: the C library tells them all, and a thread that stops being root loses its
 * capabilities. Works without native calls. Where there is nobody else to become (a user namespace with one user, a container that
 * may not change users), only the capabilities go.
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
 * Drops what a new user id does not: the bounding set (while it is still allowed), ambient and inheritable capabilities, and those
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
    // Refused past the last capability, and for those who have no right to: they cannot gain any either, "no new privileges" holds.
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
