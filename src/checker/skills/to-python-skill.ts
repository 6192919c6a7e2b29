// Turns a Python program into a skill module: the program becomes a function, marked literals become its parameters.
import type { Json } from "../../contracts/index.js";
import { applyEdits, openLines, programError, stripFence, tooComplex } from "../program.js";
import { listPlaces, type ParsedPython, parsePython } from "../python/parse-python.js";
import { createTree } from "../python/tree.js";
import { readPythonFunction } from "./read-python-function.js";
import { type MarkOptions, markParameters, refuseMarks, type SkillProgram } from "./skill-program.js";

const parse = (text: string): ParsedPython => {
  const parsed = parsePython(text);
  if (parsed === undefined) throw tooComplex();
  return parsed;
};

const toType = (value: Json): string => {
  if (typeof value === "string") return "str";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  return value === null ? "object" : Array.isArray(value) ? "list" : "dict";
};

/** The line `name = value` or `name: type = value`, if nothing else binds the name and nothing else is in the line. */
const findDeclaration = (
  { syntax }: ParsedPython,
  name: string,
): ReturnType<MarkOptions["findDeclaration"]> => {
  const [binding, ...others] = syntax.bindings.filter((one) => one.name === name);
  const { text, statements } = syntax;
  const holder = binding?.sites[0]?.holder;
  const isOnly = others.length === 0 && binding?.sites.length === 1;
  if (!isOnly || holder?.kind !== "assign" || holder.value === undefined || !statements.includes(holder))
    return undefined;
  const start = text.lastIndexOf("\n", holder.start) + 1;
  const lineEnd = text.indexOf("\n", holder.end);
  const end = lineEnd < 0 ? text.length : lineEnd;
  const isAlone = start === holder.start && /^\s*(?:#|$)/.test(text.slice(holder.end, end));
  return isAlone && holder.targets[0]?.kind === "name" && holder.targets.length === 1
    ? { value: holder.value, place: { start, end } }
    : undefined;
};

const wrap = (text: string, functionName: string, parameters: SkillProgram["parameters"]): string => {
  const { top, syntax } = parse(text);
  if (listPlaces(top, /^(?:Format)?String$/).some(({ start, end }) => text.slice(start, end).includes("\n")))
    throw programError(
      "Cannot turn the program into a function: it has a multi-line string, which cannot be indented",
      undefined,
      `Write the function yourself: async def ${functionName}(...), and pass that as the code.`,
    );
  // The program may import a tool with the skill's name.
  const isTaken = [...syntax.bindings, ...syntax.references.map(({ node }) => node)].some(
    ({ name }) => name === functionName,
  );
  const last = syntax.statements.at(-1);
  // The last expression of a program is its value, so the function must return it.
  const returned =
    last?.kind === "expression" ? [{ start: last.start, end: last.start, text: "return " }] : [];
  const { find } = openLines(text);
  const placed = syntax.statements.map(({ kind, start, end }) => ({
    isImport: kind === "import",
    from: find(start).line,
    to: find(end).line,
  }));
  const others = placed.filter(({ isImport }) => !isImport);
  // An import that shares a line with something else stays with it.
  const imports = placed.filter(
    ({ isImport, from, to }) => isImport && !others.some((other) => other.from <= to && from <= other.to),
  );
  const { head = [], body = [] } = Object.groupBy(
    applyEdits(text, returned).trimEnd().split("\n").entries(),
    ([at]) => (imports.some(({ from, to }) => from <= at + 1 && at + 1 <= to) ? "head" : "body"),
  );
  const lines = body.map(([, line]) => (line.trim() === "" ? "" : `    ${line}`));
  const taken = Object.entries(parameters).map(([name, value]) => `${name}: ${toType(value)}`);
  const from = lines.findIndex((line) => line !== "");
  const inner = from < 0 ? "" : lines.slice(from, lines.findLastIndex((line) => line !== "") + 1).join("\n");
  return [
    ...head.map(([, line]) => line),
    ...(head.length > 0 ? ["", ""] : []),
    `async def ${functionName}${isTaken ? "_skill" : ""}(${taken.join(", ")}):`,
    inner === "" ? "    pass" : inner,
    "",
  ].join("\n");
};

/** Code that only defines things at its top level is already a module. A program becomes one. */
export const toPythonSkill = ({ code, functionName, parameters }: SkillProgram): string => {
  const { code: text } = stripFence(code);
  const isMarked = Object.keys(parameters).length > 0;
  const parsed = parse(text);
  const { syntax } = parsed;
  const runs = syntax.statements.some(
    (node) => node.kind === "return" || (node.kind === "expression" && node.value.kind !== "text"),
  );
  const isModule = readPythonFunction(text, functionName) !== undefined && !runs;
  if (isModule && !isMarked) return text;
  if (isModule) throw refuseMarks("defines");
  const edits = markParameters(
    {
      tree: createTree(syntax, false),
      identifier: /^[A-Za-z_]\w*$/,
      findDeclaration: (name) => findDeclaration(parsed, name),
      replace: ({ start, end }, name) => ({ start, end, text: name }),
    },
    parameters,
  );
  return wrap(applyEdits(text, edits), functionName, parameters);
};
