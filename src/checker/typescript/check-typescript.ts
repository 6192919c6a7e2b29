// Checks a TypeScript program against the servers it uses before anything runs: the rules first, then types.
import { posix } from "node:path";
import type { Node } from "oxc-parser";
import { type JsonObject, skillsName } from "../../contracts/index.js";
import type { CheckRequest, CheckResult, Finding } from "../check.js";
import { type SkillFunction, stripFence } from "../program.js";
import { applyRules, type LanguageRules, readManifest, toDiagnostics } from "../rules/apply-rules.js";
import { type BoundValues, bindInOrder } from "../rules/bind-values.js";
import { listParameters } from "../rules/check-built-ins.js";
import { checkNames } from "../rules/check-names.js";
import { checkSkillCalls, type SkillCall, type SkillRules } from "../rules/check-skill-calls.js";
import { toKnownServers } from "../rules/context.js";
import { findSchemaProblems } from "../rules/find-argument-problems.js";
import { findToolUses } from "../rules/find-tool-uses.js";
import type { Imported } from "../rules/tree.js";
import { readTypeScriptFunction } from "../skills/read-typescript-function.js";
import { checkAwaits } from "./check-awaits.js";
import { checkGlobalFiles, checkImports } from "./check-imports.js";
import { type AdapterContext, type Context, createLibrary, dialect } from "./dialect.js";
import { readText } from "./read-node.js";
import { findExportedUses, readSyntax, type Syntax } from "./read-syntax.js";
import { createTree } from "./tree.js";
import { createTypeChecker, findCompiler, type TypeChecker } from "./types/check-types.js";
import type { Compiler } from "./types/compiler.js";

interface OpenChecker {
  readonly check: (request: CheckRequest) => Promise<CheckResult>;
  readonly warm: () => Promise<void>;
  readonly isTyped: boolean;
  readonly close: () => void;
}

interface OpenCheckerOptions {
  /** Replaces the native compiler; `undefined` means no compiler. */
  readonly compiler?: Compiler | undefined;
}

export const openChecker = (options: OpenCheckerOptions = {}): OpenChecker => {
  const compiler = "compiler" in options ? options.compiler : findCompiler()?.open();
  const types = compiler === undefined ? undefined : createTypeChecker(compiler);
  return {
    check: (request) => check(request, types),
    warm: async () => types?.warm(),
    isTyped: compiler !== undefined,
    close: () => compiler?.close(),
  };
};

const read = (request: CheckRequest, code: string): AdapterContext => {
  const syntax = readSyntax(code);
  const tree = createTree(syntax);
  const known = toKnownServers(request);
  const library = createLibrary(known);
  const found = findToolUses({ tree, library, known, dialect, isSession: request.isSession });
  const exported = findExportedUses(syntax, library);
  const uses = {
    ...found,
    values: [...found.values, ...exported.values],
    hasDynamicCalls: found.hasDynamicCalls || exported.hasDynamicCalls || hasDynamicImport(syntax),
  };
  return { request, syntax, tree, known, uses, dialect, isProbed: (node) => isProbed(syntax, node as Node) };
};

/** An import whose module is only known at run time. */
const hasDynamicImport = ({ calls }: Syntax): boolean =>
  calls.some((call) => call.type === "ImportExpression" && readText(call.source) === undefined);

/** A member that is not called, or only if it exists, may be missing. */
const isProbed = ({ parentOf }: Syntax, node: Node): boolean => {
  if (node.type === "CallExpression") return node.optional;
  const call = parentOf(node);
  const isCalled = call?.type === "CallExpression" && call.callee === node && !call.optional;
  return !isCalled || (node.type === "MemberExpression" && node.optional);
};

/** Adapters see the same servers as the program that imports them. */
const readAdapters = (request: CheckRequest): ReadonlyMap<string, AdapterContext> =>
  new Map(
    (request.adapters ?? []).map(({ path, text }) => {
      const module = { file: path, folder: posix.dirname(path) };
      return [path, read({ ...request, text, module, isSession: false, declared: [] }, text)];
    }),
  );

const check = async (request: CheckRequest, types: TypeChecker | undefined): Promise<CheckResult> => {
  const bare =
    request.module === undefined ? stripFence(request.text) : { code: request.text, removedLines: 0 };
  const context: Context = { ...read(request, bare.code), adapters: readAdapters(request) };
  const own = applyRules(context, rules);
  const typed = types === undefined ? [] : await types.check(context).catch(toNotChecked);
  const findings = [...own, ...typed.filter((one) => !isAlreadyReported(context, own, one))];
  return { ...toDiagnostics(request, bare, findings), manifest: readManifest(context, request, bare) };
};

/** Names that the program does not declare, imported modules and string literals. */
const listMentions = ({ syntax, known }: Context): ReturnType<LanguageRules<Context>["listMentions"]> => [
  ...syntax.references.flatMap(({ name, binding, node }) =>
    binding === undefined ? [{ name, offset: node.start }] : [],
  ),
  ...syntax.imports.flatMap(({ source, specifiers }) => {
    const [folder, name] = known.toPath(source.value).split("/");
    if (folder !== "servers") return [];
    if (name !== undefined) return [{ name, offset: source.start }];
    return specifiers.map(({ local, start }) => ({ name: local.name, offset: start }));
  }),
  ...[...syntax.nodes()].flatMap((node) => {
    const name = readText(node);
    return name === undefined ? [] : [{ name, offset: node.start }];
  }),
];

const toNotChecked = (error: unknown): readonly Finding[] => [
  {
    severity: "warning",
    code: "NOT_CHECKED",
    offset: 0,
    message: `The types of the program were not checked: ${error instanceof Error ? error.message : "the compiler failed"}`,
  },
];

/** The compiler also reports wrong arguments, but our messages are clearer. */
const isAlreadyReported = ({ uses }: Context, own: readonly Finding[], { code, offset }: Finding): boolean =>
  code === "ARGUMENT_WRONG" &&
  uses.calls.some(
    ({ node: { start, end } }) =>
      start <= offset &&
      offset < end &&
      own.some((one) => one.code.startsWith("ARGUMENT_") && start <= one.offset && one.offset < end),
  );

/** `// @ts-nocheck` above the first statement; names and imports are still checked. */
const isUnchecked = (text: string): boolean => {
  for (let at = 0; ; ) {
    const rest = text.slice(at, at + 2);
    if (rest === "//") {
      const end = text.indexOf("\n", at);
      const line = text.slice(at + 2, end < 0 ? undefined : end);
      if (line.trimStart().startsWith("@ts-nocheck")) return true;
      if (end < 0) return false;
      at = end;
    } else if (rest === "/*") {
      const end = text.indexOf("*/", at + 2);
      if (end < 0) return false;
      at = end + 2;
    } else if (rest.trimStart() !== rest) at++;
    else return false;
  }
};

/** `// @ts-expect-error` on the line above. */
const isIgnored = (text: string, offset: number): boolean => {
  const before = text.slice(0, text.lastIndexOf("\n", offset - 1) + 1).trimEnd();
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return line.includes("@ts-ignore") || line.includes("@ts-expect-error");
};

/** The skill function that an import refers to. */
const findSkill = ({ known, adapters }: Context, { module, name }: Imported): SkillFunction | undefined => {
  const path = known.findAdapter(module);
  const adapter = path?.startsWith(`${skillsName}/`) === true ? adapters.get(path) : undefined;
  if (adapter === undefined || name === undefined) return undefined;
  const found = readTypeScriptFunction(adapter.syntax.text, name);
  // Rest parameters take any number of values.
  if (found === undefined || found.signature.includes("...")) return undefined;
  return found.name === name && found.isDefault === (name === "default") ? found : undefined;
};

const givenObject = "object";

const bindSkill = (
  { tree, dialect }: Context,
  { parameters, takes, signature }: SkillFunction,
  call: SkillCall,
): BoundValues | undefined => {
  // A default may replace all parameters.
  if (call.values.length === 0 && /=(?!>)/.test(signature)) return undefined;
  const names = takes === "object" ? [givenObject] : listParameters(parameters);
  const { value } = bindInOrder(tree, names, call, dialect);
  if (takes === "values" || value?.kind !== "object") return value && { value };
  // The one argument, or an empty object if there is none.
  return { value: value.fields.get(givenObject)?.value ?? value };
};

const isTyped = ({ properties }: JsonObject): boolean =>
  Object.values(properties ?? {}).some((one) => Object.keys(one as object).length > 0);

const skillRules: SkillRules<Context> = {
  find: findSkill,
  bind: bindSkill,
  wanted: "the skill's arguments",
  // A surplus argument does no harm, and an untyped parameter may be optional.
  isCertain: (_context, _finding, { skill: { parameters }, bound: { value } }) =>
    isTyped(parameters) &&
    value !== undefined &&
    findSchemaProblems(parameters, value).some(({ kind }) => kind !== "unknown"),
};

const rules: LanguageRules<Context> = {
  names: [
    checkImports,
    (context) => checkNames(context, ({ node }) => context.tree.lookUp(node) !== undefined),
    checkGlobalFiles,
  ],
  values: [(context) => checkSkillCalls(context, skillRules), checkAwaits],
  isUnchecked,
  isIgnored,
  listMentions,
};
