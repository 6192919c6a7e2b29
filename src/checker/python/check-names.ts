// Every name that a Python program uses must be bound in it, be a server or be built in.
import {
  discoveryNames,
  keptNames,
  peopleNames,
  skillGlobals,
  workspaceNames,
} from "../../contracts/index.js";
import type { Finding } from "../check.js";
import { quote, quoteList } from "../diagnostics.js";
import { nameTool, type PythonContext, showSignature, toFunctionName } from "../rules/context.js";
import { absentGlobals } from "../typescript/guest-globals.js";
import type { Reference } from "./scope.js";
import { libraryName } from "./entity.js";
import { builtInNames } from "./built-in-names.js";

/** These create names that do not appear in the text. */
const makers = new Set(["exec", "eval", "globals", "locals", "vars", "setattr", "__builtins__", "builtins"]);

const maxReported = 10;

export const checkNames = (context: PythonContext): readonly Finding[] => {
  const { syntax, known, request } = context;
  const bound = new Set(syntax.bindings.map(({ name }) => name));
  const hasMaker =
    syntax.references.some(({ node }) => makers.has(node.name)) ||
    syntax.nodes.some((node) => node.kind === "imported" && node.name === "*");
  // Code that tests the Python version expects names to be missing.
  if (hasMaker || /\b(?:NameError|version_info)\b/.test(syntax.text)) return [];
  const isKnown = (name: string): boolean =>
    bound.has(name) ||
    builtInNames.has(name) ||
    /^_$|^__/.test(name) ||
    known.isGlobal(name) ||
    discoveryNames.python.includes(name) ||
    workspaceNames.python.includes(name) ||
    skillGlobals.python.includes(name) ||
    keptNames.python.includes(name) ||
    peopleNames.python.includes(name) ||
    request.globals?.includes(name) === true ||
    request.declared?.includes(name) === true;
  const unknown = new Map<string, Reference>();
  for (const reference of syntax.references) {
    const { name } = reference.node;
    if (!isKnown(name) && !unknown.has(name)) unknown.set(name, reference);
  }
  return [...unknown.values()].slice(0, maxReported).map((reference) => toFinding(context, bound, reference));
};

const toFinding = (
  context: PythonContext,
  bound: ReadonlySet<string>,
  { node: { name, start } }: Reference,
): Finding => {
  const { request, known } = context;
  // An earlier program of the session may have bound it.
  const severity = request.isSession ? "warning" : "error";
  const place = { offset: start, code: "NAME_UNKNOWN", severity } as const;
  if (name === "fetch") {
    const hint = absentGlobals.get(name);
    return {
      ...place,
      message: `Cannot use ${quote(name)}: it does not exist in a program`,
      ...(hint && { hint }),
    };
  }
  if (name === libraryName) {
    const message = `Cannot use ${quote(name)}: it is not imported`;
    return { ...place, message, hint: `Write "import ${libraryName}" above it` };
  }
  for (const server of request.servers) {
    const tool = server.catalog.tools.find(
      (one) => one.name === name || one.functionName === name || toFunctionName(server, one) === name,
    );
    if (tool === undefined) continue;
    const message = `Cannot use ${quote(name)}: it is not defined, did you mean ${quote(nameTool(server, tool))}?`;
    return { ...place, message, hint: showSignature(context, server, tool) };
  }
  const identifiers = known.all.map(({ identifier }) => identifier);
  const near = request.nearestNames(name, [...bound, ...identifiers, ...builtInNames]);
  return {
    ...place,
    message: `Cannot use ${quote(name)}: it is not defined${near.length > 0 ? `, did you mean ${quoteList(near)}?` : ""}`,
    hint: `Define or import it, or use a connected server: ${identifiers.slice(0, 20).join(", ") || "none is connected"}`,
  };
};
