// Turns a TypeScript program into a skill module: the program becomes a function, marked literals become its parameters.
import type { Node } from "oxc-parser";
import type { Json } from "../../contracts/index.js";
import { programError, stripFence } from "../program.js";
import { readLiteral, toJsonValue } from "../rules/read-literal.js";
import { readSyntax, type Syntax } from "../typescript/read-syntax.js";
import { applyEdits, type Edit } from "../typescript/strip-types.js";
import { createTree } from "../typescript/tree.js";
import { readTypeScriptFunction } from "./read-typescript-function.js";

export interface SkillProgram {
  readonly code: string;
  /** The name of its function. */
  readonly functionName: string;
  /** Literals that become parameters: name → the value in the text. */
  readonly parameters: Readonly<Record<string, Json>>;
}

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** The type of a parameter, from its original value. */
const toType = (value: Json): string => {
  if (value === null) return "unknown";
  if (Array.isArray(value)) {
    const types = [...new Set(value.map(toType))];
    return types.length === 1
      ? `${/[{ ]/.test(types[0] ?? "") ? `Array<${types[0]}>` : `${types[0]}[]`}`
      : "unknown[]";
  }
  if (typeof value !== "object") return typeof value;
  const fields = Object.entries(value).map(
    ([name, field]) => `${identifier.test(name) ? name : JSON.stringify(name)}: ${toType(field)}`,
  );
  return fields.length === 0 ? "Record<string, unknown>" : `{ ${fields.join("; ")} }`;
};

/** Whether a literal can be replaced by a name. */
const isExpression = (syntax: Syntax, node: Node): boolean => {
  const parent = syntax.parentOf(node);
  if (parent === undefined || /^(?:Import|Export)|^TS(?!As|Satisfies|NonNull)/.test(parent.type))
    return false;
  if (
    parent.type === "Property" ||
    parent.type === "MethodDefinition" ||
    parent.type === "PropertyDefinition"
  )
    return parent.key !== node || parent.computed;
  return parent.type !== "ExpressionStatement";
};

const findLiterals = (syntax: Syntax, value: Json): readonly Node[] => {
  const wanted = JSON.stringify(value);
  return [...syntax.nodes()].filter((node) => {
    if (!/^(?:Literal|TemplateLiteral|UnaryExpression|ObjectExpression|ArrayExpression)$/.test(node.type))
      return false;
    const json = toJsonValue(readLiteral(createTree(syntax), node));
    return json !== undefined && JSON.stringify(json) === wanted && isExpression(syntax, node);
  });
};

/** The statement `const name = value`, if nothing else binds the name. The parameter replaces it. */
const findDeclaration = (syntax: Syntax, name: string, value: Json): Node | undefined => {
  const wanted = JSON.stringify(value);
  if (syntax.bindings.filter((binding) => binding.name === name).length !== 1) return undefined;
  return syntax.statements.find((node) => {
    if (node.type !== "VariableDeclaration" || node.declarations.length !== 1) return false;
    const [{ id, init } = {}] = node.declarations;
    if (id?.type !== "Identifier" || id.name !== name || init == null) return false;
    const json = toJsonValue(readLiteral(createTree(syntax), init));
    return json !== undefined && JSON.stringify(json) === wanted;
  });
};

/** Throws PROGRAM_INVALID for a value that is not in the text and for an invalid parameter name. */
const markParameters = (syntax: Syntax, parameters: SkillProgram["parameters"]): readonly Edit[] => {
  const names = new Set(syntax.bindings.map(({ name }) => name));
  const edits = Object.entries(parameters).flatMap(([name, value]) => {
    const declaration = findDeclaration(syntax, name, value);
    if (declaration !== undefined) return [{ start: declaration.start, end: declaration.end, text: "" }];
    if (!identifier.test(name) || names.has(name))
      throw programError(
        `Cannot make "${name}" a parameter: ${names.has(name) ? "the program uses that name for something else" : "expected a name of letters and digits"}`,
      );
    const found = findLiterals(syntax, value);
    if (found.length === 0)
      throw programError(
        `Cannot make "${name}" a parameter: the program has no literal ${JSON.stringify(value).slice(0, 100)}`,
        undefined,
        "Give each parameter its value exactly as written in the program.",
      );
    return found.map((node) => {
      const parent = syntax.parentOf(node);
      const isShort =
        parent?.type === "Property" &&
        !parent.computed &&
        parent.key.type === "Identifier" &&
        parent.key.name === name;
      return isShort && parent !== undefined
        ? { start: parent.start, end: parent.end, text: name }
        : { start: node.start, end: node.end, text: name };
    });
  });
  // A literal inside another parameter's value is replaced with it.
  return edits.filter(
    (one) => !edits.some((other) => other !== one && other.start <= one.start && one.end <= other.end),
  );
};

const indent = (text: string, syntax: Syntax, from: number): string => {
  // Indenting would change the text of a template.
  const templates = [...syntax.nodes()].filter(({ type }) => type === "TemplateLiteral");
  let at = from;
  return text
    .split("\n")
    .map((line) => {
      const isInside = templates.some(({ start, end }) => start < at && at <= end);
      at += line.length + 1;
      return isInside || line.trim() === "" ? line : `  ${line}`;
    })
    .join("\n");
};

const wrap = (text: string, functionName: string, parameters: SkillProgram["parameters"]): string => {
  const syntax = readSyntax(text);
  const head: string[] = [];
  let body = text;
  for (const node of [...syntax.statements].reverse()) {
    const isImport = node.type === "ImportDeclaration";
    if (isImport) head.unshift(text.slice(node.start, node.end));
    const isExport = node.type === "ExportNamedDeclaration" && node.source === null;
    if (node.type === "ExportDefaultDeclaration")
      body = `${body.slice(0, node.start)}return ${body.slice(node.declaration.start)}`;
    if (!isImport && !isExport) continue;
    const end = isImport ? node.end : (node.declaration?.start ?? node.end);
    body = body.slice(0, node.start) + body.slice(end);
  }
  // The program may import a tool with the skill's name.
  const isTaken = syntax.bindings.some(({ name }) => name === functionName);
  const names = Object.keys(parameters);
  const types = Object.entries(parameters).map(([name, value]) => `${name}: ${toType(value)}`);
  // Programs written for other systems read their parameters from this name.
  const isLoose = syntax.references.some(({ name, binding }) => name === "params" && binding === undefined);
  const taken =
    names.length > 0
      ? `{ ${names.join(", ")} }: { ${types.join("; ")} }`
      : isLoose
        ? "params: Record<string, any> = {}"
        : "";
  const blank = body.slice(0, body.length - body.trimStart().length);
  const inner = body.slice(blank.lastIndexOf("\n") + 1).trimEnd();
  return [
    ...head,
    ...(head.length > 0 ? [""] : []),
    `export const ${functionName}${isTaken ? "Skill" : ""} = async (${taken}) => {`,
    indent(inner, readSyntax(inner), 0),
    "};",
    "",
  ].join("\n");
};

/** A module stays as it is; a program becomes one. Its syntax is already checked. */
export const toTypeScriptSkill = ({ code, functionName, parameters }: SkillProgram): string => {
  const { code: text } = stripFence(code);
  const isModule = readTypeScriptFunction(text, functionName) !== undefined;
  if (isModule && Object.keys(parameters).length === 0) return text;
  if (isModule)
    throw programError(
      "Cannot mark parameters: the code exports a function, which has parameters of its own",
      undefined,
      "Omit the parameters, or pass the program without a function around it.",
    );
  const marked = applyEdits(text, markParameters(readSyntax(text), parameters));
  return wrap(marked, functionName, parameters);
};
