// Turns a TypeScript program into a skill module: the program becomes a function, marked literals become its parameters.
import type { Node } from "oxc-parser";
import type { Json } from "../../contracts/index.js";
import { applyEdits, type Edit, stripFence } from "../program.js";
import { readSyntax, type Syntax } from "../typescript/read-syntax.js";
import { createTree } from "../typescript/tree.js";
import { readTypeScriptFunction } from "./read-typescript-function.js";
import { type MarkOptions, markParameters, refuseMarks, type SkillProgram } from "./skill-program.js";

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

/** The statement `const name = value`, if nothing else binds the name. */
const findDeclaration = (syntax: Syntax, name: string): ReturnType<MarkOptions["findDeclaration"]> => {
  if (syntax.bindings.filter((binding) => binding.name === name).length !== 1) return undefined;
  for (const place of syntax.statements) {
    if (place.type !== "VariableDeclaration" || place.declarations.length !== 1) continue;
    const [{ id, init } = {}] = place.declarations;
    if (id?.type === "Identifier" && id.name === name && init != null) return { value: init, place };
  }
  return undefined;
};

const replace = (syntax: Syntax, node: Node, name: string): Edit | undefined => {
  if (!isExpression(syntax, node)) return undefined;
  const parent = syntax.parentOf(node);
  const isShort =
    parent?.type === "Property" &&
    !parent.computed &&
    parent.key.type === "Identifier" &&
    parent.key.name === name;
  const { start, end } = isShort ? parent : node;
  return { start, end, text: name };
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
  if (isModule) throw refuseMarks("exports");
  const syntax = readSyntax(text);
  const edits = markParameters(
    {
      tree: createTree(syntax),
      identifier,
      findDeclaration: (name) => findDeclaration(syntax, name),
      replace: (node, name) => replace(syntax, node as Node, name),
    },
    parameters,
  );
  return wrap(applyEdits(text, edits), functionName, parameters);
};
