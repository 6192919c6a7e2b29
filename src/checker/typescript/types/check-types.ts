// Compiles a program, keeps only those messages that are certain, and describes each so that it can be fixed.
import type { Node } from "oxc-parser";
import {
  type DiagnosticCode,
  didYouMean,
  type Finding,
  hintFields,
  quote,
  show,
  showSource,
} from "../../check.js";
import { nameTool, showSignature } from "../../rules/context.js";
import type { ToolCall } from "../../rules/find-tool-uses.js";
import type { Context } from "../dialect.js";
import { isFunction, readKey, unwrap } from "../read-node.js";
import { type Compiler, findClassicCompiler, openClassicCompiler, paths } from "./compiler.js";
import { createFileCache, type FileCache, type Variant, variants } from "./declaration-files.js";
import { judgeMessage, type Suspicion, type TypedContext } from "./judge-message.js";
import { findNativeCompiler, openNativeCompiler } from "./native-compiler.js";
import { listTypeFields } from "./printed-types.js";
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

interface FoundCompiler {
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

const codes: Readonly<Record<Suspicion["kind"], DiagnosticCode>> = {
  field: "FIELD_UNKNOWN",
  await: "AWAIT_MISSING",
  call: "NOT_CALLABLE",
  iterate: "NOT_ITERABLE",
  compare: "VALUE_IMPOSSIBLE",
  argument: "ARGUMENT_WRONG",
  "tool-member": "NOT_CALLABLE",
};

const describeSuspicion = (
  context: TypedContext,
  suspicion: Suspicion,
  severity: Finding["severity"],
): Finding => {
  const { kind, offset } = suspicion;
  return { severity, code: codes[kind], offset, ...describers[kind](context, suspicion) };
};

/** A field that an open schema does not declare. It may exist anyway. */
const describeUndeclared = (context: TypedContext, suspicion: Suspicion): Finding => {
  const { message, ...finding } = describeSuspicion(context, suspicion, "warning");
  return { ...finding, message: message.replace("there is no such field", undeclared) };
};

const undeclared = "the server declares no such field";

type Described = Pick<Finding, "message" | "hint">;

const textOf = ({ syntax }: TypedContext, { node, offset }: Suspicion): string =>
  node === undefined
    ? (/^[\w$.]+/.exec(syntax.text.slice(offset))?.[0] ?? "the value")
    : showSource(syntax.text, node);

/** The tool that returned the value, in words and as a signature. */
const findOrigin = (
  context: TypedContext,
  { node }: Suspicion,
): { readonly name: string; readonly signature: string } | undefined => {
  const call = node === undefined ? undefined : findSourceTool(context, node);
  if (call === undefined) return undefined;
  return {
    name: nameTool(call.server, call.tool),
    signature: showSignature(context, call.server, call.tool),
  };
};

const describeField = (context: TypedContext, suspicion: Suspicion): Described => {
  const { name, type } = suspicion;
  const { request } = context;
  const list = /^([\s\S]*)\[\]$/.exec(type)?.[1];
  const fields = listTypeFields(list ?? type, context.declarations);
  const near = list === undefined ? request.nearestNames(name, fields) : [];
  const origin = findOrigin(context, suspicion);
  const of = origin === undefined ? "" : ` in the result of ${quote(origin.name)}`;
  const reason =
    list === undefined
      ? `there is no such field${of}${didYouMean(near)}`
      : `it is an array${of}, ${fields.includes(name) ? `its items have ${quote(name)}` : "look at its items"}`;
  return {
    message: `Cannot read ${quote(name)} of ${quote(textOf(context, suspicion))}: ${reason}`,
    hint: hintFields(fields, { ofItems: list !== undefined, signature: origin?.signature }),
  };
};

const describeAwait = (context: TypedContext, suspicion: Suspicion): Described => {
  const used = textOf(context, suspicion);
  const origin = findOrigin(context, suspicion);
  const wanted = suspicion.name === "" ? "as a value" : `to read ${quote(suspicion.name, 40)}`;
  return {
    message: `Cannot use ${quote(used)} ${wanted}: it is a promise, an "await" is missing${origin === undefined ? "" : ` before ${quote(`${origin.name}(…)`)}`}`,
    hint: `Write (await ${used})`,
  };
};

const describers: Readonly<
  Record<Suspicion["kind"], (context: TypedContext, suspicion: Suspicion) => Described>
> = {
  field: describeField,
  await: describeAwait,
  call: (context, suspicion) => ({
    message: `Cannot call ${quote(textOf(context, suspicion))}: it is ${show(suspicion.type, 60)}, not a function`,
    hint: findOrigin(context, suspicion)?.signature,
  }),
  iterate: (context, suspicion) => {
    const fields = listTypeFields(suspicion.type, context.declarations);
    return {
      message: `Cannot iterate over ${quote(textOf(context, suspicion))}: it is ${suspicion.type.startsWith("{") || fields.length > 0 ? "an object" : show(suspicion.type, 60)}`,
      hint: hintFields(fields, { ofItems: false, signature: undefined }),
    };
  },
  compare: (_context, { type, name }) => ({
    message: `Comparing ${show(type, 120)} with ${show(name, 60)} is never true: the server declares other values`,
  }),
  argument: (context, { offset, node, type, name }) => {
    const { syntax, uses } = context;
    const call = uses.calls.find(({ values }) =>
      values.some(({ start, end }) => start <= offset && offset < end),
    );
    const holder = node === undefined ? undefined : syntax.parentOf(node);
    const key = holder?.type === "Property" ? readKey(holder) : undefined;
    const what = key === undefined ? "an argument" : `argument ${quote(key)}`;
    const wrong = `${what} is ${show(type, 60)}, expected ${show(name, 160)}`;
    return call === undefined
      ? { message: `Cannot call the tool: ${wrong}` }
      : {
          message: `Cannot call ${quote(nameTool(call.server, call.tool))}: ${wrong}`,
          hint: showSignature(context, call.server, call.tool),
        };
  },
  "tool-member": (context, suspicion) => ({
    message: `Cannot read ${quote(suspicion.name)} of ${quote(textOf(context, suspicion))}: it is a tool, call it`,
    hint: `Write (await ${textOf(context, suspicion)}({ … })).${show(suspicion.name, 40)}`,
  }),
};

const maxDepth = 20;

/** The call behind an expression, followed through variables, fields, loops and callbacks; undefined if it is not obvious. */
const findSourceTool = (context: Context, start: Node, depth = 0): ToolCall | undefined => {
  if (depth > maxDepth) return undefined;
  const { syntax, uses } = context;
  const follow = (node: Node | null | undefined): ToolCall | undefined =>
    node == null ? undefined : findSourceTool(context, node, depth + 1);
  const node = unwrap(start);
  switch (node.type) {
    case "AwaitExpression":
      return follow(node.argument);
    case "MemberExpression":
      return follow(node.object);
    case "LogicalExpression":
      return follow(node.left);
    case "CallExpression":
      return uses.callOf(node) ?? follow(node.callee);
    case "Identifier": {
      const binding = syntax.bindingOf(node);
      if (binding === undefined) return undefined;
      const { declaration } = binding;
      if (declaration.type === "VariableDeclarator") {
        const holder = syntax.parentOf(declaration);
        const loop = holder === undefined ? undefined : syntax.parentOf(holder);
        return follow(declaration.init ?? (loop?.type === "ForOfStatement" ? loop.right : undefined));
      }
      // A callback's parameter is an item of the list that the method was called on.
      const call = isFunction(declaration) ? syntax.parentOf(declaration) : undefined;
      return call?.type === "CallExpression" && call.callee !== declaration ? follow(call.callee) : undefined;
    }
    default:
      return undefined;
  }
};
