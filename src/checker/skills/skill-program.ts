// A program that becomes a skill, in both languages: finds the literals that its parameters replace.
import type { Json } from "../../contracts/index.js";
import { type Edit, type Place, programError } from "../program.js";
import { readLiteral, toJsonValue } from "../rules/read-literal.js";
import type { Node, Tree } from "../rules/tree.js";

export interface SkillProgram {
  readonly code: string;
  /** The name of its function. */
  readonly functionName: string;
  /** Literals that become parameters: name → the value in the text. */
  readonly parameters: Readonly<Record<string, Json>>;
}

export interface MarkOptions {
  readonly tree: Tree;
  /** What a parameter's name looks like. */
  readonly identifier: RegExp;
  /** The only statement that binds the name, if it does nothing else. The parameter replaces it. */
  readonly findDeclaration: (name: string) => { readonly value: Node; readonly place: Place } | undefined;
  /** The edit that puts the name in place of a literal; undefined where no name can be. */
  readonly replace: (literal: Node, name: string) => Edit | undefined;
}

const literals: readonly string[] = ["literal", "negative", "object", "list"];

/** Throws PROGRAM_INVALID for a value that is not in the text and for an invalid parameter name. */
export const markParameters = (
  { tree, identifier, findDeclaration, replace }: MarkOptions,
  parameters: SkillProgram["parameters"],
): readonly Edit[] => {
  const values = [...tree.nodes()]
    .filter((node) => literals.includes(tree.read(node).kind))
    .map((node) => ({ node, text: toText(tree, node) }));
  const edits = Object.entries(parameters).flatMap(([name, value]): readonly Edit[] => {
    const wanted = JSON.stringify(value);
    const declaration = findDeclaration(name);
    if (declaration !== undefined && toText(tree, declaration.value) === wanted)
      return [{ ...declaration.place, text: "" }];
    const isTaken = tree.declared.has(name);
    if (!identifier.test(name) || isTaken)
      throw programError(
        `Cannot make "${name}" a parameter: ${isTaken ? "the program uses that name for something else" : "expected a name of letters and digits"}`,
      );
    const found = values.flatMap(({ node, text }) => (text === wanted ? (replace(node, name) ?? []) : []));
    if (found.length === 0)
      throw programError(
        `Cannot make "${name}" a parameter: the program has no literal ${wanted.slice(0, 100)}`,
        undefined,
        "Give each parameter its value exactly as written in the program.",
      );
    return found;
  });
  // A literal inside another parameter's value is replaced with it.
  return edits.filter(
    (one) => !edits.some((other) => other !== one && other.start <= one.start && one.end <= other.end),
  );
};

const toText = (tree: Tree, node: Node): string | undefined => {
  const json = toJsonValue(readLiteral(tree, node));
  return json === undefined ? undefined : JSON.stringify(json);
};

/** Parameters can only be marked in a program: a module's function has its own. */
export const refuseMarks = (what: string): Error =>
  programError(
    `Cannot mark parameters: the code ${what} a function, which has parameters of its own`,
    undefined,
    "Omit the parameters, or pass the program without a function around it.",
  );
