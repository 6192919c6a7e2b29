// Resolves what a Python expression refers to: a server, one of its tools, or a function that calls tools by name.
import { discoveryNames, type Tool } from "../../contracts/index.js";
import type { CheckedServer } from "../check.js";
import type { KnownServers } from "../rules/known-servers.js";
import { findSite, type SiteOptions } from "./find-site.js";
import { maxSites, type PythonSyntax, type Reference, type Site } from "./scope.js";
import type { Call, Expression } from "./syntax/node.js";

export type Entity =
  /** The module `mcp_tools`. */
  | { readonly kind: "library" }
  | { readonly kind: "server"; readonly server: CheckedServer }
  | { readonly kind: "unknown-server"; readonly name: string }
  | { readonly kind: "tool"; readonly server: CheckedServer; readonly tool: Tool; readonly isRaw: boolean }
  | { readonly kind: "unknown-tool"; readonly server: CheckedServer; readonly name: string }
  | { readonly kind: "caller"; readonly form: "call_tool" | "call_mcp_tool" }
  /** A server or tool that is only known at run time. */
  | { readonly kind: "dynamic" }
  /** The package `mcp`, used by programs written for a container bridge. */
  | { readonly kind: "bridge" }
  /** The module `runtime`. */
  | { readonly kind: "runtime" }
  /** All servers by name. */
  | { readonly kind: "servers" }
  /** A part of the library that calls no tools. */
  | { readonly kind: "plain" };

const dynamic: Entity = { kind: "dynamic" };
const plain: Entity = { kind: "plain" };

/** Library modules with their own names, wherever they are found. */
const readOwn = (name: string): Entity | undefined => {
  if (name === "runtime") return { kind: "runtime" };
  return name === "mcp_servers" ? { kind: "servers" } : undefined;
};

export const libraryName = "mcp_tools";

/** Maximum length of an alias chain. A longer one is a loop. */
const maxChain = 20;

export interface UseOptions extends SiteOptions {
  /** Whether it is a hand-written file beside the server's tools. */
  readonly isAdapter: (server: string, name: string) => boolean;
}

export type ReadEntity = (node: Expression) => Entity | undefined;

export interface EntityReader {
  readonly read: ReadEntity;
  /** What an import binds; undefined if it is not part of the library. */
  readonly readImport: (site: Pick<Site, "statement" | "imported">) => Entity | undefined;
}

const readCaller = (name: string): Entity | undefined => {
  if (name === "call_tool" || name === "callTool") return { kind: "caller", form: "call_tool" };
  if (name === "call_mcp_tool" || name === "callMCPTool") return { kind: "caller", form: "call_mcp_tool" };
  return undefined;
};

const isSame = (one: Entity, other: Entity | undefined): boolean =>
  other !== undefined &&
  one.kind === other.kind &&
  ("server" in one ? one.server : undefined) === ("server" in other ? other.server : undefined) &&
  ("tool" in one ? one.tool : undefined) === ("tool" in other ? other.tool : undefined);

/** One item of a tuple or list literal. */
const takePart = (value: Expression | undefined, index: number | undefined): Expression | undefined => {
  if (index === undefined || (value?.kind !== "tuple" && value?.kind !== "list")) return undefined;
  return value.items.slice(0, index + 1).some(({ kind }) => kind === "starred")
    ? undefined
    : value.items[index];
};

export const createEntityReader = (
  syntax: PythonSyntax,
  known: KnownServers,
  options: UseOptions,
): EntityReader => {
  const toServer = (name: string): Entity => {
    const found = known.find(name);
    if (found === undefined) return { kind: "unknown-server", name };
    return found.server === undefined ? dynamic : { kind: "server", server: found.server };
  };

  const readMember = (entity: Entity, name: string | undefined): Entity | undefined => {
    // Built-in names, and attributes that every module has.
    if (name?.startsWith("_") === true) return entity.kind === "tool" ? undefined : plain;
    switch (entity.kind) {
      case "library":
        if (name === undefined) return dynamic;
        if (readOwn(name) !== undefined && !known.isGlobal(name)) return readOwn(name);
        if (name === "ToolError" || discoveryNames.python.includes(name)) return plain;
        return readCaller(name) ?? toServer(name);
      case "bridge":
        return name === "servers" ? { kind: "library" } : name === "runtime" ? { kind: "runtime" } : plain;
      case "runtime":
        return name === undefined ? dynamic : (readCaller(name) ?? plain);
      case "servers":
        return plain;
      case "server": {
        if (name === undefined) return dynamic;
        const tool = entity.server.catalog.find(name);
        if (tool !== undefined) return { kind: "tool", server: entity.server, tool, isRaw: false };
        if (name === "list_tools") return plain;
        const { server } = entity;
        return options.isAdapter(server.catalog.server, name)
          ? dynamic
          : { kind: "unknown-tool", server, name };
      }
      case "tool":
        return name === "raw" || name === "keep" ? { ...entity, isRaw: true } : undefined;
      default:
        return entity.kind === "dynamic" ? dynamic : undefined;
    }
  };

  /** `mcp_tools.github` → the server. Deeper modules are files beside it. */
  const toModule = (path: string): Entity | undefined => {
    if (path === "mcp") return { kind: "bridge" };
    if (path === "mcp.servers" || path === "mcp.runtime")
      return readMember({ kind: "bridge" }, path.slice(4));
    // The object it creates can call any tool by name.
    if (path === "mcp_coordinator") return /\bcall_tool\b|\bgetattr\b/.test(syntax.text) ? dynamic : plain;
    const [library, server, ...rest] = path.replace(/^mcp\.servers\./, `${libraryName}.`).split(".");
    if (library !== libraryName) return undefined;
    if (server === undefined) return { kind: "library" };
    return rest.length > 0 ? dynamic : readMember({ kind: "library" }, server);
  };

  const readImport: EntityReader["readImport"] = ({ statement, imported }) => {
    if (statement === undefined || imported === undefined) return undefined;
    if (statement.module === undefined) {
      const isAlias = imported.bound.start !== imported.start;
      return toModule(isAlias ? imported.name : (imported.name.split(".")[0] ?? ""));
    }
    const module = toModule(statement.module);
    return module === undefined || imported.name === "*" ? undefined : readMember(module, imported.name);
  };

  const readSite = (site: Site, depth: number): Entity | undefined => {
    if (site.kind === "import") return readImport(site);
    if (site.kind !== "assign" || site.value === undefined) return undefined;
    let value: Expression | undefined = site.value;
    for (const index of site.path ?? []) value = takePart(value, index);
    return value === undefined ? undefined : read(value, depth + 1);
  };

  const readReference = (reference: Reference, depth: number): Entity | undefined => {
    const { binding, node } = reference;
    if (binding === undefined) {
      if (known.isGlobal(node.name)) return toServer(node.name);
      return readOwn(node.name) ?? readCaller(node.name);
    }
    const site = findSite(syntax, reference, options);
    if (site !== undefined) return readSite(site, depth);
    if (binding.sites.length > maxSites) return dynamic;
    const [first, ...others] = binding.sites.map((one) => readSite(one, depth));
    if (first !== undefined && others.every((other) => isSame(first, other))) return first;
    // One of several values, at least one of which can call tools.
    return [first, ...others].some((one) => one !== undefined && one.kind !== "plain") ? dynamic : undefined;
  };

  const isBuiltIn = (node: Expression, name: string): boolean =>
    node.kind === "name" && node.name === name && syntax.referenceOf(node)?.binding === undefined;

  /** `getattr(server, "tool")`, `import_module("mcp_tools.server")`. */
  const readCall = ({ callee, values, named }: Call, depth: number): Entity | undefined => {
    const [first, second] = values;
    if (first === undefined || named.length > 0) return undefined;
    if (isBuiltIn(callee, "getattr")) {
      const object = read(first, depth + 1);
      if (object === undefined || object.kind === "plain") return undefined;
      const member = second?.kind === "text" ? readMember(object, second.value) : dynamic;
      return member?.kind === "unknown-tool" ? dynamic : member;
    }
    const isImport =
      isBuiltIn(callee, "__import__") || (callee.kind === "attribute" && callee.name === "import_module");
    if (!isImport) return undefined;
    return first.kind === "text" ? toModule(first.value) : dynamic;
  };

  const memory = new Map<Expression, Entity | undefined>();
  const read = (node: Expression, depth: number): Entity | undefined => {
    if (depth > maxChain) return undefined;
    if (memory.has(node)) return memory.get(node);
    const entity = readFresh(node, depth);
    memory.set(node, entity);
    return entity;
  };

  const readFresh = (node: Expression, depth: number): Entity | undefined => {
    switch (node.kind) {
      case "name": {
        const reference = syntax.referenceOf(node);
        return reference === undefined ? undefined : readReference(reference, depth);
      }
      case "attribute": {
        const object = read(node.object, depth + 1);
        return object === undefined ? undefined : readMember(object, node.name);
      }
      case "subscript": {
        const object = read(node.object, depth + 1);
        if (object?.kind === "servers")
          return node.index.kind === "text" ? toServer(node.index.value) : dynamic;
        if (object?.kind !== "server" && object?.kind !== "dynamic") return undefined;
        return readMember(object, node.index.kind === "text" ? node.index.value : undefined);
      }
      case "assigning":
        return read(node.value, depth + 1);
      case "call":
        return readCall(node, depth);
      default:
        return undefined;
    }
  };
  return { read: (node) => read(node, 0), readImport };
};
