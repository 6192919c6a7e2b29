// Configured server names → the identifiers that programs use for them.
import { assignNames } from "./assign-names.js";
import { reservedForServers } from "./reserved-names.js";
import { toIdentifier } from "./to-identifier.js";

const simpleName = /^[A-Za-z][A-Za-z0-9]{0,79}$/;

const toServerIdentifier = (name: string): string => {
  if (!simpleName.test(name)) return toIdentifier({ name, reserved: reservedForServers, fallback: "server" });
  return reservedForServers.has(name) ? `${name}_` : name;
};

/** Configured name → unique identifier: `GitHub` stays, `my-server` → `myServer`, `Map` → `Map_`, `7zip` → `_7zip`. */
export const toServerIdentifiers = (names: readonly string[]): ReadonlyMap<string, string> =>
  assignNames({ names, toIdentifier: toServerIdentifier });
