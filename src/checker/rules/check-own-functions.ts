// Checks the names and arguments of calls to built-in functions (`memory.save`, `skills.list`).
import type { Node } from "oxc-parser";
import { workspaceModules } from "../../contracts/index.js";
import type { Finding } from "../check.js";
import { quote, quoteList } from "../diagnostics.js";
import { ownFunctions, showOwn } from "./own-functions.js";
import { readKey, unwrap } from "../typescript/read-node.js";
import type { Binding } from "../typescript/read-syntax.js";
import { bindKnown, readValues } from "./bind-values.js";
import type { KnownValue } from "./known-value.js";
import type { Context } from "./context.js";
import { findArgumentProblems } from "./find-argument-problems.js";

type Call = Extract<Node, { type: "CallExpression" }>;

const { objects, find } = ownFunctions.typescript;
const maxFindings = 20;

export const checkOwnFunctions = (context: Context): readonly Finding[] => {
  const findings: Finding[] = [];
  for (const call of context.syntax.calls) {
    if (findings.length >= maxFindings) break;
    if (call.type === "CallExpression" && !call.optional) findings.push(...checkOwnCall(context, call));
  }
  return findings;
};

const checkOwnCall = (context: Context, call: Call): readonly Finding[] => {
  const { request, syntax } = context;
  const callee = unwrap(call.callee);
  const path = readPath(context, callee);
  if (path === undefined) return [];
  // An earlier program of the session may have declared the name.
  const severity = request.isSession ? "warning" : "error";
  const own = find(path);
  if (own === undefined) {
    const [object = "", member = "", ...rest] = path.split(".");
    const names = objects.get(object);
    // For `fs`, suggest the names of the module.
    const isSkipped = object === "fs" || rest.length > 0 || member === "" || member in Object.prototype;
    if (names === undefined || isSkipped || callee.type !== "MemberExpression" || callee.optional) return [];
    return [
      toUnknown(request.nearestNames, { object, member, names, offset: callee.property.start, severity }),
    ];
  }
  const known = call.arguments.map((value) => readValues(syntax, value));
  if (!known.every((given) => given !== undefined)) return [];
  const values = known.flat();
  const bound = own.isToolLike
    ? bindKnown({ schema: own.schema, known: values, node: call })
    : { value: toFields(Object.keys(toProperties(own.schema)), values, call) };
  return findArgumentProblems({
    nearestNames: request.nearestNames,
    name: path,
    toSignature: () => showOwn(path, own),
    schema: own.schema,
    bound,
    wanted: "one arguments object",
  }).map((finding) => ({ ...finding, severity }));
};

interface UnknownFunction extends Pick<Finding, "offset" | "severity"> {
  readonly object: string;
  readonly member: string;
  readonly names: readonly string[];
}

/** The object has no such function: suggest the nearest ones and list them all. */
export const toUnknown = (
  nearestNames: Context["request"]["nearestNames"],
  { object, member, names, ...place }: UnknownFunction,
): Finding => {
  const near = nearestNames(member, names).map((name) => `${object}.${name}`);
  return {
    ...place,
    code: "NAME_UNKNOWN",
    message: `Cannot use ${quote(`${object}.${member}`)}: there is no such function${near.length > 0 ? `, did you mean ${quoteList(near)}?` : ""}`,
    hint: `Available: ${names.map((name) => `${object}.${name}`).join(", ")}`,
  };
};

export const toProperties = (schema: unknown): object =>
  (schema as { readonly properties?: object | undefined }).properties ?? {};

/** Positional values → the fields of one object. The language ignores further ones. */
export const toFields = (names: readonly string[], values: readonly KnownValue[], node: Node): KnownValue => {
  const fields = names.flatMap((name, at) => {
    const value = values[at];
    return value === undefined ? [] : [[name, { key: value.node, value }] as const];
  });
  return { kind: "object", fields: new Map(fields), isOpen: false, node };
};

/** The path of a built-in function (`memory.save`), however it is written; undefined if it is not one. */
const readPath = (context: Context, node: Node): string | undefined => {
  const { syntax, known, request } = context;
  if (node.type === "MemberExpression") {
    const key = readKey(node);
    const object = key === undefined ? undefined : readPath(context, unwrap(node.object));
    return object === undefined ? undefined : join(object, key ?? "");
  }
  if (node.type !== "Identifier") return undefined;
  const binding = syntax.bindingOf(node);
  if (binding !== undefined) return readImport(context, binding);
  const isOurs = !known.isGlobal(node.name) && request.declared?.includes(node.name) !== true;
  return isOurs ? node.name : undefined;
};

/** The module "workspace" is the empty path, and `fs` has itself as `promises`. */
const join = (object: string, key: string): string =>
  object === "" || object === "fs:" ? (key === "promises" ? "fs" : key) : `${object}.${key}`;

const readImport = ({ known }: Context, { declaration, statement }: Binding): string | undefined => {
  if (statement === undefined || known.findAdapter(statement.source.value) !== undefined) return undefined;
  const module = known.toPath(statement.source.value);
  if (!workspaceModules.has(module)) return undefined;
  const whole = module === "workspace" ? "" : module.endsWith("promises") ? "fs" : "fs:";
  if (declaration.type === "ImportNamespaceSpecifier") return whole;
  if (declaration.type === "ImportDefaultSpecifier") return whole === "" ? "workspace" : whole;
  if (declaration.type !== "ImportSpecifier") return undefined;
  const { imported } = declaration;
  const name = imported.type === "Identifier" ? imported.name : imported.value;
  return name === "default" ? undefined : join(whole, name);
};
