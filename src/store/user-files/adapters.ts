// Adapters: files that people wrote beside the generated ones. Reads files of a bounded size, never through a link out of the folder.
import { readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { CoordinatorError } from "../../contracts/index.js";
import { readBounded } from "../file-io.js";
import { isGenerated } from "./library-files.js";

/** Where the adapters of one server are. */
export interface AdapterPlace {
  /** The library's folder on disk. */
  readonly root: string;
  /** The server's folder in it, e.g. `servers/github`. */
  readonly folder: string;
  /** In order of precedence. */
  readonly extensions: readonly string[];
  /** Part of the first line of every generated file. */
  readonly marker: string;
}

export interface Adapter {
  /** Without its extension, as programs import it: `servers/github/triage`. */
  readonly path: string;
  /** As in error messages: `servers/github/triage.ts`. */
  readonly file: string;
  readonly source: string;
}

const maxBytes = 1024 * 1024;
const maxListed = 200;

/** No separators, no leading dot, nothing that a file system could interpret. */
const safeName = /^[\p{L}\p{N}_$][\p{L}\p{N}_$.-]{0,99}$/u;

/** Undefined if there is no such file, or only a generated one. */
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
    const extension = place.extensions.find((one) => entry.endsWith(one));
    return extension === undefined ? [] : [entry.slice(0, -extension.length)];
  });
  const found: string[] = [];
  for (const name of [...new Set(names)].sort()) {
    if (found.length === maxListed) break;
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
      `Cannot import "${file}": it is a link out of the library's folder`,
      { hint: "Put the file itself there." },
    );
  const tooLarge = (bytes: number): CoordinatorError =>
    new CoordinatorError(
      "LIMIT_CODE",
      `Cannot import "${file}": it has ${bytes} bytes, at most ${maxBytes} are allowed`,
      { hint: "Split the adapter into smaller files." },
    );
  return (await readBounded(target, { maxBytes, tooLarge }))?.toString("utf8");
};
