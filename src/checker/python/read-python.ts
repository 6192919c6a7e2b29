// Parses a Python program and resolves its names; undefined if the parser is unsure about the text.
import { tooComplex } from "../program-error.js";
import { collectNames } from "./names/collect-names.js";
import type { PythonSyntax } from "./names/scope.js";
import { readStatements } from "./syntax/read-statements.js";
import { isGuessed, isTooDeep, parseTree } from "./syntax/syntax-tree.js";

/** Larger texts are not hand-written programs. */
const maxCharacters = 200_000;

/** Throws PROGRAM_INVALID for nesting that Python would not compile. */
export const readPython = (text: string): PythonSyntax | undefined => {
  if (text.length > maxCharacters) return undefined;
  try {
    const top = parseTree(text);
    if (top === undefined) return undefined;
    if (isTooDeep(top)) throw tooComplex();
    if (isGuessed(top)) return undefined;
    return collectNames(text, readStatements(text, top));
  } catch (error) {
    // Nested too deeply for the stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};
