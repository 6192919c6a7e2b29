// Checks a Python program against the servers it uses before anything runs: the rules first, then types.
import type { CheckRequest, CheckResult, Finding } from "../check.js";
import { stripFence } from "../program.js";
import { applyRules, type LanguageRules, readManifest, toDiagnostics } from "../rules/apply-rules.js";
import { checkNames } from "../rules/check-names.js";
import { checkSkillCalls } from "../rules/check-skill-calls.js";
import { type KnownServers, type RuleContext, toKnownServers } from "../rules/context.js";
import { findToolUses, type ToolUses } from "../rules/find-tool-uses.js";
import { checkFields } from "./check-fields.js";
import type { PythonSyntax } from "./collect-names.js";
import { createLibrary, dialect, libraryName, type PythonContext } from "./dialect.js";
import { isGuarded } from "./guards.js";
import { parsePython } from "./parse-python.js";
import { checkAwaits, checkImports, skillRules } from "./python-rules.js";
import type { PythonNode } from "./syntax/node.js";
import { isGuessed } from "./syntax/syntax-tree.js";
import { createTree } from "./tree.js";

/** Larger texts are not hand-written programs. */
const maxCharacters = 200_000;

/** Undefined if the parser is unsure about the text. */
const readPython = (text: string): PythonSyntax | undefined => {
  const parsed = text.length > maxCharacters ? undefined : parsePython(text);
  return parsed === undefined || isGuessed(parsed.top) ? undefined : parsed.syntax;
};

const toContext = (request: CheckRequest, syntax: PythonSyntax): PythonContext => {
  const { isSession } = request;
  const known = toKnownServers(request);
  const tree = createTree(syntax, isSession);
  const isAdapter = (server: string, name: string): boolean =>
    request.adapterNames?.get(server)?.includes(name) === true;
  const library = createLibrary({ syntax, known, isAdapter });
  const found = findToolUses({ tree, library, known, dialect, isSession });
  const uses = { ...found, hasDynamicCalls: found.hasDynamicCalls || hidesCalls(syntax, known) };
  const isProbed: RuleContext["isProbed"] = (node) => mayFail({ syntax, uses }, node as PythonNode);
  return { request, syntax, tree, library, known, uses, dialect, isProbed };
};

/** A star import of tools, whose names are not in the text, or a rebound name that may still refer to a server. */
const hidesCalls = ({ nodes, bindings }: PythonSyntax, known: KnownServers): boolean =>
  bindings.some(({ name, sites }) => known.isGlobal(name) && sites.some(({ kind }) => kind === "assign")) ||
  nodes.some(
    (node) =>
      node.kind === "import" &&
      /^mcp(?:_tools)?\./.test(node.module ?? "") &&
      node.names.some(({ name }) => name === "*"),
  );

/** Assigning to a member creates it. */
const mayFail = (
  context: { readonly syntax: PythonSyntax; readonly uses: ToolUses },
  node: PythonNode,
): boolean => {
  const parent = context.syntax.parentOf(node);
  return (parent?.kind === "assign" && parent.value !== node) || isGuarded(context, node);
};

/** These create names that do not appear in the text. */
const makers = new Set(["exec", "eval", "globals", "locals", "vars", "setattr", "__builtins__", "builtins"]);

const checkBoundNames = (context: PythonContext): readonly Finding[] => {
  const { syntax, tree } = context;
  const hasMaker =
    tree.references.some(({ name }) => makers.has(name)) ||
    syntax.nodes.some((node) => node.kind === "imported" && node.name === "*");
  // Code that tests the Python version expects names to be missing.
  if (hasMaker || /\b(?:NameError|version_info)\b/.test(syntax.text)) return [];
  return checkNames(context, ({ name }) => tree.declared.has(name) || /^_$|^__/.test(name));
};

/** `# type: ignore` turns the check off for a line, or for the whole program if it is at the top. */
const isIgnored = (text: string, offset: number): boolean => {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  return /#\s*type:\s*ignore\b/.test(text.slice(start, end < 0 ? undefined : end));
};

/** A comment on its own line above the first statement. */
const isUnchecked = (text: string): boolean => {
  for (const written of text.split("\n")) {
    const line = written.trim();
    if (line === "") continue;
    if (!line.startsWith("#")) return false;
    if (/^#\s*type:\s*ignore$/.test(line)) return true;
  }
  return false;
};

/** Names that the program does not bind, imported modules and string literals. */
const listMentions = ({
  syntax,
}: PythonContext): ReturnType<LanguageRules<PythonContext>["listMentions"]> => [
  ...syntax.references.flatMap(({ node, binding }) =>
    binding === undefined ? [{ name: node.name, offset: node.start }] : [],
  ),
  ...syntax.nodes.flatMap((node) => {
    if (node.kind === "text") return [{ name: node.value, offset: node.start }];
    if (node.kind !== "import") return [];
    const paths = node.names.map(({ name }) => (node.module === undefined ? name : `${node.module}.${name}`));
    return paths.flatMap((path) => {
      const [folder, server] = path.replace(/^mcp\.servers\./, `${libraryName}.`).split(".");
      return folder === libraryName && server !== undefined ? [{ name: server, offset: node.start }] : [];
    });
  }),
];

const rules: LanguageRules<PythonContext> = {
  names: [checkImports, checkBoundNames],
  values: [(context) => checkSkillCalls(context, skillRules), checkFields, checkAwaits],
  isUnchecked,
  isIgnored,
  listMentions,
};

/** The result if the text cannot be parsed reliably: no findings, and any tool may be called. */
const uncheckedResult: CheckResult = {
  diagnostics: [],
  manifest: { calls: [], hasDynamicCalls: true },
  isGuessed: true,
};

interface Judged {
  readonly result: CheckResult;
  /** Undefined if the text could not be parsed reliably. */
  readonly context?: PythonContext | undefined;
  readonly findings: readonly Finding[];
}

const judge = (request: CheckRequest): Judged => {
  const bare = stripFence(request.text);
  const syntax = readPython(bare.code);
  if (syntax === undefined) return { result: uncheckedResult, findings: [] };
  const context = toContext(request, syntax);
  const findings = applyRules(context, rules);
  const reported = toDiagnostics(request, bare, findings);
  return { result: { ...reported, manifest: readManifest(context, request, bare) }, context, findings };
};

/** Uses only our own rules. */
export const checkPython = (request: CheckRequest): CheckResult => judge(request).result;

/** Uses our own rules first, then a type checker for programs that pass them. */
export const checkTypedPython = async (request: CheckRequest): Promise<CheckResult> => {
  const { result, context, findings } = judge(request);
  const { pythonTypes } = request;
  const isRefused = findings.some(({ severity }) => severity === "error");
  if (pythonTypes === undefined || context === undefined || isRefused) return result;
  const { text } = context.syntax;
  if (pythonTypes.checker === "off" || isUnchecked(text)) return result;
  const { checkPythonTypes } = await import("./types/check-types.js");
  const typed = await checkPythonTypes(context, pythonTypes);
  const reported = typed.filter(({ offset }) => !isIgnored(text, offset));
  return { ...result, ...toDiagnostics(request, stripFence(request.text), [...findings, ...reported]) };
};
