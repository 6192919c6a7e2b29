// The JavaScript modules behind `import { createIssue } from "servers/github"`.
import type { LibraryFile, ServerCatalog, Tool } from "../../contracts/index.js";
import { listExportNames } from "./export-names.js";
import { quoteText, renderName } from "./quote-text.js";

interface LibraryOptions {
  readonly catalog: ServerCatalog;
  /** The names that a program imports, in any spelling; those that are no tool's are left out. */
  readonly names: readonly string[] | "all";
}

interface ToolModuleOptions {
  readonly catalog: ServerCatalog;
  readonly tool: Tool;
}

/** A guest's server object hides these two, so that nothing takes it for a promise or asks it for its JSON. */
const hiddenMembers = new Set(["then", "toJSON"]);

/** What every server's module has beside its tools; a tool of that name comes first. */
export const listToolsName = "listTools";

const renderListTools = ({ catalog, names }: LibraryOptions): string =>
  (names === "all" || names.includes(listToolsName)) && catalog.find(listToolsName) === undefined
    ? `const list = server[${quoteText(listToolsName)}];\nexport { list as ${listToolsName} };\n`
    : "";

const renderServer = ({ server }: ServerCatalog): string =>
  `const server = globalThis.servers[${quoteText(server)}];\n`;

const renderAccess = ({ name, functionName }: Tool): string =>
  `server[${quoteText(hiddenMembers.has(name) ? functionName : name)}]`;

/** The exports get local names of their own: no tool's name can clash with one. */
const renderExports = (tool: Tool, local: string, asked: readonly string[]): string => {
  const names = listExportNames(tool, asked).map((name) => `${local} as ${renderName(name)}`);
  return `const ${local} = ${renderAccess(tool)};\nexport { ${names.join(", ")} };\n`;
};

const selectTools = ({ catalog, names }: LibraryOptions): ReadonlyMap<Tool, readonly string[]> => {
  const selected = new Map<Tool, readonly string[]>();
  if (names === "all") {
    for (const tool of catalog.tools) selected.set(tool, []);
    return selected;
  }
  for (const name of names) {
    const tool = catalog.find(name);
    if (tool !== undefined) selected.set(tool, [...(selected.get(tool) ?? []), name]);
  }
  return selected;
};

/** The module of a server, with the exports that were asked for and the server itself as default. */
export const writeLibraryModule = (options: LibraryOptions): LibraryFile => {
  const { catalog } = options;
  const tools = [...selectTools(options)].map(([tool, asked], index) =>
    renderExports(tool, `tool${index}`, asked),
  );
  return {
    path: `servers/${catalog.identifier}`,
    source: `${renderServer(catalog)}${tools.join("")}${renderListTools(options)}export default server;\n`,
  };
};

/** The module of one tool: the function under its names and as default. */
export const writeToolModule = ({ catalog, tool }: ToolModuleOptions): LibraryFile => ({
  path: `servers/${catalog.identifier}/${tool.functionName}`,
  source: `${renderServer(catalog)}${renderExports(tool, "tool", [])}export default tool;\n`,
});
