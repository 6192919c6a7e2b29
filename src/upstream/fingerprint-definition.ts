// Tells whether a server's definition has changed, without keeping any of its values.
import { createHash } from "node:crypto";
import type { WiredDefinition } from "../contracts/index.js";

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    : value;

const hash = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value, sortKeys)).digest("hex");

/** A hash over the target with its variables and headers: the same server, started the same way, has the same one. */
export const fingerprintDefinition = ({ target }: WiredDefinition): string => hash(target);

/** The same over everything that decides whether it starts: a longer timeout is a reason to try again. */
export const fingerprintStart = ({ target, timeouts, launch }: WiredDefinition): string =>
  hash({ target, timeouts, launch });
