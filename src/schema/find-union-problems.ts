// What is wrong with a value that should fit one of several schemas, told of the one that was most likely meant.
import { describeSchema, quoteValue } from "./describe-schema.js";
import { isPrimitive, nameTypeOf, toLiteralProblem } from "./find-value-problem.js";
import {
  type Inspect,
  type Inspected,
  noProblems,
  type Problem,
  type ValuePath,
  weights,
} from "./inspection.js";

type InspectedUnion = Inspected & { readonly branches: unknown; readonly inspect: Inspect };

const sumWeights = (problems: readonly Problem[]): number =>
  problems.reduce((sum, { weight }) => sum + weight, 0);

const isSamePath = (left: ValuePath | undefined, right: ValuePath | undefined): boolean =>
  left === right || (left?.key === right?.key && isSamePath(left?.parent, right?.parent));

/** Where each branch allows one value of `kind`, all of them together are what was wanted. */
const mergeLiterals = (best: Problem, all: readonly Problem[]): Problem => {
  if (best.literals === undefined) return best;
  const alike = all.filter(({ path }) => isSamePath(path, best.path));
  const allowed = new Set(alike.flatMap(({ literals }) => literals?.allowed ?? []));
  return toLiteralProblem(best.path, best.literals.found, [...allowed]);
};

/** When the value as a whole fits no branch, all branches are named. */
const describeUnion = (
  { inspection, value, path }: InspectedUnion,
  branches: readonly unknown[],
  weight: number,
) => {
  const found = isPrimitive(value) && weight < weights.type ? quoteValue(value) : nameTypeOf(value);
  const describe = (): string =>
    `is ${found}, expected ${describeSchema(inspection.root, { anyOf: branches })}`;
  return [{ path, kind: "value", weight, describe }] as const;
};

/** `oneOf` counts as `anyOf`: without patterns and formats two branches can look alike that the server tells apart. */
export const findUnionProblems = (inspected: InspectedUnion): readonly Problem[] => {
  const { branches, inspect, inspection, value, path, depth } = inspected;
  if (!Array.isArray(branches) || branches.length === 0) return noProblems;
  const found: (readonly Problem[])[] = [];
  for (const schema of branches) {
    const problems = inspect({ inspection, schema, value, path, depth: depth + 1 });
    if (problems.length === 0) return noProblems;
    found.push(problems);
  }
  const weighed = found.map((problems) => ({ problems, weight: sumWeights(problems) }));
  const best = weighed.reduce((left, right) => (right.weight < left.weight ? right : left));
  const isWhole = best.problems.some((problem) => problem.path === path && problem.kind === "value");
  if (isWhole && best.weight >= weights.literal) return describeUnion(inspected, branches, best.weight);
  return best.problems.map((problem) => mergeLiterals(problem, found.flat()));
};
