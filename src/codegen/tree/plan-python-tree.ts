// The Python library: the package `mcp_tools`, a package for each server, a module for each tool, READMEs.
import type { LibraryFile, ServerCatalog, Steps, Tool } from "../../contracts/index.js";
import { assignFunctionNames, quoteText } from "../python/python-names.js";
import {
  importedNames,
  listSpellings,
  renderModule,
  renderNameList,
  renderNamespaces,
  renderToolList,
} from "../python/render-module.js";
import { renderTool, toPythonTypeBase } from "../python/render-tool.js";
import { claimToolNames, openTypeNames } from "../type-tree/type-node.js";
import {
  describeEntry,
  generatedMarker,
  type LibraryPlace,
  type LibraryTree,
  renderPythonClient,
  renderReadme,
  type ServerEntry,
} from "./generated-file.js";

const toTitle = (text: string): string => `${generatedMarker} ${text}`;

const planTool = (tool: Tool, functionName: string, folder: string) => {
  const names = openTypeNames([...importedNames, functionName]);
  const own = claimToolNames(toPythonTypeBase(tool), names);
  const hasResult = (tool.outputSchema ?? tool.learned) !== undefined;
  const { source, fallbacks } = renderTool({ tool, functionName, own, names });
  const title = toTitle(`The tool ${quoteText(tool.name)} of the server ${quoteText(tool.server)}.`);
  return {
    tool,
    functionName,
    fallbacks,
    typeNames: hasResult ? [own.arguments, own.result] : [own.arguments],
    file: { path: `${folder}/${functionName}.py`, source: renderModule({ title, body: source }) },
  };
};

const renderPackage = (
  { server }: ServerCatalog,
  planned: readonly ReturnType<typeof planTool>[],
  functionNames: ReadonlyMap<Tool, string>,
): string => {
  const spellings = listSpellings(functionNames);
  const taken = new Set([...functionNames.values(), ...spellings.map(([spelling]) => spelling), "List"]);
  const imports = planned.map(({ functionName, typeNames }) => {
    const own = typeNames.filter((name) => !taken.has(name));
    for (const name of own) taken.add(name);
    const names = [functionName, ...own].map((name) => `${name} as ${name}`);
    return `from .${functionName} import ${names.join(", ")}\n`;
  });
  const namespaces = renderNamespaces(functionNames);
  const aliases = spellings.map(([spelling, functionName]) => `${spelling} = ${functionName}\n`);
  return [
    `# ${toTitle(`The tools of the server ${quoteText(server)}.`)}\n`,
    "from __future__ import annotations\n\nfrom typing import List\n\n",
    `${imports.join("")}\n\n${namespaces === "" ? "" : `${namespaces}\n\n`}${renderToolList(functionNames.values())}`,
    aliases.length > 0 ? `\n\n${aliases.join("")}` : "",
  ].join("");
};

/** The file of one tool. */
export const planPythonTool = (catalog: ServerCatalog, packageName: string, tool: Tool): LibraryFile =>
  planTool(tool, assignFunctionNames(catalog).get(tool) ?? tool.functionName, `mcp_tools/${packageName}`)
    .file;

/** The files of one server. */
export function* planPythonServer(catalog: ServerCatalog, packageName: string): Steps<LibraryTree> {
  const folder = `mcp_tools/${packageName}`;
  const functionNames = assignFunctionNames(catalog);
  const planned: ReturnType<typeof planTool>[] = [];
  for (const [tool, functionName] of functionNames) {
    planned.push(planTool(tool, functionName, folder));
    yield;
  }
  const readme = renderReadme({
    title: `Server "${catalog.server}"`,
    introduction: `Import its functions in a program: \`from mcp_tools.${packageName} import …\``,
    entries: planned.map(({ tool, functionName }) => ({
      name: functionName,
      link: `${functionName}.py`,
      description: tool.description,
    })),
  });
  const files: readonly LibraryFile[] = [
    ...planned.map(({ file }) => file),
    { path: `${folder}/__init__.py`, source: renderPackage(catalog, planned, functionNames) },
    { path: `${folder}/README.md`, source: readme },
  ];
  const fallbacks = planned.flatMap(({ tool, fallbacks: found }) =>
    found.map((fallback) => ({ server: catalog.server, tool: tool.name, ...fallback })),
  );
  return { files, fallbacks };
}

const renderLibrary = (packageNames: readonly string[]): string =>
  [
    `# ${toTitle("The connected MCP servers, one package each.")}\n`,
    "from __future__ import annotations\n\nfrom typing import List\n\n",
    "from ._call import ToolError as ToolError, close as close\n\n\n",
    renderNameList("list_servers", "The names of the packages of servers.", packageNames),
  ].join("");

/** The files above the servers. */
export const planPythonTop = async (
  servers: readonly ServerEntry[],
  place?: LibraryPlace,
): Promise<readonly LibraryFile[]> => {
  const readme = renderReadme({
    title: "MCP tools",
    introduction: [
      "One package for each MCP server, one module for each of its tools. Your own files beside them are left alone.",
      "A function returns its value. In a program that uses `await`, the call can be awaited too.",
    ].join("\n"),
    entries: servers.map(({ name, server, toolCount }) => ({
      name,
      link: `${name}/README.md`,
      description: describeEntry(server, toolCount),
    })),
  });
  return [
    { path: "mcp_tools/__init__.py", source: renderLibrary(servers.map(({ name }) => name)) },
    { path: "mcp_tools/_call.py", source: await renderPythonClient(place) },
    { path: "mcp_tools/README.md", source: readme },
  ];
};
