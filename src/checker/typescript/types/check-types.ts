// Compiles a program with the compiler of this machine and keeps only those messages that are certain.
import type { Finding } from "../../check.js";
import type { Context } from "../dialect.js";
import { findClassicCompiler, openClassicCompiler } from "./classic-compiler.js";
import { type Compiler, paths } from "./compiler.js";
import { createFileCache, type FileCache } from "./declaration-files.js";
import { describeSuspicion, describeUndeclared } from "./describe-suspicion.js";
import { judgeMessage, type Suspicion, type TypedContext } from "./judge-message.js";
import { findNativeCompiler, openNativeCompiler } from "./native-compiler.js";
import { type Variant, variants } from "./write-declarations.js";
import { writeProgram } from "./write-program.js";

/** Generous: a program whose types are not checked in time runs with a warning. */
const timeoutMs = 5000;

export interface TypeChecker {
  readonly check: (context: Context) => Promise<readonly Finding[]>;
  /** Starts the compiler, so that the first program does not wait for it. */
  readonly warm: () => Promise<void>;
}

export const createTypeChecker = (compiler: Compiler): TypeChecker => {
  const cache: FileCache = createFileCache();
  let turn: Promise<unknown> = Promise.resolve();

  const compile = async (text: string, variant: Variant) => {
    const isSame = cache.files.get(paths.variant) === variants[variant];
    cache.files.set(paths.program, text);
    cache.files.set(paths.variant, variants[variant]);
    const files = { read: (path: string) => cache.files.get(path), paths: () => cache.files.keys() };
    const changed = isSame ? [paths.program] : [paths.program, paths.variant];
    return compiler.compile({ files, changed, timeoutMs });
  };

  const checkNow = async (context: Context): Promise<readonly Finding[]> => {
    const written = writeProgram(context, cache);
    const typed: TypedContext = { ...context, declarations: written.declarations };
    const suspect = async (variant: Variant): Promise<readonly Suspicion[]> =>
      (await compile(written.text, variant)).flatMap((message) => {
        const offset = written.toOriginal(message.start);
        return judgeMessage(typed, message, offset) ?? [];
      });
    const found = await suspect("all");
    const doubtful = found.filter(({ isCertain }) => !isCertain);
    if (doubtful.length === 0) return found.map((one) => describeSuspicion(typed, one, "error"));
    const remaining = async (variant: Variant): Promise<ReadonlySet<number>> =>
      new Set((await suspect(variant)).map(({ offset }) => offset));
    const withoutAny = await remaining("none");
    const hasObserved = context.request.servers.some(({ observedTools }) => (observedTools?.size ?? 0) > 0);
    const withoutObserved = hasObserved ? await remaining("declaredOnly") : undefined;
    const mayBeOpen = doubtful.some(({ mayBeThere }) => mayBeThere === true);
    const withoutOpen = mayBeOpen ? await remaining("closedOnly") : undefined;
    return found.flatMap((one) => {
      if (one.isCertain) return [describeSuspicion(typed, one, "error")];
      // Errors that remain without any server's types come from the program's own types, and those do no harm.
      if (withoutAny.has(one.offset)) return [];
      const isObserved = withoutObserved !== undefined && !withoutObserved.has(one.offset);
      if (isObserved || one.isProbed) return [describeSuspicion(typed, one, "warning")];
      const isUndeclared = one.mayBeThere === true && withoutOpen?.has(one.offset) === false;
      return [
        isUndeclared
          ? describeUndeclared(typed, one)
          : describeSuspicion(typed, { ...one, mayBeThere: false }, "error"),
      ];
    });
  };

  return {
    // One program at a time: the compiler sees one set of files.
    check: (context) => {
      const next = turn.then(() => checkNow(context));
      turn = next.catch(() => undefined);
      return next;
    },
    warm: async () => {
      const next = turn.then(() => compile("console.log(1);\nexport {};\n", "all"));
      turn = next.catch(() => undefined);
      await turn;
    },
  };
};

export interface FoundCompiler {
  /** Includes the version, because another one may report different errors. */
  readonly name: string;
  readonly open: () => Compiler;
}

/** Starts nothing. Undefined if this platform has no native compiler and the classic one is not installed. */
export const findCompiler = (): FoundCompiler | undefined => {
  const native = findNativeCompiler();
  if (native !== undefined)
    return { name: `typescript ${native.version} (native)`, open: () => openNativeCompiler(native) };
  const classic = findClassicCompiler();
  if (classic === undefined) return undefined;
  return { name: `typescript ${classic.version} (classic)`, open: () => openClassicCompiler(classic) };
};
