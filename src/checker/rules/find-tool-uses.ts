// Finds every place where a program calls a tool or could: the calls and the tools passed on as values.
import type { CallExpression, Node } from "oxc-parser";
import type { Tool } from "../../contracts/index.js";
import type { CheckedServer } from "../check.js";
import { readReexports } from "../typescript/read-exports.js";
import { isFunction, isLoop, isWrapping, readText, unwrap } from "../typescript/read-node.js";
import type { Reference, Syntax } from "../typescript/read-syntax.js";
import { createEntityReader, type Entity, type ReadEntity } from "./entity.js";
import type { KnownServers } from "./known-servers.js";

/** A call of a tool that is named in the text. */
export interface ToolCall {
  readonly server: CheckedServer;
  readonly tool: Tool;
  readonly node: CallExpression;
  /** The nodes of the tool's arguments. */
  readonly values: readonly Node[];
  readonly isMany: boolean;
  /** Written as `callTool("server", "tool", …)` or `callMCPTool("server__tool", …)`. */
  readonly isByName: boolean;
}

export interface ToolUses {
  readonly calls: readonly ToolCall[];
  /** Tools that are passed on. They may be called any number of times with any arguments. */
  readonly values: readonly {
    readonly server: CheckedServer;
    readonly tool: Tool;
    /** The position; undefined in an export. */
    readonly node?: Node | undefined;
  }[];
  readonly unknownTools: readonly {
    readonly server: CheckedServer;
    readonly name: string;
    readonly node: Node;
  }[];
  readonly unknownServers: readonly { readonly name: string; readonly node: Node }[];
  readonly hasDynamicCalls: boolean;
  readonly readEntity: ReadEntity;
}

/** Names through which anything can be reached. */
const loopholes = new Set(["globalThis", "eval", "Function", "self", "window"]);

export const findToolUses = (syntax: Syntax, known: KnownServers, isSession: boolean): ToolUses => {
  const { read: readEntity, readExport } = createEntityReader(syntax, known);
  const calls: ToolCall[] = [];
  const values: { server: CheckedServer; tool: Tool; node?: Node | undefined }[] = [];
  const unknownTools: { server: CheckedServer; name: string; node: Node }[] = [];
  const unknownServers: { name: string; node: Node }[] = [];
  let hasDynamicCalls = false;

  const addCall = (entity: Entity, node: CallExpression, named: Node, given: readonly Node[]): void => {
    if (entity.kind === "unknown-tool") unknownTools.push({ ...entity, node: named });
    else if (entity.kind === "unknown-server") unknownServers.push({ name: entity.name, node: named });
    else if (entity.kind === "tool")
      calls.push({
        server: entity.server,
        tool: entity.tool,
        node,
        values: given,
        isMany: isRepeated(syntax, node),
        isByName: named !== node.callee,
      });
    else hasDynamicCalls = true;
  };

  const callByName = (form: "callTool" | "callMCPTool", node: CallExpression): void => {
    const [first, second] = node.arguments;
    const given = node.arguments.slice(form === "callTool" ? 2 : 1, form === "callTool" ? 3 : 2);
    const one = first === undefined ? undefined : readText(unwrap(first));
    const two = second === undefined ? undefined : readText(unwrap(second));
    if (first === undefined || one === undefined || (form === "callTool" && two === undefined)) {
      hasDynamicCalls = true;
      return;
    }
    const named = form === "callTool" ? { server: one, tool: two ?? "" } : known.split(one);
    const found = known.find(named.server);
    if (found === undefined) unknownServers.push({ name: named.server, node: first });
    else if (found.server === undefined) hasDynamicCalls = true;
    else {
      const tool = found.server.catalog.find(named.tool);
      const entity: Entity =
        tool === undefined
          ? { kind: "unknown-tool", server: found.server, name: named.tool }
          : { kind: "tool", server: found.server, tool, isRaw: false };
      addCall(entity, node, form === "callTool" ? (second ?? first) : first, given);
    }
  };

  const addUse = ({ node: start }: Reference): void => {
    const top = climb(syntax, readEntity, start);
    const { entity, node } = top;
    if (entity === undefined || entity.kind === "question") return;
    const parent = syntax.parentOf(node);
    if (parent === undefined || (parent.type === "UnaryExpression" && parent.operator === "typeof")) return;
    if (parent.type === "CallExpression" && parent.callee === node) {
      if (entity.kind === "caller") callByName(entity.form, parent);
      else addCall(entity, parent, node, parent.arguments);
      return;
    }
    if (isAlias(syntax, parent, node) && !isExported(syntax, parent)) {
      // Destructured names are checked where they are used. Only a missing one is reported here.
      if (parent.id.type === "ObjectPattern")
        hasDynamicCalls ||= parent.id.properties.some(({ type }) => type === "RestElement");
      else if (entity.kind === "unknown-tool") unknownTools.push({ ...entity, node });
      return;
    }
    if (entity.kind === "tool") values.push({ ...entity, node });
    else if (entity.kind === "unknown-tool") unknownTools.push({ ...entity, node });
    else if (entity.kind === "unknown-server") unknownServers.push({ name: entity.name, node });
    else hasDynamicCalls = true;
  };

  for (const reference of syntax.references) {
    if (reference.binding === undefined && loopholes.has(reference.name)) hasDynamicCalls = true;
    // Declarations of an earlier program of the session may call anything.
    if (reference.binding === undefined && isSession && !known.isGlobal(reference.name))
      hasDynamicCalls = true;
    addUse(reference);
  }
  for (const call of syntax.calls) {
    if (call.type === "ImportExpression" && readText(call.source) === undefined) hasDynamicCalls = true;
  }
  // Importers may call whatever an adapter exports.
  for (const { specifier, names } of readReexports(syntax)) {
    for (const { name } of names === "all" ? [{ name: undefined }] : names) {
      const entity = readExport(specifier, name);
      if (entity?.kind === "tool" || entity?.kind === "module") values.push(entity);
      else if (entity !== undefined && !entity.kind.startsWith("unknown-")) hasDynamicCalls = true;
    }
  }
  return { calls, values, unknownTools, unknownServers, hasDynamicCalls, readEntity };
};

/** The longest expression around a name that still refers to a server or tool. */
const climb = (
  syntax: Syntax,
  readEntity: ReadEntity,
  start: Node,
): { readonly node: Node; readonly entity: Entity | undefined } => {
  let node = start;
  let entity = readEntity(start);
  for (;;) {
    const parent = syntax.parentOf(node);
    if (parent === undefined || entity === undefined) return { node, entity };
    const isHeld = parent.type === "MemberExpression" && parent.object === node;
    if (!isHeld && !(isWrapping(parent) && parent.type !== "TSAsExpression")) return { node, entity };
    const wider = readEntity(parent);
    if (wider === undefined) return { node, entity };
    node = parent;
    entity = wider;
  }
};

/** A constant that is an alias from then on. */
const isAlias = (
  syntax: Syntax,
  parent: Node,
  node: Node,
): parent is Extract<Node, { type: "VariableDeclarator" }> => {
  if (parent.type !== "VariableDeclarator" || parent.init !== node) return false;
  const statement = syntax.parentOf(parent);
  return statement?.type === "VariableDeclaration" && statement.kind === "const";
};

/** Importers may use it in any way. */
const isExported = (syntax: Syntax, declarator: Node): boolean => {
  const statement = syntax.parentOf(declarator);
  const holder = statement === undefined ? undefined : syntax.parentOf(statement);
  return holder?.type === "ExportNamedDeclaration";
};

/** Whether a node may run more than once: in a loop, or in a function that may be called more than once. */
const isRepeated = (syntax: Syntax, start: Node, depth = 0): boolean => {
  if (depth > 10) return true;
  for (let node = start; ; ) {
    const parent = syntax.parentOf(node);
    if (parent === undefined) return false;
    if (isLoop(parent)) return true;
    if (isFunction(parent)) {
      const caller = findOnlyCall(syntax, parent);
      return caller === "none" ? true : caller === "program" ? false : isRepeated(syntax, caller, depth + 1);
    }
    node = parent;
  }
};

/** The only call of a function, if there is exactly one; "program" for the program itself. */
const findOnlyCall = (syntax: Syntax, node: Node): Node | "program" | "none" => {
  const parent = syntax.parentOf(node);
  if (parent?.type === "ExportDefaultDeclaration") return "program";
  if (parent?.type === "CallExpression" && parent.callee === node) return parent;
  const binding = syntax.bindings.find(
    ({ declaration }) =>
      declaration === node || (declaration.type === "VariableDeclarator" && declaration.init === node),
  );
  const [only, ...others] = binding?.references ?? [];
  const call = only === undefined ? undefined : syntax.parentOf(only.node);
  const isCalled = call?.type === "CallExpression" && call.callee === only?.node;
  return others.length === 0 && isCalled ? call : "none";
};
