// Caches the files that the compiler sees, so that it need not read them again.
import { readFileSync } from "node:fs";
import type { CheckedServer } from "../check.js";
import { configuration, paths } from "./compiler.js";
import { type DeclarationIndex, indexDeclarations } from "./index-declarations.js";

/** The compiler's files by path, and the indexed declarations of the servers. */
export interface FileShelf {
  readonly files: Map<string, string>;
  readonly indexes: Map<string, DeclarationIndex>;
}

const mostFiles = 1000;
const mostIndexes = 50;

export const openShelf = (): FileShelf => ({
  files: new Map([
    [paths.configuration, configuration],
    [paths.world, readFileSync(new URL("../world.d.mts", import.meta.url), "utf8")],
  ]),
  indexes: new Map(),
});

/** Files are named after their content and never change. The most recently used ones stay. */
export const keep = (shelf: FileShelf, path: string, text: string): void => {
  const { files } = shelf;
  files.delete(path);
  files.set(path, text);
  if (files.size <= mostFiles) return;
  const oldest = [...files.keys()].find((key) => key !== paths.configuration && key !== paths.world);
  if (oldest !== undefined) files.delete(oldest);
};

export const readIndex = (
  { indexes }: FileShelf,
  { catalog, fingerprint, source }: CheckedServer,
): DeclarationIndex => {
  const key = `${catalog.server}\n${fingerprint}`;
  const index = indexes.get(key) ?? indexDeclarations(source);
  indexes.delete(key);
  indexes.set(key, index);
  const [oldest] = indexes.keys();
  if (indexes.size > mostIndexes && oldest !== undefined) indexes.delete(oldest);
  return index;
};
