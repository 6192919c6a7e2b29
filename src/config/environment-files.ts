// Reads `.env` files lazily, each at most once.
import { readFileSync, statSync } from "node:fs";
import { parseEnv } from "node:util";

export type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the variables of one file, or `undefined` if it cannot be read. */
export type ReadEnvironmentFile = (path: string) => Variables | undefined;

const maxBytes = 1024 * 1024;

const read: ReadEnvironmentFile = (path) => {
  try {
    // An untrusted folder may contain a link to a pipe or device, which could block or never end.
    const facts = statSync(path);
    if (!facts.isFile() || facts.size > maxBytes) return undefined;
    return parseEnv(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
};

export const createEnvironmentFileReader = (): ReadEnvironmentFile => {
  const known = new Map<string, Variables | undefined>();
  return (path) => {
    if (!known.has(path)) known.set(path, read(path));
    return known.get(path);
  };
};

/** Returns a variable's value from the first layer that has it. Later layers stay unread. */
export const readVariable = (
  name: string,
  layers: readonly (() => Variables | undefined)[],
): string | undefined => {
  for (const layer of layers) {
    const variables = layer();
    // Own names only: "${constructor}" is not a variable.
    if (variables !== undefined && Object.hasOwn(variables, name)) return variables[name];
  }
  return undefined;
};
