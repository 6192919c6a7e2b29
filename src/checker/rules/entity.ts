// Resolves what an expression refers to: a server, one of its tools, or a function that calls tools by name.
import type { Node } from "oxc-parser";
import { discoveryNames, type Tool } from "../../contracts/index.js";
import type { CheckedServer } from "../check.js";
import { readKey, readText, unwrap } from "../typescript/read-node.js";
import type { Binding, Syntax } from "../typescript/read-syntax.js";
import type { KnownServers } from "./known-servers.js";

export type Entity =
  | { readonly kind: "servers" }
  | { readonly kind: "server"; readonly server: CheckedServer }
  | { readonly kind: "unknown-server"; readonly name: string }
  | { readonly kind: "tool"; readonly server: CheckedServer; readonly tool: Tool; readonly isRaw: boolean }
  | { readonly kind: "unknown-tool"; readonly server: CheckedServer; readonly name: string }
  /** The module of one tool. */
  | { readonly kind: "module"; readonly server: CheckedServer; readonly tool: Tool }
  /** The module "servers": discovery functions and the servers. */
  | { readonly kind: "library" }
  /** A discovery function. It calls no tool. */
  | { readonly kind: "question" }
  | { readonly kind: "caller"; readonly form: "callTool" | "callMCPTool" }
  /** A server or tool that is only known at run time. */
  | { readonly kind: "dynamic" };

const dynamic: Entity = { kind: "dynamic" };
const question: Entity = { kind: "question" };

/** Members of every server besides its tools. */
export const listToolsName = "listTools";

/** Maximum length of an alias chain. A longer one is a loop. */
const maxChain = 20;

export type ReadEntity = (node: Node) => Entity | undefined;

export interface EntityReader {
  readonly read: ReadEntity;
  /** What a module exports under a name, or the module itself. */
  readonly readExport: (specifier: string, name?: string) => Entity | undefined;
}

export const createEntityReader = (syntax: Syntax, known: KnownServers): EntityReader => {
  const toServer = (name: string): Entity => {
    const found = known.find(name);
    if (found === undefined) return { kind: "unknown-server", name };
    return found.server === undefined ? dynamic : { kind: "server", server: found.server };
  };
  const toTool = (server: CheckedServer, name: string): Entity => {
    const tool = server.catalog.find(name);
    if (tool !== undefined) return { kind: "tool", server, tool, isRaw: false };
    return name === listToolsName ? question : { kind: "unknown-tool", server, name };
  };

  /** What an import path refers to; undefined if it is not a server's. */
  const toModule = (specifier: string): Entity | undefined => {
    if (known.findAdapter(specifier) !== undefined) return undefined;
    const [folder, name, toolName, ...rest] = known.toPath(specifier).split("/");
    if (folder === "servers" && name === undefined) return { kind: "library" };
    if (folder !== "servers" || name === undefined || rest.length > 0) return undefined;
    const server = toServer(name);
    if (toolName === undefined || server.kind !== "server") return server;
    const tool = toTool(server.server, toolName);
    return tool.kind === "tool" ? { kind: "module", server: tool.server, tool: tool.tool } : tool;
  };

  const readMember = (entity: Entity, name: string | undefined): Entity | undefined => {
    switch (entity.kind) {
      case "library":
        if (name === "default") return { kind: "servers" };
        if (name !== undefined && discoveryNames.typescript.includes(name) && !known.isGlobal(name))
          return question;
        return name === undefined ? dynamic : toServer(name);
      case "servers":
        return name === undefined ? dynamic : toServer(name);
      case "server":
        return name === undefined ? dynamic : name === "default" ? entity : toTool(entity.server, name);
      case "module":
        return name === undefined ? dynamic : { ...entity, kind: "tool", isRaw: false };
      case "tool":
        return name === "raw" || name === "keep" ? { ...entity, isRaw: true } : undefined;
      case "caller":
        return name === "keep" ? dynamic : undefined;
      default:
        return entity.kind === "dynamic" ? dynamic : undefined;
    }
  };

  const readImport = ({ declaration, statement }: Binding): Entity | undefined => {
    if (statement === undefined || statement.importKind === "type") return undefined;
    const module = toModule(statement.source.value);
    if (module === undefined || declaration.type === "ImportNamespaceSpecifier") return module;
    if (declaration.type === "ImportDefaultSpecifier")
      return module.kind === "module" || module.kind === "library" ? readMember(module, "default") : module;
    if (declaration.type !== "ImportSpecifier" || declaration.importKind === "type") return undefined;
    const { imported } = declaration;
    return readMember(module, imported.type === "Identifier" ? imported.name : imported.value);
  };

  /** The keys between a destructured name and its source value; undefined if they are not static. */
  const readPath = (binding: Binding): readonly string[] | undefined => {
    const keys: string[] = [];
    let node = binding.node;
    for (;;) {
      const holder = syntax.parentOf(node);
      if (holder === undefined || holder === binding.declaration) return keys;
      if (holder.type === "Property") {
        const key = readKey(holder);
        if (key === undefined) return undefined;
        keys.unshift(key);
      } else if (holder.type !== "ObjectPattern") return undefined;
      node = holder;
    }
  };

  const readBinding = (binding: Binding, depth: number): Entity | undefined => {
    if (binding.kind === "import") return readImport(binding);
    const { declaration } = binding;
    if (binding.kind !== "const" || declaration.type !== "VariableDeclarator" || declaration.init === null)
      return undefined;
    let entity = read(declaration.init, depth + 1);
    const path = entity === undefined ? [] : readPath(binding);
    if (path === undefined) return dynamic;
    for (const key of path) entity = entity === undefined ? undefined : readMember(entity, key);
    return entity;
  };

  const readGlobal = (name: string): Entity | undefined => {
    if (name === "servers") return { kind: "servers" };
    if (name === "callTool" || name === "callMCPTool") return { kind: "caller", form: name };
    return known.isGlobal(name) ? toServer(name) : undefined;
  };

  const read = (wrapped: Node, depth: number): Entity | undefined => {
    if (depth > maxChain) return undefined;
    const node = unwrap(wrapped);
    if (node.type === "Identifier") {
      const binding = syntax.bindingOf(node);
      return binding === undefined ? readGlobal(node.name) : readBinding(binding, depth);
    }
    if (node.type === "MemberExpression") {
      const object = read(node.object, depth + 1);
      return object === undefined ? undefined : readMember(object, readKey(node));
    }
    if (node.type === "AwaitExpression" && node.argument.type === "ImportExpression") {
      const specifier = readText(node.argument.source);
      return specifier === undefined ? dynamic : toModule(specifier);
    }
    return undefined;
  };
  return {
    read: (node) => read(node, 0),
    readExport: (specifier, name) => {
      const module = toModule(specifier);
      return module === undefined || name === undefined ? module : readMember(module, name);
    },
  };
};
