// Hashes a server's definition to detect changes without storing its values.
import { createHash } from "node:crypto";
import type { WiredDefinition } from "../contracts/index.js";

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    : value;

const hash = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value, sortKeys)).digest("hex");

/** Hashes the target with its variables and headers. */
export const fingerprintDefinition = ({ target }: WiredDefinition): string => hash(target);

/** Hashes everything that decides whether it starts. A changed timeout is a reason to try again. */
export const fingerprintStart = ({ target, timeouts, launch }: WiredDefinition): string =>
  hash({ target, timeouts, launch });
