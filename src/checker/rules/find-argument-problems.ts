// Checks the arguments of one call against the tool's schema and suggests a fix for each mistake.
import type { JsonSchema } from "../../contracts/index.js";
import type { CheckRequest, Finding } from "../check.js";
import { quote, quoteList } from "../diagnostics.js";
import type { BoundValues } from "./bind-values.js";
import { findSchemaProblems, type SchemaProblem } from "./find-schema-problems.js";

export interface ArgumentOptions {
  readonly nearestNames: CheckRequest["nearestNames"];
  /** The tool as written in programs. */
  readonly name: string;
  /** The exact signature. */
  readonly toSignature: () => string;
  readonly schema: JsonSchema;
  readonly bound: BoundValues;
  /** How to pass arguments in the program's language. */
  readonly wanted: string;
}

const maxPerCall = 3;

export const findArgumentProblems = (options: ArgumentOptions): readonly Finding[] => {
  const { schema, bound, toSignature, wanted } = options;
  const { value, excess } = bound;
  const name = quote(options.name);
  if (excess !== undefined) {
    const message = `Cannot call ${name}: too many values, it takes at most ${excess.max}, expected ${wanted}`;
    return [
      {
        severity: "error",
        code: "ARGUMENT_UNKNOWN",
        offset: excess.node.start,
        message,
        hint: toSignature(),
      },
    ];
  }
  if (value === undefined) return [];
  const problems = findSchemaProblems(schema, value);
  const unknown = problems.filter(({ kind }) => kind === "unknown");
  // A misspelt name explains the missing one.
  const explained = new Set(
    unknown.flatMap(({ path, candidates }) => nearest(options, path, candidates).slice(0, 1)),
  );
  return problems
    .filter(({ kind, path }) => kind !== "missing" || !explained.has(lastName(path)))
    .slice(0, maxPerCall)
    .map((problem) => ({
      severity: "error",
      code: codes[problem.kind],
      offset: problem.node.start,
      message: `Cannot call ${name}: ${describe(options, problem)}`,
      hint: toSignature(),
    }));
};

const codes = { unknown: "ARGUMENT_UNKNOWN", missing: "ARGUMENT_MISSING", value: "ARGUMENT_WRONG" } as const;

const lastName = (path: string): string => path.split(".").at(-1) ?? path;

const nearest = (
  { nearestNames }: ArgumentOptions,
  path: string,
  candidates: readonly string[],
): readonly string[] => nearestNames(lastName(path), candidates, 3);

const describe = (options: ArgumentOptions, problem: SchemaProblem): string => {
  const name = quote(problem.path);
  if (problem.kind === "missing")
    return `argument ${name} is missing${problem.expected === "unknown" ? "" : `, expected ${problem.expected}`}`;
  const near = nearest(
    options,
    problem.kind === "value" ? (problem.found ?? "") : problem.path,
    problem.candidates,
  );
  const meant = near.length > 0 ? `, did you mean ${quoteList(near)}?` : "";
  if (problem.kind === "unknown") {
    const names = problem.candidates.slice(0, 8).map((one) => quote(one, 40));
    return `unknown argument ${name}${meant || (names.length > 0 ? `, it also takes ${names.join(", ")}` : "")}`;
  }
  const what = problem.path === "" ? "the arguments object" : `argument ${name}`;
  return `${what} is ${problem.found}, expected ${problem.expected}${meant}`;
};
