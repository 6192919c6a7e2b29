// Imports must resolve to a connected server, an adapter or a module of the guest, and their names to exports.
import type { ImportDeclaration } from "oxc-parser";
import { discoveryNames, skillsName, skillsServer, workspaceModules } from "../../contracts/index.js";
import { type CheckedServer, didYouMean, type Finding, listNames, quote } from "../check.js";
import { listConnected, refuseImport, unknownServerImport, unknownTool } from "../rules/check-tools.js";
import { type Context, dialect } from "./dialect.js";
import { readKey, readModuleName, readText } from "./read-node.js";
import { readExports, readReexports } from "./read-syntax.js";

export const checkImports = (context: Context): readonly Finding[] => [
  ...context.syntax.imports
    .filter((statement) => statement.importKind !== "type")
    .flatMap((statement) => checkStatement(context, statement)),
  ...context.syntax.calls.flatMap((call) => {
    const specifier = call.type === "ImportExpression" ? readText(call.source) : undefined;
    return specifier === undefined ? [] : checkPath(context, specifier, call.start).findings;
  }),
  ...readReexports(context.syntax).flatMap(({ specifier, source, names }) => {
    const { findings, server } = checkPath(context, specifier, source.start);
    if (names === "all") return findings;
    const adapter = context.known.findAdapter(specifier);
    if (adapter !== undefined) return checkAdapterNames(context, adapter, specifier, names);
    if (server === undefined) return findings;
    return names.flatMap(({ name, start }) =>
      isExported(server, name) || isType(server, name) ? [] : [unknownTool(context, server, name, start)],
    );
  }),
];

const isExported = ({ catalog }: CheckedServer, name: string): boolean =>
  name === "default" || name === dialect.members.listTools || catalog.find(name) !== undefined;

const isType = (server: CheckedServer, name: string): boolean => server.source.includes(`type ${name} `);

const checkStatement = (context: Context, statement: ImportDeclaration): readonly Finding[] => {
  const specifier = statement.source.value;
  const adapter = context.known.findAdapter(specifier);
  if (adapter !== undefined)
    return checkAdapterNames(context, adapter, specifier, readImportedNames(statement));
  const names = statement.specifiers.flatMap((one) =>
    one.type === "ImportSpecifier" && one.importKind !== "type" ? [one] : [],
  );
  if (context.known.toPath(specifier) === "servers")
    return names.flatMap(({ imported, start }) => checkWholeName(context, readModuleName(imported), start));
  const ofFiles = checkFiles(context, statement);
  if (ofFiles !== undefined) return ofFiles;
  const { findings, server } = checkPath(context, specifier, statement.source.start);
  if (server === undefined) return findings;
  return names.flatMap(({ imported, local, start }) => {
    const name = readModuleName(imported);
    if (isExported(server, name)) return [];
    // Types can also be imported without `type`, so only names used as values must be tools.
    const isUsed = context.syntax.bindings.some(
      ({ node, references }) => node === local && references.length > 0,
    );
    if (!isUsed && isType(server, name)) return [];
    return [unknownTool(context, server, name, start)];
  });
};

const readImportedNames = ({
  specifiers,
}: ImportDeclaration): readonly { readonly name: string; readonly start: number }[] =>
  specifiers.flatMap((one) => {
    if (one.type === "ImportNamespaceSpecifier") return [];
    if (one.type === "ImportDefaultSpecifier") return [{ name: "default", start: one.start }];
    const { imported, start } = one;
    return [{ name: readModuleName(imported), start }];
  });

/** The module "servers" exports the discovery functions and every server. */
const checkWholeName = ({ known, request }: Context, name: string, offset: number): readonly Finding[] => {
  const functions = discoveryNames.typescript;
  if (name === "default" || functions.includes(name) || known.find(name) !== undefined) return [];
  const meant = didYouMean(request.nearestNames(name, [...functions, ...known.identifiers]));
  const message = `Cannot import ${quote(name)} from "servers": it is neither a server nor a function of it${meant}`;
  const hint = `${listConnected(known)}; functions: ${functions.join(", ")}`;
  return [{ severity: "error", code: "IMPORT_UNKNOWN", offset, message, hint }];
};

interface CheckedPath {
  readonly findings: readonly Finding[];
  /** The server that the imported tools belong to. */
  readonly server?: CheckedServer | undefined;
}

const checkPath = (context: Context, specifier: string, offset: number): CheckedPath => {
  const { known, request } = context;
  const isOwn = workspaceModules.has(known.toPath(specifier));
  if (isOwn || request.modules?.includes(specifier) || known.findAdapter(specifier) !== undefined)
    return { findings: [] };
  const refuse = (reason: string, hint: string): CheckedPath => ({
    findings: [refuseImport(specifier, offset, reason, hint)],
  });
  const [folder, name, tool, ...rest] = known.toPath(specifier).split("/");
  if (folder === "servers" && name === undefined) return { findings: [] };
  if (folder === skillsName && name !== undefined) {
    if (isErased(context, specifier)) return { findings: [] };
    const names = request.adapterNames?.get(skillsServer) ?? [];
    const near = request.nearestNames([name, tool, ...rest].filter(Boolean).join("/"), names);
    return refuse(
      `there is no such skill in TypeScript${didYouMean(near.map((one) => `skills/${one}`))}`,
      `Saved skills: ${listNames(names, { maxLength: 60 }) || "none"}`,
    );
  }
  if (folder !== "servers" || name === undefined || rest.length > 0) {
    const near =
      known.find(specifier)?.identifier ?? request.nearestNames(specifier, known.identifiers, 1)[0];
    const example = `import { toolName } from "servers/${near ?? known.identifiers[0] ?? "<server>"}"`;
    return refuse(
      "only connected servers, skills, the workspace and listed packages can be imported",
      `Import tools like this: ${example}`,
    );
  }
  const found = known.find(name);
  if (found === undefined)
    return { findings: [unknownServerImport(context, specifier, name, { offset, prefix: "servers/" })] };
  if (found.server === undefined) return { findings: [] };
  if (tool === undefined) return { findings: [], server: found.server };
  if (found.server.catalog.find(tool) !== undefined || isErased(context, specifier)) return { findings: [] };
  const names = request.adapterNames?.get(found.name) ?? [];
  const [near] = request.nearestNames(tool, names, 1);
  return near === undefined
    ? { findings: [unknownTool(context, found.server, tool, offset)] }
    : refuse(
        `the server has no such tool or adapter, did you mean ${quote(`servers/${found.identifier}/${near}`)}?`,
        `Adapters of this server: ${listNames(names)}`,
      );
};

/** Nothing of it is used as a value, so the import is erased before the run and the adapter was never loaded. */
const isErased = ({ request }: Context, specifier: string): boolean => !request.imported.includes(specifier);

interface WantedName {
  readonly name: string;
  readonly start: number;
}

/** The names that an adapter exports; `isOpen` if it re-exports unknown names. */
const listExports = (
  context: Context,
  path: string,
  seen: Set<string>,
): { readonly names: ReadonlySet<string>; readonly isOpen: boolean } => {
  const adapter = context.adapters.get(path);
  if (adapter === undefined || seen.has(path)) return { names: new Set(), isOpen: false };
  seen.add(path);
  const own = readExports(adapter.syntax);
  const names = new Set(own.names);
  let isOpen = false;
  for (const specifier of own.passedOn) {
    const next = adapter.known.findAdapter(specifier);
    const passed = next === undefined ? { names: [], isOpen: true } : listExports(context, next, seen);
    for (const name of passed.names) if (name !== "default") names.add(name);
    isOpen ||= passed.isOpen;
  }
  return { names, isOpen };
};

const checkAdapterNames = (
  context: Context,
  path: string,
  specifier: string,
  wanted: readonly WantedName[],
): readonly Finding[] => {
  const { names, isOpen } = listExports(context, path, new Set());
  if (isOpen) return [];
  return wanted
    .filter(({ name }) => !names.has(name))
    .map(({ name, start }) => {
      const near = context.request.nearestNames(name, names);
      return {
        severity: "error",
        code: "IMPORT_UNKNOWN",
        offset: start,
        message: `Cannot import ${quote(name)} from ${quote(specifier)}: the ${path.startsWith("skills/") ? "skill" : "adapter"} does not export it${didYouMean(near)}`,
        hint: `It exports: ${listNames(names) || "nothing"}`,
      };
    });
};

/** The problem with the names of one import; undefined if its module is not a workspace module. */
const checkFiles = (context: Context, statement: ImportDeclaration): readonly Finding[] | undefined => {
  const specifier = statement.source.value;
  const names = workspaceModules.get(context.known.toPath(specifier));
  if (names === undefined) return undefined;
  const isThere = (name: string): boolean => name === "default" || names.includes(name);
  return statement.specifiers.flatMap((one) => {
    if (one.type === "ImportSpecifier") {
      const name = readModuleName(one.imported);
      return isThere(name) ? [] : [toFinding(names, specifier, name, one.start)];
    }
    // The default export of "workspace" is an object with functions of its own.
    if (one.type === "ImportDefaultSpecifier" && specifier === "workspace") return [];
    const references =
      context.syntax.bindings.find(({ node }) => node === one.local)?.references.map(({ node }) => node) ??
      [];
    return references.flatMap((node) => {
      const holder = context.syntax.parentOf(node);
      const key = holder?.type === "MemberExpression" && holder.object === node ? readKey(holder) : undefined;
      return key === undefined || isThere(key) ? [] : [toFinding(names, specifier, key, node.start)];
    });
  });
};

const globalName = "fs";

/** The same for a global `fs`. */
export const checkGlobalFiles = ({ syntax, known, request }: Context): readonly Finding[] => {
  // An earlier program of the session may have declared it.
  if (known.isGlobal(globalName) || request.isSession) return [];
  const module = "fs/promises";
  const names = workspaceModules.get(module) ?? [];
  return syntax.references.flatMap(({ name, binding, node }) => {
    if (name !== globalName || binding !== undefined) return [];
    const holder = syntax.parentOf(node);
    const key = holder?.type === "MemberExpression" && holder.object === node ? readKey(holder) : undefined;
    return key === undefined || names.includes(key) ? [] : [toFinding(names, module, key, node.start)];
  });
};

const toFinding = (names: readonly string[], specifier: string, name: string, offset: number): Finding => ({
  severity: "error",
  code: "IMPORT_UNKNOWN",
  offset,
  message: `Cannot use ${quote(name)} of ${quote(specifier)}: the module does not export it here`,
  hint: `It has: ${names.join(", ")}. Files are read and written with await: import fs from "fs/promises"`,
});
