// A Python program → the module of a skill: what ran once becomes a function, marked literals its parameters.
import type { Json } from "../../contracts/index.js";
import { programError } from "../program-error.js";
import { stripFence } from "../strip-fence.js";
import { readPythonFunction } from "./read-python-function.js";
import type { SkillProgram } from "./to-typescript-skill.js";

interface Token {
  readonly kind: "text" | "comment" | "other";
  readonly start: number;
  readonly end: number;
}

const tokenPattern =
  /(?<comment>#[^\n]*)|(?<text>\b(?:[rRbBuUfF]{1,2})?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<other>-?\b\d+(?:\.\d+)?\b|\b(?:True|False)\b)/g;

const listTokens = (text: string): readonly Token[] =>
  [...text.matchAll(tokenPattern)].map((match) => ({
    kind:
      match.groups?.comment !== undefined ? "comment" : match.groups?.text !== undefined ? "text" : "other",
    start: match.index,
    end: match.index + match[0].length,
  }));

/** The value of a literal; undefined for one with a prefix or an escape, which is not taken for another. */
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

/** Takes the lines `name = value` away whose place a parameter takes: those that alone bind its name. */
const dropDeclarations = (text: string, parameters: SkillProgram["parameters"]) => {
  const left: Record<string, Json> = {};
  let rest = text;
  for (const [name, value] of Object.entries(parameters)) {
    const line = identifier.test(name)
      ? new RegExp(`^${name}[ \\t]*(?::[^=\\n]+)?=[ \\t]*([^=\\s#][^#\\n]*?)[ \\t]*(?:#.*)?$\\n?`, "m").exec(
          rest,
        )
      : null;
    const without = line === null ? rest : rest.replace(line[0], "");
    const isIt = line !== null && readToken(line[1] ?? "") === value && !binds(without, name);
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
        "Give each parameter the value as it stands in the program.",
      );
    edits.push(...found.map(({ start, end }) => ({ start, end, name })));
  }
  return edits
    .sort((one, other) => other.start - one.start)
    .reduce((all, { start, end, name }) => all.slice(0, start) + name + all.slice(end), text);
};

const keyword =
  /^(?:return|if|for|while|with|try|def|class|import|from|raise|pass|assert|del|global|nonlocal|async|else|elif|except|finally|break|continue|match|@)/;
const assignment = /^[^=()"'#]*(?:\[[^\]]*\])?\s*(?::[^=]+)?(?:[+\-*/%&|^@]|\/\/|\*\*|>>|<<)?=(?!=)/;

/** A program's last expression is its value; in a function it has to be returned. */
const returnLast = (lines: readonly string[]): readonly string[] => {
  const starts = lines.flatMap((line, at) => (/^[^\s#)\]}]/.test(line) ? [at] : []));
  const last = starts.at(-1);
  const line = last === undefined ? "" : (lines[last] ?? "");
  if (last === undefined || keyword.test(line) || assignment.test(line)) return lines;
  return lines.with(last, `return ${line}`);
};

/** Imports stay at the top of the module; one in brackets goes over several lines. */
const splitImports = (lines: readonly string[]): { readonly head: string[]; readonly body: string[] } => {
  const head: string[] = [];
  const body: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const isImport = isOpen || /^(?:import|from)\s/.test(line);
    (isImport ? head : body).push(line);
    if (isImport) isOpen = isOpen ? !line.includes(")") : /\([^)]*$/.test(line) || line.endsWith("\\");
  }
  return { head, body };
};

const wrap = (text: string, functionName: string, parameters: SkillProgram["parameters"]): string => {
  const isBroken = listTokens(text).some(
    ({ kind, start, end }) => kind === "text" && text.slice(start, end).includes("\n"),
  );
  if (isBroken)
    throw programError(
      "Cannot make a function of the program: it has a text over several lines, which cannot be moved",
      undefined,
      `Write the function yourself: async def ${functionName}(...), and give that as the code.`,
    );
  // A tool that the program imports may be called as the skill is.
  const isTaken = new RegExp(`(?<![\\w.])${functionName}(?!\\w)`).test(text);
  const { head, body } = splitImports(text.trimEnd().split("\n"));
  const lines = returnLast(body).map((line) => (line.trim() === "" ? "" : `    ${line}`));
  const taken = Object.entries(parameters).map(([name, value]) => `${name}: ${toType(value)}`);
  const inner = lines.join("\n").replace(/^\n+|\n+$/g, "");
  return [
    ...head,
    ...(head.length > 0 ? ["", ""] : []),
    `async def ${functionName}${isTaken ? "_skill" : ""}(${taken.join(", ")}):`,
    inner === "" ? "    pass" : inner,
    "",
  ].join("\n");
};

/** Code whose top level only defines things is a module already; a program becomes one. */
export const toPythonSkill = ({ code, functionName, parameters }: SkillProgram): string => {
  const { code: text } = stripFence(code);
  const isMarked = Object.keys(parameters).length > 0;
  const runs = text
    .split("\n")
    .some((line) => /^[A-Za-z_]/.test(line) && !keyword.test(line) && !assignment.test(line));
  const isModule =
    readPythonFunction(text, functionName) !== undefined && !runs && !/^(?:return|await)\b/m.test(text);
  if (isModule && !isMarked) return text;
  if (isModule)
    throw programError(
      "Cannot mark parameters: the code defines a function, which has parameters of its own",
      undefined,
      "Leave the parameters out, or give the program without a function around it.",
    );
  return wrap(isMarked ? markParameters(text, parameters) : text, functionName, parameters);
};
