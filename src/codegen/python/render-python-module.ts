// A Python module for a whole server: what programs are checked against.
import type { ServerCatalog, Tool } from "../../contracts/index.js";
import { openTypeNames } from "../type-names.js";
import type { Fallback } from "../type-tree/type-node.js";
import { assignFunctionNames, isModuleName } from "./python-names.js";
import { quoteText } from "./quote-text.js";
import { importedNames, renderModule } from "./render-module.js";
import { claimToolNames, renderTool } from "./render-tool.js";

export interface PythonModule {
  readonly source: string;
  /** Every place where a type could not be told, so that nothing is `Any` or `object` in silence. */
  readonly fallbacks: readonly (Fallback & { readonly tool: string })[];
}

/** Other names of the same functions: the wire's, and TypeScript's. */
export const listSpellings = (
  functionNames: ReadonlyMap<Tool, string>,
): readonly (readonly [spelling: string, functionName: string])[] => {
  const taken = new Set([...importedNames, ...functionNames.values()]);
  return [...functionNames].flatMap(([tool, functionName]) =>
    [tool.name, tool.functionName].flatMap((spelling): readonly (readonly [string, string])[] => {
      if (!isModuleName(spelling) || taken.has(spelling)) return [];
      taken.add(spelling);
      return [[spelling, functionName]];
    }),
  );
};

/** `list_tools()` of a server. */
export const renderToolList = (functionNames: Iterable<string>): string => {
  const names = [...functionNames].map((name) => `        ${quoteText(name)},\n`).join("");
  const list = names === "" ? "[]" : `[\n${names}    ]`;
  return `def list_tools() -> List[str]:\n    """The names of the server's functions."""\n    return ${list}\n`;
};

/** The same catalog gives the same text, byte for byte. */
export const renderPythonModule = ({ catalog }: { readonly catalog: ServerCatalog }): PythonModule => {
  const functionNames = assignFunctionNames(catalog);
  const spellings = listSpellings(functionNames);
  const names = openTypeNames([
    ...importedNames,
    ...functionNames.values(),
    ...spellings.map(([spelling]) => spelling),
  ]);
  const claimed = [...functionNames].map(([tool, functionName]) => ({
    tool,
    functionName,
    own: claimToolNames(tool, names),
  }));
  const rendered = claimed.map((one) => ({ tool: one.tool, ...renderTool({ ...one, names }) }));
  const aliases = spellings.map(([spelling, functionName]) => `${spelling} = ${functionName}\n`).join("");
  const parts = [...rendered.map(({ source }) => source), renderToolList(functionNames.values()), aliases];
  return {
    source: renderModule({
      title: `Types and functions of the server ${quoteText(catalog.server)}, generated: do not edit.`,
      body: parts.filter((part) => part !== "").join("\n\n"),
    }),
    fallbacks: rendered.flatMap(({ tool, fallbacks }) =>
      fallbacks.map((fallback) => ({ tool: tool.name, ...fallback })),
    ),
  };
};
