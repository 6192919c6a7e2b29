// Checks a Python program against the servers it uses before anything runs: names, imports, arguments, fields.
import type { CheckRequest, CheckResult, Finding } from "../check.js";
import { selectFindings } from "../diagnostics.js";
import { tooComplex, toPosition } from "../program-error.js";
import { checkPythonAdvice } from "../rules/check-advice.js";
import type { PythonContext } from "../rules/context.js";
import { findUnlisted, type Mention } from "../rules/unknown-names.js";
import { stripFence } from "../strip-fence.js";
import { toKnownServers } from "../rules/known-servers.js";
import { toManifest } from "../rules/to-manifest.js";
import { collectNames } from "./collect-names.js";
import type { PythonSyntax } from "./scope.js";
import { checkAwaits } from "./check-awaits.js";
import { checkFields } from "./check-fields.js";
import { checkImports } from "./check-imports.js";
import { checkNames } from "./check-names.js";
import { checkOwnFunctions } from "./check-own-functions.js";
import { checkArguments, checkToolNames } from "./check-tools.js";
import { readStatements } from "./syntax/read-statements.js";
import { isGuessed, isTooDeep, parseTree } from "./syntax/syntax-tree.js";
import { bindCall } from "./bind-call.js";
import { libraryName } from "./entity.js";
import { findToolUses } from "./find-tool-uses.js";

/** Larger texts are not hand-written programs. */
const maxCharacters = 200_000;

/** Undefined if the parser is unsure about the text. Throws PROGRAM_INVALID for nesting that Python would not compile. */
const readPython = (text: string): PythonSyntax | undefined => {
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

/** Total number of lookup steps for resolving names. */
const maxLookups = 2_000_000;

const toContext = (request: CheckRequest, syntax: PythonSyntax): PythonContext => {
  const known = toKnownServers(request);
  const sites = { isSession: request.isSession, budget: { left: maxLookups } };
  const isAdapter = (server: string, name: string): boolean =>
    request.adapterNames?.get(server)?.includes(name) === true;
  return { request, syntax, known, sites, uses: findToolUses(syntax, known, { ...sites, isAdapter }) };
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
const listMentions = ({ syntax }: PythonContext): readonly Mention[] => [
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

const findAll = (context: PythonContext): readonly Finding[] => {
  const { text } = context.syntax;
  const names = [
    ...checkImports(context),
    ...checkToolNames(context),
    ...checkNames(context),
    ...checkPythonAdvice(context),
    ...findUnlisted(context, () => listMentions(context)),
  ];
  const values = isUnchecked(text)
    ? []
    : [
        ...checkArguments(context),
        ...checkOwnFunctions(context),
        ...checkFields(context),
        ...checkAwaits(context),
      ];
  return [...names, ...values.filter(({ offset }) => !isIgnored(text, offset))];
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

const toDiagnostics = ({ text }: CheckRequest, findings: readonly Finding[]): CheckResult["diagnostics"] => {
  const { code, removedLines } = stripFence(text);
  return selectFindings(findings).map(({ offset, ...finding }) => {
    const place = toPosition(code, offset);
    return { ...finding, ...place, line: place.line + removedLines };
  });
};

const judge = (request: CheckRequest): Judged => {
  const syntax = readPython(stripFence(request.text).code);
  if (syntax === undefined) return { result: uncheckedResult, findings: [] };
  const context = toContext(request, syntax);
  const { uses, sites } = context;
  const findings = findAll(context);
  const manifest = toManifest({
    ...uses,
    calls: uses.calls.map((call) => ({
      ...call,
      value: bindCall({ syntax, sites }, { ...call, schema: call.tool.inputSchema }).value,
    })),
  });
  return { result: { diagnostics: toDiagnostics(request, findings), manifest }, context, findings };
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
  return { ...result, diagnostics: toDiagnostics(request, [...findings, ...reported]) };
};
