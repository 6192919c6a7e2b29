// Finds every place where a program calls a tool or could: the calls and the tools passed on as values.
import type { Tool } from "../../contracts/index.js";
import type { CheckedServer } from "../check.js";
import type { Dialect, KnownServers } from "./context.js";
import { createEntityReader, type Entity, type Library, type ReadEntity } from "./entity.js";
import type { CallForm, NamedValue, Node, Tree } from "./tree.js";

/** A call of a tool that is named in the text. */
export interface ToolCall {
  readonly server: CheckedServer;
  readonly tool: Tool;
  /** Its answer is not unwrapped. */
  readonly isRaw: boolean;
  readonly node: Node;
  /** The tool's positional values. */
  readonly values: readonly Node[];
  readonly named: readonly NamedValue[];
  readonly isMany: boolean;
  /** Written as `callTool("server", "tool", …)` or `callMCPTool("server__tool", …)`. */
  readonly isByName: boolean;
}

/** A tool that is passed on. It may be called any number of times with any arguments. */
interface ToolValue {
  readonly server: CheckedServer;
  readonly tool: Tool;
  /** The position; undefined in an export. */
  readonly node?: Node | undefined;
}

/** A name that no server or tool has. */
export interface UnknownUse {
  readonly name: string;
  readonly node: Node;
  readonly offset: number;
}

export interface ToolUses {
  readonly calls: readonly ToolCall[];
  readonly callOf: (node: Node) => ToolCall | undefined;
  readonly values: readonly ToolValue[];
  readonly unknownTools: readonly (UnknownUse & { readonly server: CheckedServer })[];
  readonly unknownServers: readonly UnknownUse[];
  /** `tool.field`, although a tool has no fields. */
  readonly members: readonly (ToolValue & { readonly name: string; readonly offset: number })[];
  readonly hasDynamicCalls: boolean;
  /** Where the program makes such calls, as far as that is one place. */
  readonly dynamic: readonly Node[];
  readonly readEntity: ReadEntity;
}

interface FindUsesOptions {
  readonly tree: Tree;
  readonly library: Library;
  readonly known: KnownServers;
  readonly dialect: Dialect;
  readonly isSession: boolean;
}

export const findToolUses = ({ tree, library, known, dialect, isSession }: FindUsesOptions): ToolUses => {
  const readEntity = createEntityReader(tree, library);
  const calls = new Map<Node, ToolCall>();
  const values: ToolValue[] = [];
  const unknownTools: (UnknownUse & { server: CheckedServer })[] = [];
  const unknownServers: UnknownUse[] = [];
  const members: (ToolValue & { name: string; offset: number })[] = [];
  const dynamic = new Set<Node>();

  /** Records an unknown name; false if the entity is known. */
  const addUnknown = (entity: Entity, node: Node): boolean => {
    const form = tree.read(node);
    const at = form.kind === "member" ? form.keyStart : node.start;
    if (entity.kind === "unknown-tool") unknownTools.push({ ...entity, node, offset: at });
    else if (entity.kind === "unknown-server")
      unknownServers.push({
        name: entity.name,
        node,
        offset: dialect.reportsServersAtName ? at : node.start,
      });
    else return false;
    return true;
  };

  const addCall = (entity: Entity, node: Node, named: Node, call: CallForm): void => {
    if (addUnknown(entity, named)) return;
    if (entity.kind === "tool")
      calls.set(node, {
        ...entity,
        node,
        values: call.values,
        named: call.named,
        isMany: isRepeated(tree, node),
        isByName: named !== call.callee,
      });
    else if (entity.kind !== "plain") dynamic.add(node);
  };

  const readName = (node: Node | undefined): string | undefined => {
    const form = node === undefined ? undefined : tree.read(node);
    return form?.kind === "literal" && typeof form.value === "string" ? form.value : undefined;
  };

  const callByName = (form: "callTool" | "callMCPTool", node: Node, call: CallForm): void => {
    const count = form === "callTool" ? 2 : 1;
    const [first, second = first] = call.values.slice(0, count);
    const [one, two] = [readName(first), readName(second)];
    if (first === undefined || second === undefined || one === undefined || two === undefined) {
      dynamic.add(node);
      return;
    }
    const named = form === "callTool" ? { server: one, tool: two } : known.split(one);
    const found = known.find(named.server);
    if (found === undefined) addUnknown({ kind: "unknown-server", name: named.server }, first);
    else if (found.server === undefined) dynamic.add(node);
    else {
      const { server } = found;
      const tool = server.catalog.find(named.tool);
      const given = call.values.slice(count, dialect.maxValuesByName && count + dialect.maxValuesByName);
      const [only] = given.length === 1 ? given.map(tree.read) : [];
      // A lone null is not an argument here.
      const isNone = only?.kind === "literal" && only.value === null;
      addCall(
        tool === undefined
          ? { kind: "unknown-tool", server, name: named.tool }
          : { kind: "tool", server, tool, isRaw: false },
        node,
        second,
        { ...call, values: isNone ? [] : given },
      );
    }
  };

  /** The longest expression around a name that still refers to a part of the library. */
  const climb = (start: Node): { readonly node: Node; readonly entity: Entity | undefined } => {
    let node = tree.outermost(start);
    let entity = readEntity(start);
    for (;;) {
      const parent = tree.parentOf(node);
      const form = parent === undefined ? undefined : tree.read(parent);
      const isPart =
        (form?.kind === "member" && form.object === node) ||
        (form?.kind === "call" && form.values[0] === node) ||
        (form?.kind === "call" && form.callee === node && entity?.kind === "with");
      const wider = parent === undefined || entity === undefined || !isPart ? undefined : readEntity(parent);
      if (parent === undefined || wider === undefined) return { node, entity };
      node = tree.outermost(parent);
      entity = wider;
    }
  };

  const addUse = (start: Node): void => {
    const { entity, node } = climb(start);
    if (entity === undefined || entity.kind === "plain" || tree.isTested(node)) return;
    const parent = tree.parentOf(node);
    const form = parent === undefined ? undefined : tree.read(parent);
    if (parent !== undefined && form?.kind === "call" && form.callee === node) {
      if (entity.kind === "caller") callByName(entity.form, parent, form);
      else addCall(entity, parent, node, form);
      return;
    }
    const alias = tree.readAlias(node);
    if (alias !== undefined) {
      if (alias.isOpen) dynamic.add(node);
      addUnknown(entity, node);
    } else if (entity.kind === "tool") {
      const isRead = dialect.reportsToolMembers && form?.kind === "member" && form.object === node;
      if (isRead && form.key !== undefined && !form.isIndex)
        members.push({ ...entity, node, name: form.key, offset: form.keyStart });
      else values.push({ ...entity, node });
    } else if (!addUnknown(entity, node)) dynamic.add(node);
  };

  for (const { node, name } of tree.references) {
    const binding = tree.lookUp(node);
    // Declarations of an earlier program of the session may call anything.
    if (binding === undefined && isSession && !known.isGlobal(name)) dynamic.add(node);
    if (dialect.loopholes.has(name)) {
      const origins = binding?.origins() ?? [];
      const isImported = origins !== "many" && origins.some((origin) => origin?.kind === "import");
      if (binding === undefined || isImported) dynamic.add(node);
    }
    addUse(node);
  }
  return {
    calls: [...calls.values()],
    callOf: (node) => calls.get(node),
    values,
    unknownTools,
    unknownServers,
    members,
    hasDynamicCalls: dynamic.size > 0,
    dynamic: [...dynamic],
    readEntity,
  };
};

const maxCallers = 10;

/** Whether a node may run more than once: in a loop, or in a function that may be called more than once. */
const isRepeated = (tree: Tree, start: Node, depth = 0): boolean => {
  if (depth > maxCallers) return true;
  for (let node = start; ; ) {
    const parent = tree.parentOf(node);
    if (parent === undefined) return false;
    if (tree.repeats(parent, node)) return true;
    const owner = tree.functionOf(parent);
    if (owner !== undefined) {
      const call = owner.onlyCall;
      return call === undefined || (call !== "program" && isRepeated(tree, call, depth + 1));
    }
    node = parent;
  }
};
