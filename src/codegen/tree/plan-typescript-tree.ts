// The TypeScript library: `servers/<server>/<tool>.ts`, an index for each server, READMEs.
import type { LibraryFile, ServerCatalog, Steps, Tool } from "../../contracts/index.js";
import { readToolTypes } from "../type-tree/read-type-tree.js";
import { claimToolNames, openTypeNames, toTypeBase } from "../type-tree/type-node.js";
import { quoteText, renderName } from "../typescript/print-type.js";
import { declareServer, renderToolParts, usedTypeNames } from "../typescript/render-declarations.js";
import { listExportNames, listNamespaces } from "../typescript/write-modules.js";
import {
  describeEntry,
  generatedMarker,
  type LibraryPlace,
  type LibraryTree,
  planTypescriptPackage,
  renderClientModule,
  renderReadme,
  type ServerEntry,
  toFileName,
} from "./generated-file.js";

const callModule = `// ${generatedMarker} How the functions of this tree call their tools.
type CallTool = (server: string, tool: string, args: unknown) => Promise<unknown>;

/** Calls a tool by the name that its server uses: inside mcp-coordinator directly, elsewhere through it. */
export const callTool: CallTool = async (server, tool, args) => {
  const { callTool: call } = globalThis as { callTool?: CallTool };
  if (call !== undefined) return call(server, tool, args);
  const { callTool: callOutside } = await import("./call-tool.mjs");
  return callOutside(server, tool, args);
};
`;

const toTitle = (text: string): string => `// ${generatedMarker} ${text}\n`;

const planTool = (tool: Tool, folder: string) => {
  const types = readToolTypes(tool);
  const names = openTypeNames(usedTypeNames);
  const own = claimToolNames(toTypeBase(tool), names);
  const { types: declared, comment, head, result } = renderToolParts(tool, types, own, names);
  const call = openTypeNames([tool.functionName]).claim("callTool");
  const imported = call === "callTool" ? call : `callTool as ${call}`;
  const wire = `${quoteText(tool.server)}, ${quoteText(tool.name)}`;
  const source = [
    toTitle(`The tool ${quoteText(tool.name)} of the server ${quoteText(tool.server)}.`),
    `import { ${imported} } from "../call-tool.js";\n\n`,
    `${declared}\n${comment}export ${head} {\n`,
    `  return ${call}(${wire}, args) as Promise<${result}>;\n}\n`,
  ].join("");
  const typeNames = result === "unknown" ? [own.arguments] : [own.arguments, own.result];
  return {
    tool,
    typeNames,
    fallbacks: [...types.arguments.fallbacks, ...(types.result?.fallbacks ?? [])],
    file: { path: `${folder}/${toFileName(tool.functionName)}.ts`, source },
  };
};

/** A plain `__proto__` key would set the prototype, so it is computed. */
const renderKey = (name: string): string => (name === "__proto__" ? '["__proto__"]' : renderName(name));

const renderIndex = ({ server }: ServerCatalog, planned: readonly ReturnType<typeof planTool>[]): string => {
  const functionNames = new Set(planned.map(({ tool }) => tool.functionName));
  const imports = planned.map(({ tool, typeNames }) => {
    const names = typeNames.filter((name) => !functionNames.has(name)).map((name) => `type ${name}`);
    const module = quoteText(`./${toFileName(tool.functionName)}.js`);
    return `import { ${tool.functionName} } from ${module};\nexport { ${names.join(", ")} } from ${module};\n`;
  });
  const spellings = planned.flatMap(({ tool }) =>
    listExportNames(tool).map((name) => ({ name, functionName: tool.functionName })),
  );
  const exports = spellings.map(({ name, functionName }) =>
    name === functionName ? `  ${name},\n` : `  ${functionName} as ${renderName(name)},\n`,
  );
  const local = openTypeNames(functionNames).claim("server");
  const members = spellings.map(({ name, functionName }) => `  ${renderKey(name)}: ${functionName},\n`);
  const namespaces = listNamespaces(new Map(planned.map(({ tool }) => [tool, tool.functionName])));
  const objects = namespaces.map(({ name, members: inside }) => {
    const lines = inside.map((one) => `  ${renderKey(one.name)}: ${one.functionName},\n`);
    return `\nexport const ${name} = {\n${lines.join("")}};\n`;
  });
  members.push(...namespaces.map(({ name }) => `  ${name},\n`));
  return [
    toTitle(`The tools of the server ${quoteText(server)}.`),
    `${imports.join("")}\nexport {\n${exports.join("")}};\n${objects.join("")}`,
    `\nconst ${local} = {\n${members.join("")}};\nexport default ${local};\n`,
  ].join("");
};

/** The file of one tool. */
export const planTypescriptTool = (catalog: ServerCatalog, tool: Tool): LibraryFile =>
  planTool(tool, `servers/${catalog.identifier}`).file;

/** The files of one server. */
export function* planTypescriptServer(catalog: ServerCatalog): Steps<LibraryTree> {
  const folder = `servers/${catalog.identifier}`;
  const planned: ReturnType<typeof planTool>[] = [];
  for (const tool of catalog.tools) {
    planned.push(planTool(tool, folder));
    yield;
  }
  const readme = renderReadme({
    title: `Server "${catalog.server}"`,
    introduction: [
      `Import its functions in a program: \`import { … } from "${folder}";\``,
      `In a project of your own: \`import { … } from "mcp-servers/${catalog.identifier}";\` after \`npm install PATH/servers\`, or import \`index.mjs\`.`,
    ].join("\n\n"),
    entries: planned.map(({ tool }) => ({
      name: tool.functionName,
      link: `${toFileName(tool.functionName)}.ts`,
      description: tool.description,
    })),
  });
  const title = toTitle(`Types of the server ${quoteText(catalog.server)}, for a project of your own.`);
  const { source: declarations } = yield* declareServer(catalog, title);
  const files: readonly LibraryFile[] = [
    ...planned.map(({ file }) => file),
    { path: `${folder}/index.ts`, source: renderIndex(catalog, planned) },
    { path: `${folder}/index.mjs`, source: renderClientModule(catalog) },
    { path: `${folder}/index.d.mts`, source: declarations },
    { path: `${folder}/README.md`, source: readme },
  ];
  const fallbacks = planned.flatMap(({ tool, fallbacks: found }) =>
    found.map((fallback) => ({ server: catalog.server, tool: tool.name, ...fallback })),
  );
  return { files, fallbacks };
}

/** The files above the servers. */
export const planTypescriptTop = async (
  servers: readonly ServerEntry[],
  place?: LibraryPlace,
): Promise<readonly LibraryFile[]> => [
  { path: "servers/call-tool.ts", source: callModule },
  ...(await planTypescriptPackage(place)),
  {
    path: "servers/README.md",
    source: renderReadme({
      title: "Servers",
      introduction:
        "One folder for each MCP server, one file for each of its tools. Your own files beside them are left alone.",
      entries: servers.map(({ name, server, toolCount }) => ({
        name,
        link: `${name}/README.md`,
        description: describeEntry(server, toolCount),
      })),
    }),
  },
];
