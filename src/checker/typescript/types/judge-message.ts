// Judges a compiler message: what it says about the program, and whose types it depends on.
import type { Node } from "oxc-parser";
import type { Context } from "../dialect.js";
import { readKey, unwrap } from "../read-node.js";
import type { Syntax } from "../read-syntax.js";
import type { CompilerMessage } from "./compiler.js";
import { canFit, isPromise, splitUnion } from "./printed-types.js";

/** A group of messages that is judged in the same way. */
type Family = "property" | "call" | "iterate" | "operator" | "compare" | "argument";

/**
 * All other messages are ignored, because a program with them can still run:
 * values that may be null or undefined (2531–2533, 18046–18049), implicit any (7xxx), names and modules (2304, 2552, 2305,
 * 2307: our own rules know them better), numbers of arguments to the program's own functions (2554, 2555), arithmetic on
 * dates and texts (2362, 2363), types that are not declared (2503, 2749), overloads (2769), unreachable code, `return` at
 * the top level (1108), and every mismatch between the program's own types.
 */
const families: ReadonlyMap<number, Family> = new Map([
  // The property does not exist. Certain if a server declares the type, or if it is a promise.
  [2339, "property"],
  [2551, "property"],
  // The expression is not callable, or cannot be constructed.
  [2349, "call"],
  [2351, "call"],
  // It cannot be iterated, spread or destructured as a list.
  [2488, "iterate"],
  [2461, "iterate"],
  [2495, "iterate"],
  [2504, "iterate"],
  [2548, "iterate"],
  [2549, "iterate"],
  [2763, "iterate"],
  // An operator on a promise.
  [2365, "operator"],
  [2362, "operator"],
  [2363, "operator"],
  // A comparison that is never true: a warning if a server declares one side.
  [2367, "compare"],
  // A value that does not fit. Certain only in a tool's arguments, and only if no value of its type would fit.
  [2345, "argument"],
  [2322, "argument"],
  [2820, "argument"],
]);

export interface TypedContext extends Context {
  /** The declarations that the program uses. */
  readonly declarations: readonly string[];
}

/** A message that may be a mistake. `offset` refers to the program. */
export interface Suspicion {
  readonly offset: number;
  readonly kind: "field" | "await" | "call" | "iterate" | "compare" | "argument" | "tool-member";
  /** The type in question. */
  readonly type: string;
  /** The field, or the expected type. */
  readonly name: string;
  /** The expression in question. */
  readonly node: Node | undefined;
  /** Certain whatever the servers declare. Otherwise it counts only if it depends on their declarations. */
  readonly isCertain: boolean;
  /** A field that may exist although no server declares it. */
  readonly mayBeThere?: boolean | undefined;
  /** The author expects that it may be missing, or only some values lack it. */
  readonly isProbed: boolean;
}

const ofType = /Property '(.+?)' does not exist on type '([\s\S]*)'\.(?: Did you mean|$)/;
const notAssignable =
  /(?:Type|Argument of type) '([\s\S]*)' is not assignable to (?:type|parameter of type) '([\s\S]*)'\./;
/** Built-in types: a method that they lack cannot be called. */
const builtIn =
  /^(?:string|number|boolean|bigint|symbol|"[\s\S]*"|-?\d[\d.]*|true|false|[\s\S]*\[\]|\[[\s\S]*\]|(?:Weak)?(?:Map|Set)<[\s\S]*|Date|RegExp|JSON|Math|Console|\w+Constructor)$/;

/** Built-in objects whose members are all declared in world.d.mts. */
const ownTypes =
  /^(?:Skills|MemoryFunctions|WorkspaceHelpers|WorkspaceGlobals|FilePromises|HandleFunctions|ValueHandle<[\s\S]*>)$/;

export const judgeMessage = (
  context: TypedContext,
  { code, text, chain }: CompilerMessage,
  offset: number,
): Suspicion | undefined => {
  const base = { offset, name: "", node: undefined, isCertain: false, isProbed: false };
  switch (families.get(code)) {
    case "property":
      return judgeProperty(context, text, chain, offset);
    case "call": {
      const type = /Type '([\s\S]*)' has no (?:call|construct) signatures/.exec(chain.join("\n"))?.[1];
      if (type === undefined || chain.some((one) => /constituent|union type/.test(one))) return undefined;
      const isCertain = isPromise(type) || /^(?:string|number|boolean|"[\s\S]*"|\d+|[^{}]*\[\])$/.test(type);
      return { ...base, kind: isPromise(type) ? "await" : "call", type, isCertain };
    }
    case "iterate": {
      const type = /Type '([\s\S]*?)' (?:must have|is not an array|is not)/.exec(text)?.[1] ?? "";
      if (splitUnion(type).length !== 1) return undefined;
      return isPromise(type)
        ? { ...base, kind: "await", type, isCertain: true }
        : { ...base, kind: "iterate", type };
    }
    case "operator":
    case "compare": {
      const type = /'(Promise<[^']*>)'/.exec(text)?.[1];
      if (type !== undefined && !/'Promise<[^']*>' and '(?:any|Promise<)/.test(text))
        return { ...base, kind: "await", type, isCertain: true };
      const sides = /types '([\s\S]*)' and '([\s\S]*)' have no overlap/.exec(text);
      return sides?.[1] === undefined
        ? undefined
        : { ...base, kind: "compare", type: sides[1], name: sides[2] ?? "", isProbed: true };
    }
    case "argument":
      return judgeArgument(context, [text, ...chain], offset);
    default:
      return undefined;
  }
};

const judgeProperty = (
  context: TypedContext,
  text: string,
  chain: readonly string[],
  offset: number,
): Suspicion | undefined => {
  const [, name, type] = ofType.exec(text) ?? [];
  if (name === undefined || type === undefined) return undefined;
  if (["never", "unknown", "object", "Server", "ServersByName", "typeof globalThis"].includes(type))
    return undefined;
  const place = findMember(context, offset);
  // Assigning to it creates it, and a reassigned variable may hold anything by now.
  if (place?.isWritten === true) return undefined;
  if (place?.object !== undefined && isReassigned(context, place.object)) return undefined;
  const base = { offset, name, type, node: place?.object, isProbed: place?.isProbed === true };
  // Reported at the promise, as our own rule does.
  if (isPromise(type))
    return {
      ...base,
      offset: place?.object?.start ?? offset,
      kind: "await",
      isCertain: true,
      isProbed: false,
    };
  if (/^(?:ToolOf|DeclaredTool|OpenTool|ObservedTool)</.test(type))
    return { ...base, kind: "tool-member", isCertain: true, isProbed: false };
  // Some members of a union may have it, and the program may have checked which one it is.
  const isUnion = chain.length > 0 || splitUnion(type).length > 1;
  if (isUnion && isFieldSomewhere(context, name)) return undefined;
  // An earlier program of the session may have declared the name of a built-in object.
  const isOwn = ownTypes.test(type) && !context.request.isSession;
  return {
    ...base,
    kind: "field",
    isCertain: place?.isCalled === true && (isOwn || lacksMethod(type, name)),
    // Answers contain no functions, and lists have no fields.
    mayBeThere: place?.isCalled !== true && !builtIn.test(type),
  };
};

/** Whether a built-in type has no such method, neither in the compiler's library nor in this engine. */
const lacksMethod = (type: string, name: string): boolean => {
  if (!builtIn.test(type)) return false;
  const known: Record<string, unknown> = { string: "", number: 0, boolean: true, bigint: 0n, JSON, Math };
  const globals = globalThis as unknown as Record<
    string,
    { readonly prototype?: object | undefined } | undefined
  >;
  const [, className = ""] = /^(\w+?)(?:<[\s\S]*>|Constructor)?$/.exec(type) ?? [];
  const value = type.endsWith("]")
    ? []
    : type.startsWith('"')
      ? ""
      : (known[type] ?? (type.endsWith("Constructor") ? globals[className] : globals[className]?.prototype));
  return value != null && !(name in Object(value));
};

const isFieldSomewhere = ({ declarations }: TypedContext, name: string): boolean => {
  const keys = [name, JSON.stringify(name)].flatMap((key) => [`${key}:`, `${key}?:`]);
  return declarations.some((source) => keys.some((key) => source.includes(key)));
};

interface FoundMember {
  readonly object: Node | undefined;
  readonly isCalled: boolean;
  readonly isProbed: boolean;
  readonly isWritten: boolean;
}

/** The access whose property is at an offset: `object.property`, or `{ property } = object`. */
const findMember = ({ syntax }: Context, offset: number): FoundMember | undefined => {
  for (const node of syntax.nodes()) {
    if (node.type === "MemberExpression" && node.property.start === offset) {
      const parent = syntax.parentOf(node);
      const isCalled = parent?.type === "CallExpression" && parent.callee === node && !parent.optional;
      const isWritten = parent?.type === "AssignmentExpression" && parent.left === node;
      return { object: node.object, isCalled, isProbed: isProbing(node, parent), isWritten };
    }
    if (node.type === "Property" && node.key.start === offset && readKey(node) !== undefined) {
      const pattern = syntax.parentOf(node);
      if (pattern?.type !== "ObjectPattern") continue;
      const holder = syntax.parentOf(pattern);
      const object = holder?.type === "VariableDeclarator" ? (holder.init ?? undefined) : undefined;
      const isProbed = node.value.type === "AssignmentPattern";
      return { object, isCalled: false, isProbed, isWritten: false };
    }
  }
  return undefined;
};

const isReassigned = ({ syntax }: Context, object: Node): boolean => {
  let root = unwrap(object);
  while (root.type === "MemberExpression") root = unwrap(root.object);
  const binding = syntax.bindingOf(root);
  return (binding?.references ?? []).some(({ node }) => {
    const parent = syntax.parentOf(node);
    return parent?.type === "AssignmentExpression" && parent.left === node;
  });
};

/** `a.b ?? c`, `a.b?.c`, `if (a.b)`: the author expects that it may be missing. */
const isProbing = (node: Node, parent: Node | undefined): boolean => {
  switch (parent?.type) {
    case "LogicalExpression":
      return true;
    case "ChainExpression":
    case "UnaryExpression":
      return true;
    case "MemberExpression":
    case "CallExpression":
      return parent.optional;
    case "IfStatement":
    case "ConditionalExpression":
      return parent.test === node;
    case "BinaryExpression":
      return [parent.left, parent.right].some(
        (side) => side.type === "Identifier" && side.name === "undefined",
      );
    default:
      return false;
  }
};

const judgeArgument = (
  { uses, syntax }: Context,
  texts: readonly string[],
  offset: number,
): Suspicion | undefined => {
  const call = uses.calls.find(({ values }) =>
    values.some(({ start, end }) => start <= offset && offset < end),
  );
  const [value] = call?.values ?? [];
  if (call === undefined || value === undefined || call.values.length !== 1) return undefined;
  const pairs = texts.flatMap((text) => {
    const [, given, wanted] = notAssignable.exec(text) ?? [];
    return given === undefined || wanted === undefined ? [] : [{ given, wanted }];
  });
  const last = pairs.at(-1);
  // A handle stands for its content, whatever that is.
  if (pairs.some((pair) => /\bKept</.test(pair.given))) return undefined;
  if (last === undefined || canFit(last.given, last.wanted)) return undefined;
  const { given, wanted } = last;
  // The last line is about the one member of a union that does not fit, but the value may be another.
  if (pairs.some((pair) => splitUnion(pair.given).length > 1 && canFit(pair.given, pair.wanted)))
    return undefined;
  const judged = isPromise(given)
    ? ({ kind: "await", name: "" } as const)
    : ({ kind: "argument", name: wanted } as const);
  // Reported at the value, as our own rules do.
  const node = findValue(syntax, offset) ?? (value as Node);
  return { ...judged, offset: node.start, type: given, node, isCertain: true, isProbed: false };
};

const findValue = (syntax: Syntax, offset: number): Node | undefined => {
  for (const node of syntax.nodes())
    if (node.type === "Property" && node.key.start === offset) return node.value;
  return undefined;
};
