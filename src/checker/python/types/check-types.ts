// Experimental: checks the types of a Python program with an installed type checker and reports only what is certain.
import type { ServerCatalog, Tool } from "../../../contracts/index.js";
import type { Finding, PythonTypes } from "../../check.js";
import type { PythonContext } from "../dialect.js";
import type { PythonNode } from "../syntax/node.js";
import { judgeTypeMessage } from "./judge-type-message.js";
import {
  type FoundChecker,
  findTypeChecker,
  runTypeChecker,
  type TypeMessage,
  typeCheckers,
} from "./type-checkers.js";

/** Time limits for a requested check and for a program about to run. */
const timeoutsMs = { requested: 20_000, run: 200 };
const maxCached = 200;
const maxMessages = 50;

/** Cache: program as written for the type checker → its messages. */
const cache = new Map<string, readonly TypeMessage[]>();

const toOffset = (text: string, line: number, column: number): number => {
  let start = 0;
  for (let left = line - 1; left > 0; left--) start = text.indexOf("\n", start) + 1;
  return start + column - 1;
};

const find = ({ checker, interpreter }: PythonTypes): FoundChecker | undefined =>
  checker === "off" ? undefined : findTypeChecker({ wanted: checker, interpreter });

export const checkPythonTypes = async (
  context: PythonContext,
  types: PythonTypes,
): Promise<readonly Finding[]> => {
  const checker = context.uses.calls.length === 0 ? undefined : find(types);
  if (checker === undefined) return [];
  const { files, stubs } = writeTypedProgram(context, types);
  const key = JSON.stringify([checker.executable, ...files]);
  let messages = cache.get(key);
  if (messages === undefined) {
    if (!types.isAsked && !typeCheckers[checker.name].isFast) return [];
    const timeoutMs = types.isAsked ? timeoutsMs.requested : timeoutsMs.run;
    messages = await runTypeChecker({ checker, files, timeoutMs }).catch(() => undefined);
    if (messages === undefined) return [];
    cache.set(key, messages);
    const [oldest] = cache.keys();
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
  }
  const { text } = context.syntax;
  return messages.slice(0, maxMessages).flatMap((message) => {
    const offset = toOffset(text, message.line - linesAbove, message.column);
    return judgeTypeMessage({ context, offset, message, stubs }) ?? [];
  });
};

/** Lines above the first line of the program. */
const linesAbove = 1;

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

const writeTypedProgram = (context: PythonContext, types: PythonTypes): TypedProgram => {
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
