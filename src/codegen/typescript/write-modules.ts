// The JavaScript modules that programs import: `servers/github`, `servers`, `fs/promises`, `workspace`.
import {
  discoveryServer,
  type LibraryFile,
  type ServerCatalog,
  type Tool,
  workspaceModules,
  workspaceServer,
} from "../../contracts/index.js";
import { quoteText, renderName } from "./print-type.js";

/** What a server offers beside its tools, as members of one object: `resources.read`, `prompts.triageBugs`. */
export interface Namespace {
  readonly name: string;
  /** Each function under its name in the object and, if it can be written, the server's own. */
  readonly members: readonly { readonly name: string; readonly functionName: string }[];
}

const namespaceNames = ["resources", "prompts"] as const;

/** `promptsTriageBugs` → `triageBugs`, `prompts_triage_bugs` → `triage_bugs`. */
const toMember = (functionName: string, namespace: string): string => {
  const rest = functionName.slice(namespace.length).replace(/^_/, "");
  return rest.charAt(0).toLowerCase() + rest.slice(1);
};

/** A server's own function of the same name takes the place of the object. */
export const listNamespaces = (
  functionNames: ReadonlyMap<Tool, string>,
  isMember: (name: string) => boolean = () => true,
): readonly Namespace[] => {
  const taken = new Set([...functionNames].flatMap(([tool, name]) => [tool.name, tool.functionName, name]));
  return namespaceNames.flatMap((name) => {
    const members = new Map<string, string>();
    for (const [tool, functionName] of functionNames) {
      if (tool.method === undefined || !tool.name.startsWith(`${name}.`)) continue;
      for (const member of [toMember(functionName, name), tool.name.slice(name.length + 1)])
        if (member !== "" && isMember(member) && !members.has(member)) members.set(member, functionName);
    }
    if (members.size === 0 || taken.has(name)) return [];
    return [
      { name, members: [...members].map(([member, functionName]) => ({ name: member, functionName })) },
    ];
  });
};

/** A module has one default export, and one that exports `then` would be a thenable. */
const impossibleExports = new Set(["default", "then"]);

const isExportable = (name: string): boolean => !impossibleExports.has(name) && !/\p{Cs}/u.test(name);

/** The names a tool is exported under, its function name first; `asked` are other spellings that a program uses. */
export const listExportNames = (tool: Tool, asked: readonly string[] = []): readonly string[] => [
  ...new Set([tool.functionName, tool.name, ...asked].filter(isExportable)),
];

interface LibraryOptions {
  readonly catalog: ServerCatalog;
  /** The names that a program imports, in any spelling. Names that are no tool's are ignored. */
  readonly names: readonly string[] | "all";
}

interface ToolModuleOptions {
  readonly catalog: ServerCatalog;
  readonly tool: Tool;
}

/** A guest's server object hides these, so that it is neither a thenable nor serialized. */
const hiddenMembers = new Set(["then", "toJSON"]);

/** An export of every server's module beside its tools. A tool of that name wins. */
export const listToolsName = "listTools";

const renderListTools = ({ catalog, names }: LibraryOptions): string =>
  (names === "all" || names.includes(listToolsName)) && catalog.find(listToolsName) === undefined
    ? `const list = server[${quoteText(listToolsName)}];\nexport { list as ${listToolsName} };\n`
    : "";

const renderServer = ({ server }: ServerCatalog): string =>
  `const server = globalThis.servers[${quoteText(server)}];\n`;

const renderAccess = ({ name, functionName }: Tool): string =>
  `server[${quoteText(hiddenMembers.has(name) ? functionName : name)}]`;

/** Exports get local names that no tool's name can clash with. */
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

/** The module of a server: the requested exports, and the server as default. */
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

/** The path of the module that exports all servers. */
export const serversPath = "servers";

interface ServersOptions {
  /** The names that a program imports: discovery functions and servers. */
  readonly names: readonly string[];
  /** Which of the names are discovery functions. The others are servers. */
  readonly functions: readonly string[];
}

/** The module behind `import { listTools, github } from "servers"`, with all servers as default. */
export const writeServersModule = ({ names, functions }: ServersOptions): LibraryFile => {
  const exported = [...new Set(names)].filter((name) => name !== "default");
  const lines = exported.map((name, at) => {
    const owner = functions.includes(name) ? "functions" : "servers";
    const local = `export${at}`;
    return `const ${local} = ${owner}[${quoteText(name)}];\nexport { ${local} as ${renderName(name)} };\n`;
  });
  const head = `const { servers } = globalThis;\nconst functions = servers[${quoteText(discoveryServer)}];\n`;
  return { path: serversPath, source: `${head}${lines.join("")}export default servers;\n` };
};

/** A module of the workspace; undefined if the path is not one of them. */
export const writeWorkspaceModule = (path: string): LibraryFile | undefined => {
  const names = workspaceModules.get(path);
  if (names === undefined) return undefined;
  const service = `globalThis.servers[${quoteText(workspaceServer)}]`;
  const exported = `export const { ${names.join(", ")} } = module;\n`;
  if (path === "workspace")
    return { path, source: `const module = ${service};\n${exported}export default module.workspace;\n` };
  const fs = `${service}.fs`;
  const module = path.endsWith("/promises") ? fs : `{ promises: ${fs}, constants: ${fs}.constants }`;
  return { path, source: `const module = ${module};\n${exported}export default module;\n` };
};
