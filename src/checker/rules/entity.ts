// Resolves what an expression refers to: a server, one of its tools, or a function that calls tools by name.
import type { Tool } from "../../contracts/index.js";
import type { CheckedServer } from "../check.js";
import type { Dialect, KnownServers } from "./context.js";
import type { Form, ImportOrigin, NameBinding, Node, Origin, Tree } from "./tree.js";

export type Entity =
  /** The module with the discovery functions and every server. */
  | { readonly kind: "library" }
  /** All servers by name. */
  | { readonly kind: "servers" }
  | { readonly kind: "server"; readonly server: CheckedServer }
  | { readonly kind: "unknown-server"; readonly name: string }
  | { readonly kind: "tool"; readonly server: CheckedServer; readonly tool: Tool; readonly isRaw: boolean }
  /** `tool.with`: called with options, it is the tool again. */
  | { readonly kind: "with"; readonly server: CheckedServer; readonly tool: Tool; readonly isRaw: boolean }
  | { readonly kind: "unknown-tool"; readonly server: CheckedServer; readonly name: string }
  /** `github.resources`, `github.prompts`: what a server offers beside its tools. */
  | { readonly kind: "namespace"; readonly server: CheckedServer; readonly name: string }
  /** The module of one tool. */
  | { readonly kind: "module"; readonly server: CheckedServer; readonly tool: Tool }
  /** `callTool("server", "tool", …)`, or `callMCPTool("server__tool", …)`. */
  | { readonly kind: "caller"; readonly form: "callTool" | "callMCPTool" }
  /** Python's package `mcp`, used by programs written for a container bridge, and its module `runtime`. */
  | { readonly kind: "bridge" | "runtime" }
  /** A part of the library that calls no tools: a discovery function. */
  | { readonly kind: "plain" }
  /** A server or tool that is only known at run time. */
  | { readonly kind: "dynamic" };

export const dynamic: Entity = { kind: "dynamic" };
export const plain: Entity = { kind: "plain" };

/** The names under which one language reaches servers and tools. */
export interface Library {
  readonly readGlobal: (name: string) => Entity | undefined;
  /** Undefined if the module is not part of the library. */
  readonly readModule: (path: string) => Entity | undefined;
  /** `name` is undefined if it is not static. */
  readonly readMember: (entity: Entity, name: string | undefined, isIndex: boolean) => Entity | undefined;
  /** Other expressions: `await import("servers/github")`, `getattr(github, "create_issue")`. */
  readonly readOther: (node: Node, form: Form, read: ReadEntity) => Entity | undefined;
}

export type ReadEntity = (node: Node) => Entity | undefined;

export const toServer = (known: KnownServers, name: string): Entity => {
  const found = known.find(name);
  if (found === undefined) return { kind: "unknown-server", name };
  return found.server === undefined ? dynamic : { kind: "server", server: found.server };
};

const namespaces: readonly string[] = ["resources", "prompts"];

/** Undefined if the server offers nothing of that name. */
const toNamespace = (server: CheckedServer, name: string): Entity | undefined =>
  namespaces.includes(name) && server.catalog.tools.some((tool) => tool.name.startsWith(`${name}.`))
    ? { kind: "namespace", server, name }
    : undefined;

const readNamespace = (server: CheckedServer, name: string, member: string | undefined): Entity => {
  if (member === undefined) return dynamic;
  const tool = server.catalog.find(`${name}.${member}`);
  return tool === undefined
    ? { kind: "unknown-tool", server, name: `${name}.${member}` }
    : { kind: "tool", server, tool, isRaw: false };
};

/** A member of a server, a tool or a namespace, or of something only known at run time. */
export const readMember = (
  entity: Entity,
  name: string | undefined,
  { listTools, withOptions }: Dialect["members"],
): Entity | undefined => {
  switch (entity.kind) {
    case "server": {
      if (name === undefined) return dynamic;
      const { server } = entity;
      const tool = server.catalog.find(name);
      if (tool !== undefined) return { kind: "tool", server, tool, isRaw: false };
      return (
        toNamespace(server, name) ?? (name === listTools ? plain : { kind: "unknown-tool", server, name })
      );
    }
    case "tool": {
      const { server, tool } = entity;
      if (name === withOptions) return { ...entity, kind: "with" };
      if (name === "raw" || name === "keep") return { ...entity, isRaw: true };
      // The server may offer something under the tool's name.
      return toNamespace(server, tool.name) && readNamespace(server, tool.name, name);
    }
    case "namespace":
      return readNamespace(entity.server, entity.name, name);
    case "dynamic":
      return dynamic;
    default:
      return undefined;
  }
};

export const readImport = (library: Library, { module, name }: ImportOrigin): Entity | undefined => {
  const entity = library.readModule(module);
  return entity === undefined || name === undefined ? entity : library.readMember(entity, name, false);
};

/** Maximum length of an alias chain. A longer one is a loop. */
const maxChain = 20;

export const createEntityReader = (tree: Tree, library: Library): ReadEntity => {
  const memory = new Map<Node, Entity | undefined>();

  const read = (node: Node, depth: number): Entity | undefined => {
    if (depth > maxChain) return undefined;
    if (memory.has(node)) return memory.get(node);
    const entity = readFresh(node, depth);
    memory.set(node, entity);
    return entity;
  };

  const readFresh = (node: Node, depth: number): Entity | undefined => {
    const form = tree.read(node);
    if (form.kind === "name") {
      const binding = tree.lookUp(node);
      return binding === undefined ? library.readGlobal(form.name) : readBinding(binding, depth);
    }
    if (form.kind === "member") {
      const object = read(form.object, depth + 1);
      return object === undefined ? undefined : library.readMember(object, form.key, form.isIndex);
    }
    const callee = form.kind === "call" ? read(form.callee, depth + 1) : undefined;
    if (callee?.kind === "with") return { ...callee, kind: "tool" };
    return library.readOther(node, form, (inner) => read(inner, depth + 1));
  };

  const readBinding = ({ origin, origins }: NameBinding, depth: number): Entity | undefined => {
    if (origin !== undefined) return readOrigin(origin, depth);
    const possible = origins();
    if (possible === "many") return dynamic;
    const [first, ...others] = possible.map((one) => (one === undefined ? one : readOrigin(one, depth)));
    if (first !== undefined && others.every((other) => isSame(first, other))) return first;
    // One of several values, at least one of which can call tools.
    return [first, ...others].some((one) => one !== undefined && one.kind !== "plain") ? dynamic : undefined;
  };

  const readOrigin = (origin: Origin, depth: number): Entity | undefined => {
    if (origin.kind === "import") return readImport(library, origin);
    if (origin.kind !== "value") return undefined;
    const [index, ...rest] = origin.path;
    const item = typeof index === "number" ? takeItem(origin.value, index) : undefined;
    if (typeof index === "number")
      return item === undefined ? undefined : readOrigin({ ...origin, value: item, path: rest }, depth);
    let entity = read(origin.value, depth + 1);
    for (const key of origin.path)
      if (entity !== undefined)
        entity = typeof key === "string" ? library.readMember(entity, key, false) : dynamic;
    return entity;
  };

  /** One item of a list literal. */
  const takeItem = (list: Node, index: number): Node | undefined => {
    const form = tree.read(list);
    return form.kind === "list" ? form.items[index] : undefined;
  };

  return (node) => read(node, 0);
};

const isSame = (one: Entity, other: Entity | undefined): boolean =>
  other !== undefined &&
  one.kind === other.kind &&
  ("server" in one ? one.server : undefined) === ("server" in other ? other.server : undefined) &&
  ("tool" in one ? one.tool : undefined) === ("tool" in other ? other.tool : undefined);
