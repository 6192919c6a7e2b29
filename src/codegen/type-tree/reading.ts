// The state of reading one schema, and the small questions that every reader of it asks.
import type { JsonSchema } from "../../contracts/index.js";
import { type Definition, type Fallback, type TypeNode, unknownNode } from "./type-node.js";

export interface Reading {
  readonly root: JsonSchema;
  /** Arguments may leave out what has a default; results have what they declare. */
  readonly side: "arguments" | "result";
  readonly definitions: Map<string, Definition>;
  readonly fallbacks: Fallback[];
}

/** One schema within the tree that is being read. */
export interface Place {
  readonly reading: Reading;
  readonly schema: unknown;
  readonly path: string;
  readonly depth: number;
}

export type ReadNode = (place: Place) => TypeNode;

const longestPath = 300;

/** What is shown of a path is its start: names of any length below it would only make it slow. */
export const joinPath = (path: string, name: string): string =>
  path.length > 2 * longestPath ? path : `${path}/${name.slice(0, longestPath)}`;

/** The place of a schema that this one holds. */
export const stepInto = (
  place: Place,
  schema: unknown,
  ...segments: readonly (string | number)[]
): Place => ({
  reading: place.reading,
  schema,
  path: joinPath(place.path, segments.join("/")),
  depth: place.depth + 1,
});

/** Nothing becomes unknown in silence: every place is written down. */
export const fallBack = (
  { reading, path }: Place,
  reason: string,
  node: TypeNode = unknownNode,
): TypeNode => {
  // A path is made of the server's own words, and reports are printed.
  const shown = path.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").slice(0, longestPath);
  reading.fallbacks.push({ path: shown, reason });
  return node;
};
