// Finds every place where a Python program calls a tool or could, and whether it may run more than once.
import type { Tool } from "../../contracts/index.js";
import type { CheckedServer } from "../check.js";
import type { KnownServers } from "../rules/known-servers.js";
import type { PythonSyntax } from "./scope.js";
import type { Call, Expression, FunctionDefinition, Place, PythonNode } from "./syntax/node.js";
import { createEntityReader, type Entity, type EntityReader, type UseOptions } from "./entity.js";

/** A call of a tool that is named in the text. */
export interface PythonToolCall {
  readonly server: CheckedServer;
  readonly tool: Tool;
  readonly isRaw: boolean;
  readonly node: Call;
  /** The tool's positional values. The keyword arguments are on the node. */
  readonly values: readonly Expression[];
  readonly isMany: boolean;
}

export interface UnknownTool {
  readonly server: CheckedServer;
  readonly name: string;
  readonly offset: number;
}

export interface PythonToolUses {
  readonly calls: readonly PythonToolCall[];
  readonly callOf: (node: PythonNode) => PythonToolCall | undefined;
  /** Tools that are passed on. They may be called any number of times with any arguments. */
  readonly values: readonly {
    readonly server: CheckedServer;
    readonly tool: Tool;
    readonly node: Expression;
  }[];
  readonly unknownTools: readonly UnknownTool[];
  readonly unknownServers: readonly { readonly name: string; readonly offset: number }[];
  /** `tool.field`: a tool has no fields. */
  readonly members: readonly {
    readonly server: CheckedServer;
    readonly tool: Tool;
    readonly name: string;
    readonly place: Place;
  }[];
  readonly hasDynamicCalls: boolean;
  readonly entities: EntityReader;
}

/** Names through which anything can be reached. */
const loopholes = new Set([
  ...["exec", "eval", "compile", "globals", "locals", "vars", "getattr", "__import__", "__builtins__"],
  ...["importlib", "sys", "inspect", "gc", "runpy"],
]);

/** These are loopholes only if given a library value, and that use is reported on its own. */
const harmless = new Set(["getattr", "vars", "sys", "inspect", "compile"]);

export const findToolUses = (
  syntax: PythonSyntax,
  known: KnownServers,
  options: UseOptions,
): PythonToolUses => {
  const entities = createEntityReader(syntax, known, options);
  const calls = new Map<PythonNode, PythonToolCall>();
  const values: { server: CheckedServer; tool: Tool; node: Expression }[] = [];
  const unknownTools: UnknownTool[] = [];
  const unknownServers: { name: string; offset: number }[] = [];
  const members: { server: CheckedServer; tool: Tool; name: string; place: Place }[] = [];
  let hasDynamicCalls = false;

  const addUnknown = (entity: Entity, offset: number): void => {
    if (entity.kind === "unknown-tool") unknownTools.push({ ...entity, offset });
    else if (entity.kind === "unknown-server") unknownServers.push({ name: entity.name, offset });
  };

  const addCall = (entity: Entity, node: Call, offset: number, given: readonly Expression[]): void => {
    if (entity.kind === "tool")
      calls.set(node, { ...entity, node, values: given, isMany: isRepeated(syntax, node) });
    else if (entity.kind.startsWith("unknown")) addUnknown(entity, offset);
    else if (entity.kind !== "plain") hasDynamicCalls = true;
  };

  const callByName = (form: "call_tool" | "call_mcp_tool", node: Call): void => {
    const count = form === "call_tool" ? 2 : 1;
    const [first, second = first] = node.values.slice(0, count);
    if (first?.kind !== "text" || second?.kind !== "text") {
      hasDynamicCalls = true;
      return;
    }
    const named =
      form === "call_tool" ? { server: first.value, tool: second.value } : known.split(first.value);
    const found = known.find(named.server);
    if (found === undefined) addUnknown({ kind: "unknown-server", name: named.server }, first.start);
    else if (found.server === undefined) hasDynamicCalls = true;
    else {
      const { server } = found;
      const tool = server.catalog.find(named.tool);
      const given = node.values.slice(count);
      const [none] = given;
      // A lone None is not an argument here.
      const isNone = given.length === 1 && none?.kind === "constant" && none.value === null;
      addCall(
        tool === undefined
          ? { kind: "unknown-tool", server, name: named.tool }
          : { kind: "tool", server, tool, isRaw: false },
        node,
        second.start,
        isNone ? [] : given,
      );
    }
  };

  /** The longest expression around a name that still refers to a part of the library. */
  const climb = (start: Expression): { readonly node: Expression; readonly entity: Entity | undefined } => {
    let node = start;
    let entity = entities.read(start);
    for (;;) {
      const parent = syntax.parentOf(node);
      const isHeld = (parent?.kind === "attribute" || parent?.kind === "subscript") && parent.object === node;
      const isTaken = parent?.kind === "call" && parent.values[0] === node;
      if (entity === undefined || !(isHeld || isTaken)) return { node, entity };
      const wider = entities.read(parent);
      if (wider === undefined) return { node, entity };
      node = parent;
      entity = wider;
    }
  };

  const addUse = (start: Expression): void => {
    const { entity, node } = climb(start);
    if (entity === undefined || entity.kind === "plain") return;
    const parent = syntax.parentOf(node);
    const offset = node.kind === "attribute" ? node.nameStart : node.start;
    if (parent?.kind === "call" && parent.callee === node) {
      if (entity.kind === "caller") callByName(entity.form, parent);
      else addCall(entity, parent, offset, parent.values);
    } else if (isAlias(parent, node)) addUnknown(entity, offset);
    else if (entity.kind === "tool") {
      if (parent?.kind === "attribute" && parent.object === node)
        members.push({ ...entity, name: parent.name, place: { start: parent.nameStart, end: parent.end } });
      else values.push({ ...entity, node });
    } else if (entity.kind.startsWith("unknown")) addUnknown(entity, offset);
    else hasDynamicCalls = true;
  };

  for (const { node, binding } of syntax.references) {
    const isLoophole = loopholes.has(node.name) && !harmless.has(node.name);
    if (isLoophole && (binding === undefined || binding.sites.some(({ kind }) => kind === "import")))
      hasDynamicCalls = true;
    // Declarations of an earlier program of the session may call anything.
    if (binding === undefined && options.isSession && !known.isGlobal(node.name)) hasDynamicCalls = true;
    addUse(node);
  }
  // The names it imports are not in the text.
  if (
    syntax.nodes.some(
      (node) =>
        node.kind === "import" &&
        /^mcp(?:_tools)?\./.test(node.module ?? "") &&
        node.names.some(({ name }) => name === "*"),
    )
  )
    hasDynamicCalls = true;
  for (const { name, sites } of syntax.bindings) {
    // A rebound server name may still refer to the server.
    if (known.isGlobal(name) && sites.some(({ kind }) => kind === "assign")) hasDynamicCalls = true;
  }
  return {
    calls: [...calls.values()],
    callOf: (node) => calls.get(node),
    values,
    unknownTools,
    unknownServers,
    members,
    hasDynamicCalls,
    entities,
  };
};

/** A name that is an alias from then on. */
const isAlias = (parent: PythonNode | undefined, node: Expression): boolean =>
  parent?.kind === "assign" && parent.value === node && parent.targets.every(({ kind }) => kind === "name");

const maxDepth = 10;

/** In a loop, or in a function that may be called more than once. */
const isRepeated = (syntax: PythonSyntax, start: PythonNode, depth = 0): boolean => {
  if (depth > maxDepth) return true;
  for (let node = start; ; ) {
    const parent = syntax.parentOf(node);
    if (parent === undefined) return false;
    if (parent.kind === "while" || parent.kind === "lambda" || parent.kind === "class") return true;
    if (parent.kind === "for" && parent.iterated !== node) return true;
    // Only the first source of a comprehension is evaluated once.
    if (parent.kind === "comprehension" && parent.clauses[0] !== node) return true;
    if (parent.kind === "clause" && parent.iterated !== node) return true;
    if (parent.kind === "function") {
      const caller = findOnlyCall(syntax, parent);
      return caller === undefined || isRepeated(syntax, caller, depth + 1);
    }
    node = parent;
  }
};

/** The only call of a function, if there is exactly one and the function is not passed on. */
const findOnlyCall = (syntax: PythonSyntax, definition: FunctionDefinition): PythonNode | undefined => {
  const references = syntax.bindingOf(definition)?.references ?? [];
  const [only] = references;
  const call = only === undefined ? undefined : syntax.parentOf(only.node);
  const isCalled = call?.kind === "call" && call.callee === only?.node;
  return references.length === 1 && isCalled && definition.decorators.length === 0 ? call : undefined;
};
