// Checks the names and arguments of calls to built-in functions (`memory.save`, `skills.list`).
import type { Finding } from "../check.js";
import { quote, quoteList } from "../diagnostics.js";
import { bindCall, bindInOrder } from "./bind-values.js";
import { builtInFunctions, listParameters, showBuiltIn } from "./built-in-functions.js";
import type { RuleContext } from "./context.js";
import { findArgumentProblems } from "./find-argument-problems.js";
import type { CallForm, MemberForm, Node } from "./tree.js";

const maxFindings = 20;

export const checkBuiltIns = (context: RuleContext): readonly Finding[] => {
  const { tree, request } = context;
  // An earlier program of the session may have declared the name.
  const severity = request.isSession ? "warning" : "error";
  const findings: Finding[] = [];
  for (const node of tree.nodes()) {
    if (findings.length >= maxFindings) break;
    const form = tree.read(node);
    const found =
      form.kind === "member"
        ? checkMember(context, node, form)
        : form.kind === "call"
          ? checkCall(context, node, form)
          : [];
    findings.push(...found.map((finding) => ({ ...finding, severity }) as const));
  }
  return findings;
};

/** The object has no such function: suggest the nearest ones and list them all. */
const checkMember = (
  context: RuleContext,
  node: Node,
  { object: owner, key: member, keyStart: offset, isIndex }: MemberForm,
): readonly Finding[] => {
  const { request, dialect } = context;
  const object = member === undefined || isIndex ? undefined : readPath(context, owner);
  const names = object === undefined ? undefined : builtInFunctions[dialect.language].objects.get(object);
  if (object === undefined || member === undefined || names === undefined || names.includes(member))
    return [];
  if (dialect.hasOtherMember(context, object, member) || context.isProbed(node)) return [];
  const near = request.nearestNames(member, names).map((name) => `${object}.${name}`);
  return [
    {
      severity: "error",
      code: "NAME_UNKNOWN",
      offset,
      message: `Cannot use ${quote(`${object}.${member}`)}: there is no such function${near.length > 0 ? `, did you mean ${quoteList(near)}?` : ""}`,
      hint: `Available: ${names.map((name) => `${object}.${name}`).join(", ")}`,
    },
  ];
};

const checkCall = (context: RuleContext, node: Node, call: CallForm): readonly Finding[] => {
  const { tree, dialect, request } = context;
  const path = readPath(context, call.callee);
  const found = path === undefined ? undefined : builtInFunctions[dialect.language].find(path);
  if (path === undefined || found === undefined || context.isProbed(node)) return [];
  const { schema } = found;
  return findArgumentProblems({
    nearestNames: request.nearestNames,
    name: path,
    toSignature: () => showBuiltIn(path, found),
    schema,
    bound: found.isToolLike
      ? bindCall(tree, schema, { ...call, node })
      : bindInOrder(tree, listParameters(schema), { ...call, node }, dialect),
    wanted: dialect.arguments,
  });
};

/** The path of a built-in function (`memory.save`), however it is written; undefined if it is not one. */
const readPath = (context: RuleContext, node: Node): string | undefined => {
  const { tree, known, request, dialect } = context;
  const form = tree.read(node);
  if (form.kind === "member") {
    const object = form.key === undefined || form.isIndex ? undefined : readPath(context, form.object);
    return object === undefined ? undefined : dialect.joinPath(object, form.key ?? "");
  }
  if (form.kind !== "name") return undefined;
  const binding = tree.lookUp(node);
  if (binding !== undefined)
    return binding.origin?.kind === "import" ? dialect.readBuiltInImport(context, binding.origin) : undefined;
  const isOurs = !known.isGlobal(form.name) && request.declared?.includes(form.name) !== true;
  return isOurs ? form.name : undefined;
};
