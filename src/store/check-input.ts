// Names that people and programs choose for what is stored, and the file names made of them: none leads anywhere else.
import { hash } from "node:crypto";
import { CoordinatorError } from "../contracts/index.js";

const plainName = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}._-]{0,62}[\p{L}\p{M}\p{N}_-])?$/u;
/** A key may have parts: `customer:42/address`. */
const keyPart = /^[\p{L}\p{M}\p{N}_@-][\p{L}\p{M}\p{N} ._:@+-]*$/u;
const longestKey = 100;
const longestFileName = 80;

/** Names that Windows takes for devices, whatever comes after the first dot. */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i;

export const isDeviceName = (name: string): boolean => deviceName.test(name.trimEnd());

const quote = (name: unknown): string =>
  typeof name === "string"
    ? JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}...` : name)
    : `of type ${typeof name}`;

/** The name in its one spelling. Throws NAME_INVALID for what could be a path, a device or unreadable. */
export const checkName = (
  what: "workspace" | "caller" | "session" | "state" | "run",
  name: string,
): string => {
  const isName =
    typeof name === "string" && name.isWellFormed() && plainName.test(name) && !name.includes("..");
  if (isName) return name.normalize("NFC");
  throw new CoordinatorError(
    "NAME_INVALID",
    `Cannot use the ${what} ${quote(name)}: expected up to 64 letters, digits, ".", "_" or "-"`,
  );
};

/** The same for a key of the memory. */
export const checkKey = (key: string): string => {
  const isKey =
    typeof key === "string" &&
    key.isWellFormed() &&
    key.length <= longestKey &&
    !key.includes("..") &&
    key.split("/").every((part) => keyPart.test(part));
  if (isKey) return key.normalize("NFC");
  throw new CoordinatorError(
    "NAME_INVALID",
    `Cannot use the key ${quote(key)}: expected up to ${longestKey} letters, digits, spaces, or one of "._:@+-", in parts separated by "/"`,
    { hint: 'Use a key such as "customer:42/address".' },
  );
};

/**
 * A file name for a checked name: itself where every file system has it as it is, else readable and with a hash. "~" is in no name, so
 * the two kinds never meet, and names that differ in case or accent have different files.
 */
export const toFileName = (name: string): string => {
  const isPortable = /^[a-z0-9][a-z0-9._-]*$/.test(name) && name.length <= longestFileName;
  if (isPortable && !isDeviceName(name)) return name;
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40);
  return `${readable || "name"}~${hash("sha256", name).slice(0, 12)}`;
};
