// The files that the compiler sees. They are cached, and have only the declarations of the tools that a program uses.
import { readFileSync } from "node:fs";
import type { CheckedServer } from "../../check.js";
import { configuration, paths } from "./compiler.js";
import { toLenientSource } from "./write-declarations.js";

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

export interface DeclarationIndex {
  readonly has: (name: string) => boolean;
  /** The declarations of these names and of every type they refer to, ready for the compiler. */
  readonly select: (names: Iterable<string>) => string;
}

const statementStart = /^export (?:type|declare function) ([\p{ID_Start}$_][\p{ID_Continue}$]*)/gmu;
const word = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

/** Every declaration of codegen starts a line with `export`; comments and fields never do. */
export const indexDeclarations = (source: string): DeclarationIndex => {
  const starts = [...source.matchAll(statementStart)];
  const places = new Map(
    starts.map(({ 1: name = "", index }, at) => [
      name,
      { start: index, end: starts[at + 1]?.index ?? source.length },
    ]),
  );
  const texts = new Map<string, string>();
  const readText = (name: string): string => {
    const place = places.get(name);
    if (place === undefined) return "";
    // What follows a declaration belongs to the next one: aliases of a function, the server as an object.
    const text = texts.get(name) ?? cutStatement(toLenientSource(source.slice(place.start, place.end)));
    texts.set(name, text);
    return text;
  };
  return {
    has: (name) => places.has(name),
    select: (names) => {
      const selected = new Map<string, string>();
      const waiting = [...names];
      for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
        if (selected.has(name) || !places.has(name)) continue;
        const text = readText(name);
        selected.set(name, text);
        for (const [other] of text.matchAll(word))
          if (places.has(other) && !selected.has(other)) waiting.push(other);
      }
      return [...selected.values()].join("\n");
    },
  };
};

/** Up to the first semicolon outside brackets and strings. */
const cutStatement = (text: string): string => {
  let depth = 0;
  for (const { 0: piece, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"|[{}()[\];]/g)) {
    if ("{([".includes(piece)) depth++;
    else if ("})]".includes(piece)) depth--;
    else if (piece === ";" && depth === 0) return text.slice(0, index + 1);
  }
  return text;
};
