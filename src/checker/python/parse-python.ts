// Parses a Python program or module within limits, and resolves its names.
import { type Place, tooComplex } from "../program.js";
import { collectNames, type PythonSyntax } from "./collect-names.js";
import { readStatements } from "./syntax/read-statements.js";
import { isTooDeep, parseTree, placeOf, type TreeNode } from "./syntax/syntax-tree.js";

export interface ParsedPython {
  /** The parser's own tree. */
  readonly top: TreeNode;
  readonly syntax: PythonSyntax;
}

/** Undefined if it takes too long. Throws PROGRAM_INVALID for nesting that Python would not compile. */
export const parsePython = (text: string): ParsedPython | undefined => {
  try {
    const top = parseTree(text);
    if (top === undefined) return undefined;
    if (isTooDeep(top)) throw tooComplex();
    return { top, syntax: collectNames(text, readStatements(text, top)) };
  } catch (error) {
    // Nested too deeply for the stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

/** The places of all nodes of one kind: comments, strings. */
export const listPlaces = (top: TreeNode, kind: RegExp): readonly Place[] => {
  const places: Place[] = [];
  top.cursor().iterate(({ name, node }) => {
    if (kind.test(name)) places.push(placeOf(node));
  });
  return places;
};
