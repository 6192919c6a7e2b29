// Reads `.env` files, each at most once and only when something asks for it.
import { readFileSync, statSync } from "node:fs";
import { parseEnv } from "node:util";

export type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of one file; `undefined` when there is no such file to read. */
export type ReadEnvironmentFile = (path: string) => Variables | undefined;

const maxBytes = 1024 * 1024;

const read: ReadEnvironmentFile = (path) => {
  try {
    // A folder may bring a link to a pipe or a device, whose content never comes or never ends.
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

/** The first value a variable has; the layers are asked in turn, so that later files stay unread. */
export const readVariable = (
  name: string,
  layers: readonly (() => Variables | undefined)[],
): string | undefined => {
  for (const layer of layers) {
    const variables = layer();
    // Only own names: "${constructor}" is not a variable that anybody set.
    if (variables !== undefined && Object.hasOwn(variables, name)) return variables[name];
  }
  return undefined;
};
