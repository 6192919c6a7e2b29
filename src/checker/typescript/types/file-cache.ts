// Caches the files that the compiler sees, so that it need not read them again.
import { readFileSync } from "node:fs";
import type { CheckedServer } from "../../check.js";
import { configuration, paths } from "./compiler.js";
import { type DeclarationIndex, indexDeclarations } from "./index-declarations.js";

/** The compiler's files by path, and the indexed declarations of the servers. */
export interface FileCache {
  readonly files: Map<string, string>;
  readonly indexes: Map<string, DeclarationIndex>;
}

const maxFiles = 1000;
const maxIndexes = 50;

export const createFileCache = (): FileCache => ({
  files: new Map([
    [paths.configuration, configuration],
    [paths.world, readFileSync(new URL("../../world.d.mts", import.meta.url), "utf8")],
  ]),
  indexes: new Map(),
});

/** Files are named after their content and never change. The most recently used ones stay. */
export const addFile = (cache: FileCache, path: string, text: string): void => {
  const { files } = cache;
  files.delete(path);
  files.set(path, text);
  if (files.size <= maxFiles) return;
  const oldest = [...files.keys()].find((key) => key !== paths.configuration && key !== paths.world);
  if (oldest !== undefined) files.delete(oldest);
};

export const readIndex = (
  { indexes }: FileCache,
  { catalog, fingerprint, source }: CheckedServer,
): DeclarationIndex => {
  const key = `${catalog.server}\n${fingerprint}`;
  const index = indexes.get(key) ?? indexDeclarations(source);
  indexes.delete(key);
  indexes.set(key, index);
  const [oldest] = indexes.keys();
  if (indexes.size > maxIndexes && oldest !== undefined) indexes.delete(oldest);
  return index;
};
