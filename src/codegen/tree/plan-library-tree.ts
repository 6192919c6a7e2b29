// The files of the library that people and agents read: written by `generate`, served as resources.
import {
  countOwnTools,
  finishInSlices,
  finishNow,
  type Language,
  type LibraryFile,
  type ServerCatalog,
  type Steps,
  type Tool,
} from "../../contracts/index.js";
import { assignPackageNames } from "../python/python-names.js";
import type { LibraryPlace, LibraryTree, ServerEntry } from "./generated-file.js";
import { planPythonServer, planPythonTool, planPythonTop } from "./plan-python-tree.js";
import { planTypescriptServer, planTypescriptTool, planTypescriptTop } from "./plan-typescript-tree.js";

interface TreeOptions {
  readonly catalogs: readonly ServerCatalog[];
  readonly language: Language;
}

interface ServerOptions {
  readonly catalog: ServerCatalog;
  readonly language: Language;
  /** The server's folder: its identifier, or its Python package. */
  readonly folder: string;
}

const compareCodeUnits = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

const sortFiles = (files: readonly LibraryFile[]): readonly LibraryFile[] =>
  [...files].sort((left, right) => compareCodeUnits(left.path, right.path));

/** The folder of each catalog, in the order of the tree. */
const assignFolders = ({ catalogs, language }: TreeOptions): ReadonlyMap<ServerCatalog, string> => {
  const sorted = [...catalogs].sort((left, right) => compareCodeUnits(left.server, right.server));
  return language === "python"
    ? assignPackageNames(sorted)
    : new Map(sorted.map((catalog) => [catalog, catalog.identifier]));
};

const planServer = ({ catalog, language, folder }: ServerOptions): Steps<LibraryTree> =>
  language === "python" ? planPythonServer(catalog, folder) : planTypescriptServer(catalog);

/** The files of one server, planned tool by tool without blocking the host. */
export const planServerTree = (options: ServerOptions): Promise<LibraryTree> =>
  finishInSlices(planServer(options));

/** The file of one tool, the same as in its server's tree. */
export const planToolFile = ({ catalog, language, folder, tool }: ServerOptions & { readonly tool: Tool }) =>
  language === "python" ? planPythonTool(catalog, folder, tool) : planTypescriptTool(catalog, tool);

/** The files above the servers: the list of servers, and the function that calls tools. */
export const planTopFiles = (
  language: Language,
  servers: readonly ServerEntry[],
  place?: LibraryPlace,
): readonly LibraryFile[] =>
  language === "python" ? planPythonTop(servers, place) : planTypescriptTop(servers, place);

/** The same catalogs give the same files. */
export const planLibraryTree = (options: TreeOptions): LibraryTree => {
  const { language } = options;
  const folders = [...assignFolders(options)];
  const trees = folders.map(([catalog, folder]) => finishNow(planServer({ catalog, language, folder })));
  const entries = folders.map(([catalog, name]) => ({
    name,
    server: catalog.server,
    toolCount: countOwnTools(catalog),
  }));
  return {
    files: sortFiles([...trees.flatMap(({ files }) => files), ...planTopFiles(language, entries)]),
    fallbacks: trees.flatMap(({ fallbacks }) => fallbacks),
  };
};
