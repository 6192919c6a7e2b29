// A Python program's text → its tree with every name resolved; undefined where the text is not certain to be understood.
import { tooComplex } from "../program-error.js";
import { collectNames } from "./names/collect-names.js";
import type { PythonSyntax } from "./names/scope.js";
import { readStatements } from "./syntax/read-statements.js";
import { isGuessed, isTooDeep, parseTree } from "./syntax/syntax-tree.js";

/** What is larger is no program that somebody wrote. */
const maxCharacters = 200_000;

/** Throws PROGRAM_INVALID for what Python would not compile because of its depth. */
export const readPython = (text: string): PythonSyntax | undefined => {
  if (text.length > maxCharacters) return undefined;
  try {
    const top = parseTree(text);
    if (top === undefined) return undefined;
    if (isTooDeep(top)) throw tooComplex();
    if (isGuessed(top)) return undefined;
    return collectNames(text, readStatements(text, top));
  } catch (error) {
    // Nested deeper than the stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};
