// Files that people wrote beside the generated ones: read only, of a bounded size, never through a link that leads out.
import { constants } from "node:fs";
import { open, readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { CoordinatorError } from "../../contracts/index.js";

/** Where adapters of one server are, and what tells them from what was generated. */
export interface AdapterPlace {
  /** The library's folder on disk. */
  readonly root: string;
  /** The server's folder in it, e.g. `servers/github`. */
  readonly folder: string;
  /** The endings of adapters' files, the first to win first. */
  readonly extensions: readonly string[];
  /** Stands in the first line of every generated file. */
  readonly marker: string;
}

export interface Adapter {
  /** Without its ending, as programs import it: `servers/github/triage`. */
  readonly path: string;
  /** As messages name it: `servers/github/triage.ts`. */
  readonly file: string;
  readonly source: string;
}

const largestBytes = 1024 * 1024;
const mostListed = 200;

/** No separators, no leading dot, nothing that a file system reads as something else. */
const safeName = /^[\p{L}\p{N}_$][\p{L}\p{N}_$.-]{0,99}$/u;

const isGenerated = (text: string, marker: string): boolean =>
  text.slice(0, text.indexOf("\n") + 1 || undefined).includes(marker);

/** The adapter of that name; undefined when there is none, or only a generated file. */
export const readAdapter = async (place: AdapterPlace, name: string): Promise<Adapter | undefined> => {
  if (!safeName.test(name)) return undefined;
  const path = `${place.folder}/${name}`;
  for (const extension of place.extensions) {
    const file = path + extension;
    const source = await readInside(place.root, file);
    if (source !== undefined && !isGenerated(source, place.marker)) return { path, file, source };
  }
  return undefined;
};

/** The names of a server's adapters, sorted. */
export const listAdapters = async (place: AdapterPlace): Promise<readonly string[]> => {
  const entries = await readdir(join(place.root, place.folder)).catch(() => []);
  const names = entries.flatMap((entry) => {
    const extension = place.extensions.find((ending) => entry.endsWith(ending));
    return extension === undefined ? [] : [entry.slice(0, -extension.length)];
  });
  const found: string[] = [];
  for (const name of [...new Set(names)].sort()) {
    if (found.length === mostListed) break;
    const adapter = await readAdapter(place, name).catch(() => undefined);
    if (adapter !== undefined) found.push(name);
  }
  return found;
};

const readInside = async (root: string, file: string): Promise<string | undefined> => {
  let target: string;
  let home: string;
  try {
    [target, home] = await Promise.all([realpath(join(root, file)), realpath(root)]);
  } catch {
    return undefined;
  }
  if (!target.startsWith(home + sep))
    throw new CoordinatorError(
      "PROGRAM_INVALID",
      `Cannot import "${file}": it is a link that leads out of the library's folder`,
      { hint: "Put the file itself there." },
    );
  // A pipe in its place must not be waited for.
  const handle = await open(target, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) return undefined;
    if (facts.size > largestBytes)
      throw new CoordinatorError(
        "LIMIT_CODE",
        `Cannot import "${file}": it has ${facts.size} bytes, at most ${largestBytes} are allowed`,
        { hint: "Split the adapter into smaller files." },
      );
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
};
