// Checks a program against the servers it reaches, before anything runs: names, imports, arguments, awaits, then types.
import { posix } from "node:path";
import type { CheckerReport, CheckRequest, CheckResult, Finding } from "./check.js";
import { toPosition } from "./program-error.js";
import { rememberChecks } from "./remember-checks.js";
import { checkAdvice } from "./rules/check-advice.js";
import { checkAwaits } from "./rules/check-awaits.js";
import { checkGlobalFiles } from "./rules/check-files.js";
import { checkImports } from "./rules/check-imports.js";
import { checkNames } from "./rules/check-names.js";
import { checkArguments, checkToolNames } from "./rules/check-tools.js";
import type { AdapterContext, Context } from "./rules/context.js";
import { selectFindings } from "./select-findings.js";
import { stripFence } from "./strip-fence.js";
import { readSyntax } from "./syntax/read-syntax.js";
import { bindValues } from "./tools/bind-values.js";
import { findToolUses } from "./tools/find-tool-uses.js";
import { toKnownServers } from "./tools/known-servers.js";
import { toManifest } from "./tools/to-manifest.js";
import { createTypeChecker, type TypeChecker } from "./types/check-types.js";
import { findClassicCompiler, openClassicCompiler } from "./types/classic-compiler.js";
import type { Compiler } from "./types/compiler.js";
import { findNativeCompiler, openNativeCompiler } from "./types/native-compiler.js";

interface OpenChecker {
  readonly check: (request: CheckRequest) => Promise<CheckResult>;
  readonly warm: () => Promise<void>;
  readonly report: CheckerReport;
  readonly close: () => void;
}

export interface OpenCheckerOptions {
  /** Instead of the native compiler; `undefined` is none. */
  readonly compiler?: Compiler | undefined;
}

export const openChecker = (options: OpenCheckerOptions = {}): OpenChecker => {
  const compiler = "compiler" in options ? options.compiler : openCompiler();
  const types = compiler === undefined ? undefined : createTypeChecker(compiler);
  return {
    check: rememberChecks((request) => check(request, types), compiler?.name),
    warm: async () => types?.warm(),
    report:
      compiler === undefined
        ? { isTyped: false, compiler: `none for ${process.platform} ${process.arch}` }
        : { isTyped: true, compiler: compiler.name },
    close: () => compiler?.close(),
  };
};

const openCompiler = (): Compiler | undefined => {
  const native = findNativeCompiler();
  if (native !== undefined) return openNativeCompiler(native);
  const classic = findClassicCompiler();
  return classic === undefined ? undefined : openClassicCompiler(classic);
};

const read = (request: CheckRequest, code: string): AdapterContext => {
  const syntax = readSyntax(code);
  const known = toKnownServers(request);
  return { request, syntax, known, uses: findToolUses(syntax, known, request.isSession) };
};

/** Adapters see the same servers as the program that they come with. */
const readAdapters = (request: CheckRequest): ReadonlyMap<string, AdapterContext> =>
  new Map(
    (request.adapters ?? []).map(({ path, text }) => {
      const module = { file: path, folder: posix.dirname(path) };
      return [path, read({ ...request, text, module, isSession: false, declared: [] }, text)];
    }),
  );

const check = async (request: CheckRequest, types: TypeChecker | undefined): Promise<CheckResult> => {
  const { code, removedLines } =
    request.module === undefined ? stripFence(request.text) : { code: request.text, removedLines: 0 };
  const context: Context = { ...read(request, code), adapters: readAdapters(request) };
  const { syntax, uses } = context;
  const names = [
    ...checkImports(context),
    ...checkToolNames(context),
    ...checkNames(context),
    ...checkGlobalFiles(context),
    ...checkAdvice(context),
  ];
  const values = isUnchecked(code) ? [] : [...checkArguments(context), ...checkAwaits(context)];
  const own = [...names, ...values.filter(({ offset }) => !isIgnored(code, offset))];
  const typed = types === undefined ? [] : await types.check(context).catch(toNotChecked);
  return {
    diagnostics: selectFindings([...own, ...typed.filter((one) => !isToldAlready(context, own, one))]).map(
      ({ offset, ...finding }) => {
        const place = toPosition(code, offset);
        const file = request.module === undefined ? {} : { file: request.module.file };
        return { ...finding, ...file, ...place, line: place.line + removedLines };
      },
    ),
    manifest: toManifest({
      ...uses,
      calls: uses.calls.map((call) => ({ ...call, value: bindValues(syntax, call).value })),
    }),
  };
};

const toNotChecked = (error: unknown): readonly Finding[] => [
  {
    severity: "warning",
    code: "NOT_CHECKED",
    offset: 0,
    message: `The types of the program were not checked: ${error instanceof Error ? error.message : "the compiler failed"}`,
  },
];

/** The compiler sees wrong arguments too; our own words for them are better. */
const isToldAlready = ({ uses }: Context, own: readonly Finding[], { code, offset }: Finding): boolean =>
  code === "ARGUMENT_WRONG" &&
  uses.calls.some(
    ({ node: { start, end } }) =>
      start <= offset &&
      offset < end &&
      own.some((one) => one.code.startsWith("ARGUMENT_") && start <= one.offset && one.offset < end),
  );

/** The author has asked for no check of types; names and imports are checked all the same. */
const isUnchecked = (text: string): boolean =>
  /^\s*(?:\/\/[^\n]*\n\s*|\/\*[\s\S]*?\*\/\s*)*?\/\/\s*@ts-nocheck/.test(text);

const isIgnored = (text: string, offset: number): boolean => {
  const before = text.slice(0, text.lastIndexOf("\n", offset - 1) + 1).trimEnd();
  return /@ts-(?:ignore|expect-error)/.test(before.slice(before.lastIndexOf("\n") + 1));
};
