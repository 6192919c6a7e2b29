// Describes a server for a check: its catalog by fingerprint, the tools that the text names, and their learned types.
import { hash } from "node:crypto";
import { assignFunctionNames } from "../../codegen/index.js";
import type { Language, ServerCatalog, Tool } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import type { PackedCatalog, ReachedServer } from "./checker-requests.js";

const fingerprints = new WeakMap<ServerCatalog, string>();

export const fingerprintCatalog = (catalog: ServerCatalog): string => {
  const { server, identifier, tools } = catalog;
  const known =
    fingerprints.get(catalog) ??
    hash(
      "sha256",
      [server, identifier, ...tools.map((tool) => tool.functionName + tool.fingerprint)].join("\n"),
    );
  fingerprints.set(catalog, known);
  return known;
};

/** A tool whose schema is nested too deeply for JSON is sent without it. */
export const packCatalog = ({ server, identifier, tools }: ServerCatalog): PackedCatalog => {
  const isPlain = (value: unknown): boolean => {
    try {
      return JSON.stringify(value) !== "";
    } catch {
      return false;
    }
  };
  const simplify = ({ outputSchema: _, ...tool }: Tool): Tool => ({
    ...tool,
    inputSchema: { type: "object" },
  });
  return {
    server,
    identifier,
    tools: isPlain(tools) ? tools : tools.map((tool) => (isPlain(tool) ? tool : simplify(tool))),
  };
};

/** `words` are those of everything that is checked together. */
export const reachServer = async (
  host: Pick<Host, "shapes">,
  catalog: ServerCatalog,
  { words, language }: { readonly words: ReadonlySet<string>; readonly language: Language },
): Promise<ReachedServer> => {
  const others = language === "python" ? readPythonNames(catalog) : undefined;
  const named = catalog.tools.filter(
    (tool) => words.has(others?.get(tool) ?? tool.functionName) || isNamed(tool, words),
  );
  const shown = await Promise.all(named.map(host.shapes.show));
  return {
    catalog: fingerprintCatalog(catalog),
    named: named.map(({ name }) => name),
    learned: shown.flatMap(({ name, outputSchema, learned }) =>
      outputSchema === undefined && learned !== undefined ? [[name, learned.schema] as const] : [],
    ),
  };
};

const pythonNames = new WeakMap<ServerCatalog, ReadonlyMap<Tool, string>>();

const readPythonNames = (catalog: ServerCatalog): ReadonlyMap<Tool, string> => {
  const known = pythonNames.get(catalog) ?? assignFunctionNames(catalog);
  pythonNames.set(catalog, known);
  return known;
};

/** A text names a tool by its function name, or by every word of its name on the wire. */
const isNamed = ({ functionName, name }: Tool, words: ReadonlySet<string>): boolean => {
  if (words.has(functionName) || words.has(name)) return true;
  const parts = name.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? [];
  return parts.every((part) => words.has(part));
};
