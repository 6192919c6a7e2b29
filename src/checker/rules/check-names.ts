// Every name that a program uses must be declared by it, be a server, be built in or be a global of the guest.
import {
  discoveryNames,
  peopleNames,
  skillGlobals,
  storedNames,
  workspaceNames,
} from "../../contracts/index.js";
import { didYouMean, type Finding, listNames, quote } from "../check.js";
import { nameTool, type RuleContext, showSignature, toFunctionName } from "./context.js";
import type { Tree } from "./tree.js";

type Reference = Tree["references"][number];

/** Further ones would not be reported. */
const maxReported = 100;

/** The hint at `fetch` in either language. */
export const noNetwork =
  "A program has no network of its own: use a tool of a connected server, or list the host under coordinator.network.allow";

/** Names that the coordinator gives to every program, without those of skills. */
const listGuestNames = ({ dialect: { language } }: RuleContext): readonly string[] =>
  [discoveryNames, workspaceNames, storedNames, peopleNames].flatMap((names) => names[language]);

/** `isDeclared` says whether the program itself may have declared a name at that place. */
export const checkNames = (
  context: RuleContext,
  isDeclared: (reference: Reference) => boolean,
): readonly Finding[] => {
  const { tree, known, request, dialect } = context;
  const names = new Set([
    ...dialect.globals,
    ...listGuestNames(context),
    ...skillGlobals[dialect.language],
    ...(request.globals ?? []),
    ...(request.declared ?? []),
  ]);
  const unknown = tree.references.filter(
    (reference) => !names.has(reference.name) && !known.isGlobal(reference.name) && !isDeclared(reference),
  );
  // A program that tests whether a name exists expects that it may not.
  const tested = new Set(unknown.filter(({ node }) => tree.isTested(node)).map(({ name }) => name));
  const first = new Map<string, Reference>();
  for (const reference of unknown)
    if (!tested.has(reference.name) && !first.has(reference.name)) first.set(reference.name, reference);
  return [...first.values()].slice(0, maxReported).map((reference) => toFinding(context, reference));
};

const toFinding = (context: RuleContext, { name, node }: Reference): Finding => {
  const { request, known, tree, dialect } = context;
  const { word, hint } = dialect.declared;
  // An earlier program of the session may have declared it.
  const severity = request.isSession ? "warning" : "error";
  const place = { offset: node.start, code: "NAME_UNKNOWN", severity } as const;
  const instead = dialect.absentGlobals.get(name);
  if (instead !== undefined) {
    const message = `Cannot use ${quote(name)}: it does not exist in a program`;
    return { ...place, severity: "error", message, hint: instead };
  }
  if (name === dialect.libraryModule) {
    const message = `Cannot use ${quote(name)}: it is not imported`;
    return { ...place, message, hint: `Write "import ${name}" above it` };
  }
  for (const server of request.servers) {
    const tool = server.catalog.tools.find(
      (one) => one.name === name || one.functionName === name || toFunctionName(server, one) === name,
    );
    if (tool === undefined) continue;
    const message = `Cannot use ${quote(name)}: it is not ${word}, did you mean ${quote(nameTool(server, tool))}?`;
    return { ...place, message, hint: showSignature(context, server, tool) };
  }
  const near = request.nearestNames(name, [
    ...tree.declared,
    ...known.identifiers,
    ...dialect.globals,
    ...(dialect.suggestsGuestNames ? listGuestNames(context) : []),
  ]);
  return {
    ...place,
    message: `Cannot use ${quote(name)}: it is not ${word}${didYouMean(near)}`,
    hint: `${hint}, or use a connected server: ${listNames(known.identifiers) || "none is connected"}`,
  };
};

/** Warns about text run as code. This is advice, not a security boundary: such code is error-prone and hard to review. */
export const checkAdvice = ({ tree, dialect }: RuleContext): readonly Finding[] =>
  tree.references.flatMap(({ node, name }) => {
    const message = dialect.advised.get(name);
    if (message === undefined || tree.lookUp(node) !== undefined || !tree.isCallee(node)) return [];
    return [{ severity: "warning", code: "ADVICE", offset: node.start, message }] as const;
  });
