// The files of the library that people and agents read, in both languages: written by `generate`, served as resources.
import {
  finishInSlices,
  type Language,
  type LibraryFile,
  type ServerCatalog,
  type Tool,
} from "../../contracts/index.js";
import type { LibraryPlace, LibraryTree, ServerEntry } from "./generated-file.js";
import { planPythonServer, planPythonTool, planPythonTop } from "./plan-python-tree.js";
import { planTypescriptServer, planTypescriptTool, planTypescriptTop } from "./plan-typescript-tree.js";

interface ServerOptions {
  readonly catalog: ServerCatalog;
  readonly language: Language;
  /** The server's folder: its identifier, or its Python package. */
  readonly folder: string;
}

/** The files of one server, planned tool by tool without blocking the host. The same catalog gives the same files. */
export const planServerTree = ({ catalog, language, folder }: ServerOptions): Promise<LibraryTree> =>
  finishInSlices(language === "python" ? planPythonServer(catalog, folder) : planTypescriptServer(catalog));

/** The file of one tool, the same as in its server's tree. */
export const planToolFile = ({ catalog, language, folder, tool }: ServerOptions & { readonly tool: Tool }) =>
  language === "python" ? planPythonTool(catalog, folder, tool) : planTypescriptTool(catalog, tool);

/** The files above the servers: the list of servers, and the function that calls tools. */
export const planTopFiles = (
  language: Language,
  servers: readonly ServerEntry[],
  place?: LibraryPlace,
): Promise<readonly LibraryFile[]> =>
  language === "python" ? planPythonTop(servers, place) : planTypescriptTop(servers, place);
