// Turns a Python program into a skill module: the program becomes a function, marked literals become its parameters.
import type { Json } from "../../contracts/index.js";
import { programError, stripFence } from "../program.js";
import { readPythonFunction } from "./read-python-function.js";
import type { SkillProgram } from "./to-typescript-skill.js";

interface Token {
  readonly kind: "text" | "comment" | "other";
  readonly start: number;
  readonly end: number;
}

/** The end of the string that starts with a quote; undefined if it is never closed. */
const findTextEnd = (text: string, start: number): number | undefined => {
  const mark = text.charAt(start);
  const isLong = text.startsWith(mark.repeat(3), start);
  const quote = isLong ? mark.repeat(3) : mark;
  for (let at = start + quote.length; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\\" && !isLong) at++;
    else if (character === "\n" && !isLong) return undefined;
    else if (text.startsWith(quote, at)) return at + quote.length;
  }
  return undefined;
};

const literal = /-?\d+(?:\.\d+)?\b|(?:True|False)\b/y;
const word = /\w+/y;

/** One pass over the text. It ends at an unclosed quote, because the rest is ambiguous. */
const listTokens = (text: string): readonly Token[] => {
  const tokens: Token[] = [];
  const add = (kind: Token["kind"], start: number, end: number): number => {
    tokens.push({ kind, start, end });
    return end;
  };
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at);
    if (character === "#") {
      const end = text.indexOf("\n", at);
      at = add("comment", at, end < 0 ? text.length : end);
      continue;
    }
    literal.lastIndex = at;
    word.lastIndex = at;
    const value = literal.exec(text)?.[0];
    const name = word.exec(text)?.[0] ?? "";
    // The letters before a string are its prefix.
    const isPrefix = /^[rRbBuUfF]{1,2}$/.test(name) && /["']/.test(text.charAt(at + name.length));
    const quoteAt = isPrefix ? at + name.length : at;
    if (/["']/.test(text.charAt(quoteAt))) {
      const end = findTextEnd(text, quoteAt);
      if (end === undefined) break;
      at = add("text", at, end);
    } else if (value !== undefined) at = add("other", at, at + value.length);
    else at += Math.max(1, name.length);
  }
  return tokens;
};

/** The value of a literal; undefined if it has a prefix or an escape. */
const readToken = (text: string): Json | undefined => {
  const [, , inner] = /^(["'])((?:(?!\1)[^\\\n])*)\1$/.exec(text) ?? [];
  if (inner !== undefined) return inner;
  if (/^-?\d/.test(text)) return Number(text);
  return text === "True" ? true : text === "False" ? false : undefined;
};

const toType = (value: Json): string => {
  if (typeof value === "string") return "str";
  if (typeof value === "boolean") return "bool";
  return Number.isInteger(value) ? "int" : "float";
};

const identifier = /^[A-Za-z_]\w*$/;

/** The first line `name = value` or `name: type = value`. */
const findDeclaration = (text: string, name: string) => {
  for (let start = 0; start < text.length; ) {
    const breakAt = text.indexOf("\n", start);
    const end = breakAt < 0 ? text.length : breakAt + 1;
    const line = text.slice(start, end);
    const equals = line.indexOf("=");
    const left = line.slice(0, Math.max(0, equals));
    const [bound = "", type] = left.split(":", 2);
    const value = line.slice(equals + 1);
    if (line.startsWith(name) && bound.trimEnd() === name && type !== "" && !/^[=\s]*[=#]/.test(value))
      return { start, end, value: (value.split("#", 1)[0] ?? "").trim() };
    start = end;
  }
  return undefined;
};

/** Removes the lines `name = value` that parameters replace, if they are the only ones that bind the name. */
const dropDeclarations = (text: string, parameters: SkillProgram["parameters"]) => {
  const left: Record<string, Json> = {};
  let rest = text;
  for (const [name, value] of Object.entries(parameters)) {
    const line = identifier.test(name) ? findDeclaration(rest, name) : undefined;
    const without = line === undefined ? rest : rest.slice(0, line.start) + rest.slice(line.end);
    const isIt = line !== undefined && readToken(line.value) === value && !binds(without, name);
    if (isIt) rest = without;
    else left[name] = value;
  }
  return { text: rest, parameters: left };
};

const binds = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\w.])${name}\\s*=(?!=)`, "m").test(text.replace(/\([^()]*\)/g, "()"));

const markParameters = (given: string, all: SkillProgram["parameters"]): string => {
  const { text, parameters } = dropDeclarations(given, all);
  const tokens = listTokens(text);
  const edits: { start: number; end: number; name: string }[] = [];
  for (const [name, value] of Object.entries(parameters)) {
    const isKnown = identifier.test(name) && binds(text, name);
    if (!identifier.test(name) || isKnown)
      throw programError(
        `Cannot make "${name}" a parameter: ${isKnown ? "the program uses that name for something else" : "expected a name of letters and digits"}`,
      );
    const found = tokens.filter(
      ({ kind, start, end }) => kind !== "comment" && readToken(text.slice(start, end)) === value,
    );
    if (found.length === 0)
      throw programError(
        `Cannot make "${name}" a parameter: the program has no literal ${JSON.stringify(value).slice(0, 100)}`,
        undefined,
        "Give each parameter its value exactly as written in the program.",
      );
    edits.push(...found.map(({ start, end }) => ({ start, end, name })));
  }
  return edits
    .sort((one, other) => other.start - one.start)
    .reduce((all, { start, end, name }) => all.slice(0, start) + name + all.slice(end), text);
};

const keyword =
  /^(?:return|if|for|while|with|try|def|class|import|from|raise|pass|assert|del|global|nonlocal|async|else|elif|except|finally|break|continue|match|@)/;

/** Whether a line binds something: `a = 1`, `a[0] += 1`, `a: int = 1`. */
const isAssignment = (line: string): boolean => {
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if ("()\"'#".includes(character)) return false;
    if (character === "[") {
      at = line.indexOf("]", at);
      if (at < 0) return false;
    }
    const equals = character === ":" ? line.indexOf("=", at) : character === "=" ? at : undefined;
    if (equals !== undefined) return equals >= 0 && line.charAt(equals + 1) !== "=";
  }
  return false;
};

/** The last expression of a program is its value, so a function must return it. */
const returnLast = (lines: readonly string[]): readonly string[] => {
  const starts = lines.flatMap((line, at) => (/^[^\s#)\]}]/.test(line) ? [at] : []));
  const last = starts.at(-1);
  const line = last === undefined ? "" : (lines[last] ?? "");
  if (last === undefined || keyword.test(line) || isAssignment(line)) return lines;
  return lines.with(last, `return ${line}`);
};

/** Imports stay at the top of the module. One in brackets may span several lines. */
const splitImports = (lines: readonly string[]): { readonly head: string[]; readonly body: string[] } => {
  const head: string[] = [];
  const body: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const isImport = isOpen || /^(?:import|from)\s/.test(line);
    (isImport ? head : body).push(line);
    if (isImport)
      isOpen = isOpen
        ? !line.includes(")")
        : line.lastIndexOf("(") > line.lastIndexOf(")") || line.endsWith("\\");
  }
  return { head, body };
};

const wrap = (text: string, functionName: string, parameters: SkillProgram["parameters"]): string => {
  const isBroken = listTokens(text).some(
    ({ kind, start, end }) => kind === "text" && text.slice(start, end).includes("\n"),
  );
  if (isBroken)
    throw programError(
      "Cannot turn the program into a function: it has a multi-line string, which cannot be indented",
      undefined,
      `Write the function yourself: async def ${functionName}(...), and pass that as the code.`,
    );
  // The program may import a tool with the skill's name.
  const isTaken = new RegExp(`(?<![\\w.])${functionName}(?!\\w)`).test(text);
  const { head, body } = splitImports(text.trimEnd().split("\n"));
  const lines = returnLast(body).map((line) => (line.trim() === "" ? "" : `    ${line}`));
  const taken = Object.entries(parameters).map(([name, value]) => `${name}: ${toType(value)}`);
  const from = lines.findIndex((line) => line !== "");
  const inner = from < 0 ? "" : lines.slice(from, lines.findLastIndex((line) => line !== "") + 1).join("\n");
  return [
    ...head,
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
  const runs = text
    .split("\n")
    .some((line) => /^[A-Za-z_]/.test(line) && !keyword.test(line) && !isAssignment(line));
  const isModule =
    readPythonFunction(text, functionName) !== undefined && !runs && !/^(?:return|await)\b/m.test(text);
  if (isModule && !isMarked) return text;
  if (isModule)
    throw programError(
      "Cannot mark parameters: the code defines a function, which has parameters of its own",
      undefined,
      "Omit the parameters, or pass the program without a function around it.",
    );
  return wrap(isMarked ? markParameters(text, parameters) : text, functionName, parameters);
};
