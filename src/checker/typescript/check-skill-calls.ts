// Checks the arguments of skill calls against the types in the skill's source.
import type { Node } from "oxc-parser";
import { type JsonObject, skillsName } from "../../contracts/index.js";
import type { Finding } from "../check.js";
import { bindInOrder } from "../rules/bind-values.js";
import { listParameters } from "../rules/check-built-ins.js";
import { findArgumentProblems } from "../rules/find-argument-problems.js";
import { findSchemaProblems } from "../rules/find-schema-problems.js";
import type { KnownValue } from "../rules/known-value.js";
import { readImported } from "../rules/tree.js";
import { readTypeScriptFunction } from "../skills/read-typescript-function.js";
import type { SkillFunction } from "../skills/skill-function.js";
import type { Context } from "./dialect.js";
import { unwrap } from "./read-node.js";

type Call = Extract<Node, { type: "CallExpression" }>;

const maxFindings = 20;

export const checkSkillCalls = (context: Context): readonly Finding[] => {
  const findings: Finding[] = [];
  for (const call of context.syntax.calls) {
    if (findings.length >= maxFindings) break;
    if (call.type === "CallExpression") findings.push(...checkSkillCall(context, call));
  }
  return findings;
};

/** The skill function that a call refers to. */
const findSkill = ({ tree, known, adapters }: Context, callee: Node): SkillFunction | undefined => {
  const { module = "", name } = readImported(tree, callee) ?? {};
  const path = known.findAdapter(module);
  const adapter = path?.startsWith(`${skillsName}/`) === true ? adapters.get(path) : undefined;
  if (adapter === undefined || name === undefined) return undefined;
  const found = readTypeScriptFunction(adapter.syntax.text, name);
  return found?.name === name && found.isDefault === (name === "default") ? found : undefined;
};

const checkSkillCall = (context: Context, call: Call): readonly Finding[] => {
  const { tree, request, dialect } = context;
  const callee = unwrap(call.callee);
  const skill = findSkill(context, callee);
  // Rest parameters take any number of values, and a default may replace all of them.
  if (skill === undefined || skill.signature.includes("...")) return [];
  if (call.arguments.length === 0 && /=(?!>)/.test(skill.signature)) return [];
  const { parameters: schema, takes, signature } = skill;
  const names = takes === "object" ? [givenObject] : listParameters(schema);
  const bound = bindInOrder(tree, names, { values: call.arguments, named: [], node: call }, dialect);
  const given = takes === "object" ? takeObject(bound.value) : bound.value;
  if (given === undefined) return [];
  // A surplus argument does no harm, and an untyped parameter may be optional.
  const isCertain =
    isTyped(schema) && findSchemaProblems(schema, given).some(({ kind }) => kind !== "unknown");
  return findArgumentProblems({
    nearestNames: request.nearestNames,
    name: tree.text.slice(callee.start, callee.end),
    toSignature: () => signature,
    schema,
    bound: { value: given },
    wanted: "the skill's arguments",
  }).map((finding) => ({ ...finding, severity: isCertain ? "error" : "warning" }));
};

const givenObject = "object";

/** The one argument, or an empty object if there is none. */
const takeObject = (value: KnownValue | undefined): KnownValue | undefined =>
  value?.kind === "object" ? (value.fields.get(givenObject)?.value ?? value) : undefined;

const isTyped = ({ properties }: JsonObject): boolean =>
  Object.values(properties ?? {}).some((one) => Object.keys(one as object).length > 0);
