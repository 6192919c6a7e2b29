// Checks a program against the servers it uses before anything runs: names, imports, arguments, awaits, then types.
import { posix } from "node:path";
import type { CheckRequest, CheckResult, Finding } from "./check.js";
import { selectFindings } from "./diagnostics.js";
import { toPosition } from "./program-error.js";
import { checkAdvice } from "./rules/check-advice.js";
import { checkAwaits } from "./typescript/check-awaits.js";
import { checkGlobalFiles } from "./typescript/check-files.js";
import { checkImports } from "./typescript/check-imports.js";
import { checkNames } from "./rules/check-names.js";
import { checkOwnFunctions } from "./rules/check-own-functions.js";
import { checkSkillCalls } from "./typescript/check-skill-calls.js";
import { checkArguments, checkToolNames } from "./rules/check-tools.js";
import type { AdapterContext, Context } from "./rules/context.js";
import { findUnlisted, type Mention } from "./rules/unknown-names.js";
import { stripFence } from "./strip-fence.js";
import { readText } from "./typescript/read-node.js";
import { readSyntax } from "./typescript/read-syntax.js";
import { bindValues } from "./rules/bind-values.js";
import { findToolUses } from "./rules/find-tool-uses.js";
import { toKnownServers } from "./rules/known-servers.js";
import { toManifest } from "./rules/to-manifest.js";
import { createTypeChecker, type TypeChecker } from "./typescript/types/check-types.js";
import type { Compiler } from "./typescript/types/compiler.js";
import { findCompiler } from "./typescript/types/find-compiler.js";

interface OpenChecker {
  readonly check: (request: CheckRequest) => Promise<CheckResult>;
  readonly warm: () => Promise<void>;
  readonly isTyped: boolean;
  readonly close: () => void;
}

export interface OpenCheckerOptions {
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
  const known = toKnownServers(request);
  return { request, syntax, known, uses: findToolUses(syntax, known, request.isSession) };
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
    ...findUnlisted(context, () => listMentions(context)),
  ];
  const values = isUnchecked(code)
    ? []
    : [
        ...checkArguments(context),
        ...checkOwnFunctions(context),
        ...checkSkillCalls(context),
        ...checkAwaits(context),
      ];
  const own = [...names, ...values.filter(({ offset }) => !isIgnored(code, offset))];
  const typed = types === undefined ? [] : await types.check(context).catch(toNotChecked);
  return {
    diagnostics: selectFindings([
      ...own,
      ...typed.filter((one) => !isAlreadyReported(context, own, one)),
    ]).map(({ offset, ...finding }) => {
      const place = toPosition(code, offset);
      const file = request.module === undefined ? {} : { file: request.module.file };
      return { ...finding, ...file, ...place, line: place.line + removedLines };
    }),
    manifest: toManifest({
      ...uses,
      calls: uses.calls.map((call) => ({ ...call, value: bindValues(syntax, call).value })),
    }),
  };
};

/** Names that the program does not declare, imported modules and string literals. */
const listMentions = ({ syntax, known }: Context): readonly Mention[] => [
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

/** The author turned type checking off; names and imports are still checked. */
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

const isIgnored = (text: string, offset: number): boolean => {
  const before = text.slice(0, text.lastIndexOf("\n", offset - 1) + 1).trimEnd();
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return line.includes("@ts-ignore") || line.includes("@ts-expect-error");
};
