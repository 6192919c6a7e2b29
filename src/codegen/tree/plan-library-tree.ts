// The tree that people and agents list and read: what `generate` writes, and what is offered as resources.
import {
  finishInSlices,
  finishNow,
  type Language,
  type LibraryFile,
  type ServerCatalog,
  type Steps,
  type Tool,
} from "../../contracts/index.js";
import { assignPackageNames } from "../python/python-names.js";
import type { LibraryTree, ServerEntry } from "./generated-file.js";
import { planPythonServer, planPythonTool, planPythonTop } from "./plan-python-tree.js";
import { planTypescriptServer, planTypescriptTool, planTypescriptTop } from "./plan-typescript-tree.js";

interface TreeOptions {
  readonly catalogs: readonly ServerCatalog[];
  readonly language: Language;
}

interface ServerOptions {
  readonly catalog: ServerCatalog;
  readonly language: Language;
  /** The server's folder: its identifier, or its package in Python. */
  readonly folder: string;
}

const compareCodeUnits = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

const sortFiles = (files: readonly LibraryFile[]): readonly LibraryFile[] =>
  [...files].sort((left, right) => compareCodeUnits(left.path, right.path));

/** Each catalog's folder, in the order of the tree. */
const assignFolders = ({ catalogs, language }: TreeOptions): ReadonlyMap<ServerCatalog, string> => {
  const sorted = [...catalogs].sort((left, right) => compareCodeUnits(left.server, right.server));
  return language === "python"
    ? assignPackageNames(sorted)
    : new Map(sorted.map((catalog) => [catalog, catalog.identifier]));
};

const planServer = ({ catalog, language, folder }: ServerOptions): Steps<LibraryTree> =>
  language === "python" ? planPythonServer(catalog, folder) : planTypescriptServer(catalog);

/** The files of one server, tool by tool: the host does other things in between. */
export const planServerTree = (options: ServerOptions): Promise<LibraryTree> =>
  finishInSlices(planServer(options));

/** One tool's file, the same as in its server's tree. */
export const planToolFile = ({ catalog, language, folder, tool }: ServerOptions & { readonly tool: Tool }) =>
  language === "python" ? planPythonTool(catalog, folder, tool) : planTypescriptTool(catalog, tool);

/** The files above the servers': the list of them, and how their functions call. */
export const planTopFiles = (language: Language, servers: readonly ServerEntry[]): readonly LibraryFile[] =>
  language === "python" ? planPythonTop(servers) : planTypescriptTop(servers);

/** The same catalogs give the same files, byte for byte. */
export const planLibraryTree = (options: TreeOptions): LibraryTree => {
  const { language } = options;
  const folders = [...assignFolders(options)];
  const trees = folders.map(([catalog, folder]) => finishNow(planServer({ catalog, language, folder })));
  const entries = folders.map(([{ server, tools }, name]) => ({ name, server, toolCount: tools.length }));
  return {
    files: sortFiles([...trees.flatMap(({ files }) => files), ...planTopFiles(language, entries)]),
    fallbacks: trees.flatMap(({ fallbacks }) => fallbacks),
  };
};
