// A module of declarations for a whole server: what programs are checked against.
import type { ServerCatalog, Tool } from "../../contracts/index.js";
import { openTypeNames } from "../type-names.js";
import { readToolTypes } from "../type-tree/tool-types.js";
import type { Fallback } from "../type-tree/type-node.js";
import { listExportNames } from "./export-names.js";
import { quoteText, renderName } from "./quote-text.js";
import { claimToolNames, renderTool, usedTypeNames } from "./render-declarations.js";

export interface ServerDeclarations {
  readonly source: string;
  /** Every place where a type could not be told, so that nothing is `unknown` in silence. */
  readonly fallbacks: readonly (Fallback & { readonly tool: string })[];
}

const renderSpellings = (tool: Tool): string =>
  listExportNames(tool)
    .filter((name) => name !== tool.functionName)
    .map((name) => `export { ${tool.functionName} as ${renderName(name)} };\n`)
    .join("");

/** The server as one object: the module's default, and the global of programs. */
const renderServerObject = (tools: readonly Tool[]): string => {
  const name = openTypeNames(tools.map(({ functionName }) => functionName)).claim("server");
  const members = tools.flatMap((tool) =>
    listExportNames(tool).map(
      (spelling) => `  readonly ${renderName(spelling)}: typeof ${tool.functionName};\n`,
    ),
  );
  return `declare const ${name}: {\n${members.join("")}};\nexport default ${name};\n`;
};

/** The same catalog gives the same text, byte for byte. */
export const renderServerDeclarations = ({
  catalog,
}: {
  readonly catalog: ServerCatalog;
}): ServerDeclarations => {
  const names = openTypeNames(usedTypeNames);
  const read = catalog.tools.map((tool) => ({
    tool,
    types: readToolTypes(tool),
    own: claimToolNames(tool, names),
  }));
  const sections = read.map(
    ({ tool, types, own }) => `${renderTool(tool, types, own, names)}${renderSpellings(tool)}`,
  );
  const fallbacks = read.flatMap(({ tool, types }) =>
    [...types.arguments.fallbacks, ...(types.result?.fallbacks ?? [])].map((fallback) => ({
      tool: tool.name,
      ...fallback,
    })),
  );
  const title = `// Types of the server ${quoteText(catalog.server)}, generated: do not edit.\n`;
  return { source: [title, ...sections, renderServerObject(catalog.tools)].join("\n"), fallbacks };
};
