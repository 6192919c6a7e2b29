// Every name that a program uses as a value must be declared by it, be a server or be a guest global.
import { discoveryNames, keptNames, peopleNames, skillsName, workspaceNames } from "../../contracts/index.js";
import type { Finding } from "../check.js";
import { quote, quoteList } from "../diagnostics.js";
import type { Reference } from "../typescript/read-syntax.js";
import type { Context } from "./context.js";
import { absentGlobals, guestGlobals } from "../typescript/guest-globals.js";

export const checkNames = (context: Context): readonly Finding[] => {
  const { syntax, known, request } = context;
  const isKnown = (name: string): boolean =>
    guestGlobals.has(name) ||
    known.isGlobal(name) ||
    discoveryNames.typescript.includes(name) ||
    workspaceNames.typescript.includes(name) ||
    name === skillsName ||
    keptNames.typescript.includes(name) ||
    peopleNames.typescript.includes(name) ||
    request.globals?.includes(name) === true ||
    request.declared?.includes(name) === true;
  const unknown = syntax.references.filter(({ name, binding }) => binding === undefined && !isKnown(name));
  // A program that tests whether a name exists expects that it may not.
  const tested = new Set(unknown.filter((reference) => isTested(context, reference)).map(({ name }) => name));
  const reported = new Set<string>();
  return unknown.flatMap((reference) => {
    const { name } = reference;
    if (tested.has(name) || reported.has(name)) return [];
    reported.add(name);
    return [toFinding(context, reference)];
  });
};

const isTested = ({ syntax }: Context, { node }: Reference): boolean => {
  const parent = syntax.parentOf(node);
  return parent?.type === "UnaryExpression" && parent.operator === "typeof";
};

const toFinding = (context: Context, { name, node }: Reference): Finding => {
  const { request, known, syntax } = context;
  const place = { offset: node.start, code: "NAME_UNKNOWN" } as const;
  const instead = absentGlobals.get(name);
  // An earlier program of the session may have declared it.
  const severity = request.isSession && instead === undefined ? "warning" : "error";
  if (instead !== undefined) {
    const message = `Cannot use ${quote(name)}: it does not exist in a program`;
    return { ...place, severity, message, hint: instead };
  }
  const owners = request.servers.flatMap(({ catalog }) => {
    const tool = catalog.tools.find((one) => one.functionName === name || one.name === name);
    return tool === undefined ? [] : [{ tool, identifier: catalog.identifier }];
  });
  const [owner] = owners;
  if (owner !== undefined) {
    const call = `${owner.identifier}.${owner.tool.functionName}`;
    const message = `Cannot use ${quote(name)}: it is not declared, did you mean ${quote(call)}?`;
    return { ...place, severity, message, hint: request.renderSignature(owner) };
  }
  const candidates = [
    ...syntax.bindings.map((binding) => binding.name),
    ...known.all.map(({ identifier }) => identifier),
    ...guestGlobals,
    ...discoveryNames.typescript,
    ...workspaceNames.typescript,
    ...keptNames.typescript,
    ...peopleNames.typescript,
  ];
  const near = request.nearestNames(name, candidates);
  const meant = near.length > 0 ? `, did you mean ${quoteList(near)}?` : "";
  const servers = known.all.slice(0, 20).map(({ identifier }) => identifier);
  return {
    ...place,
    severity,
    message: `Cannot use ${quote(name)}: it is not declared${meant}`,
    hint: `Declare it, or use a connected server: ${servers.join(", ") || "none is connected"}`,
  };
};
