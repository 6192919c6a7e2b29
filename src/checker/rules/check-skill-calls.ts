// Checks the calls of skills: their arguments must fit the parameters in the skill's source.
import type { Finding } from "../check.js";
import type { SkillFunction } from "../program.js";
import type { BoundValues } from "./bind-values.js";
import type { RuleContext } from "./context.js";
import { findArgumentProblems } from "./find-argument-problems.js";
import { type CallForm, type Imported, type Node, readImported } from "./tree.js";

export type SkillCall = CallForm & { readonly node: Node };

/** How a language defines and calls skills. */
export interface SkillRules<Context extends RuleContext> {
  /** The function that an import refers to; undefined if it is not a skill, or if its parameters are not certain. */
  readonly find: (context: Context, imported: Imported) => SkillFunction | undefined;
  /** The arguments of a call; undefined if they cannot be compared with the parameters. */
  readonly bind: (context: Context, skill: SkillFunction, call: SkillCall) => BoundValues | undefined;
  /** How to pass arguments. */
  readonly wanted: string;
  readonly isCertain: (
    context: Context,
    finding: Finding,
    given: { readonly skill: SkillFunction; readonly bound: BoundValues },
  ) => boolean;
}

const maxFindings = 100;

export const checkSkillCalls = <Context extends RuleContext>(
  context: Context,
  { find, bind, wanted, isCertain }: SkillRules<Context>,
): readonly Finding[] => {
  const { tree, request } = context;
  const known = new Map<string, SkillFunction | undefined>();
  const findSkill = (imported: Imported): SkillFunction | undefined => {
    const key = `${imported.module}\n${imported.name}`;
    if (!known.has(key)) known.set(key, find(context, imported));
    return known.get(key);
  };
  const findings: Finding[] = [];
  for (const node of tree.nodes()) {
    if (findings.length >= maxFindings) break;
    const form = tree.read(node);
    const imported = form.kind === "call" ? readImported(tree, form.callee) : undefined;
    const skill = imported === undefined ? undefined : findSkill(imported);
    if (form.kind !== "call" || skill === undefined || context.isProbed(node)) continue;
    const bound = bind(context, skill, { ...form, node });
    if (bound === undefined) continue;
    const { start, end } = form.callee;
    const problems = findArgumentProblems({
      nearestNames: request.nearestNames,
      name: tree.text.slice(start, end),
      toSignature: () => skill.signature,
      schema: skill.parameters,
      bound,
      wanted,
    });
    for (const finding of problems)
      findings.push({
        ...finding,
        severity: isCertain(context, finding, { skill, bound }) ? "error" : "warning",
      });
  }
  return findings;
};
