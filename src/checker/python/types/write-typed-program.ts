// Writes a program and the stubs of its tools for a type checker. Columns stay the same; lines move down by one.
import type { ServerCatalog, Tool } from "../../../contracts/index.js";
import type { PythonTypes } from "../../check.js";
import type { PythonContext } from "../dialect.js";
import type { PythonNode } from "../syntax/node.js";

/** Lines above the first line of the program. */
export const linesAbove = 1;

const isModuleName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);

/** A top-level `return` is our extension. The type checker sees an assignment of the same length. */
const replaceReturns = ({ syntax }: PythonContext): string => {
  let text = syntax.text;
  for (const node of syntax.nodes) {
    if (node.kind !== "return" || isInFunction(syntax.parentOf, node)) continue;
    const word = node.value === undefined ? "pass  " : "_____=";
    text = text.slice(0, node.start) + word + text.slice(node.start + word.length);
  }
  return text;
};

const isInFunction = (parentOf: (node: PythonNode) => PythonNode | undefined, start: PythonNode): boolean => {
  for (let node = parentOf(start); node !== undefined; node = parentOf(node))
    if (node.kind === "function" || node.kind === "class") return true;
  return false;
};

/** The tools that the program uses, without learned result types. */
const listTools = ({ uses }: PythonContext, catalog: ServerCatalog): readonly Tool[] => {
  const used = [...uses.calls, ...uses.values].filter(({ server }) => server.catalog === catalog);
  return [...new Set(used.map(({ tool }) => tool))].map(({ learned: _learned, ...tool }) => tool);
};

export interface TypedProgram {
  readonly files: ReadonlyMap<string, string>;
  /** All stubs as one text. */
  readonly stubs: string;
}

export const writeTypedProgram = (context: PythonContext, types: PythonTypes): TypedProgram => {
  const { syntax, request, known } = context;
  const servers = request.servers.filter(({ catalog }) => isModuleName(catalog.identifier));
  const modules = servers.map(({ catalog }) => ({
    identifier: catalog.identifier,
    source: types.renderModule({ catalog: { ...catalog, tools: listTools(context, catalog) } }).source,
  }));
  const unbound = syntax.references.filter(({ binding }) => binding === undefined);
  const globals = [...new Set(unbound.map(({ node }) => node.name))].flatMap((name) => {
    const identifier = known.isGlobal(name) ? known.find(name)?.identifier : undefined;
    if (!modules.some((module) => module.identifier === identifier)) return [];
    return [identifier === name ? name : `${identifier} as ${name}`];
  });
  const style = /\b(?:async|await|asyncio|anyio)\b/.test(syntax.text) ? "awaitable" : "value";
  const head = globals.length === 0 ? "pass" : `from mcp_tools import ${globals.join(", ")}`;
  return {
    files: new Map([
      ["program.py", `${head}\n${replaceReturns(context)}\n`],
      ["mcp_tools/__init__.py", ""],
      ["mcp_tools/_call.py", types.renderCallModule({ style })],
      ...modules.map(({ identifier, source }) => [`mcp_tools/${identifier}.py`, source] as const),
    ]),
    stubs: modules.map(({ source }) => source).join("\n"),
  };
};
