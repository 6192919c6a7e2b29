// Reads one rule: a selector, and conditions on arguments in parentheses. `mail.send(to: not *@acme.com, size > 10)`.
import {
  type Comparison,
  type Condition,
  compareWith,
  equals,
  type Literal,
  matchPattern,
  toBound,
  toLiteral,
} from "./condition.js";

/** Classes of tools that a rule can name instead of a tool. */
export const policyClasses = ["reads", "writes", "destructive", "external"] as const;

export type PolicyClass = (typeof policyClasses)[number];

export type Selector =
  | { readonly kind: "class"; readonly name: PolicyClass }
  /** `server.tool` with `*` for any part. */
  | { readonly kind: "tool"; readonly glob: string };

export interface RulePattern {
  /** As it was written. */
  readonly text: string;
  readonly selector: Selector;
  readonly conditions: readonly Condition[];
}

/** A rule that cannot be read. The message has the form "state, expected what". */
export class RuleSyntaxError extends Error {}

const maxRuleLength = 2000;
const network = "(network)";

/** Throws RuleSyntaxError. */
export const parseRule = (text: string): RulePattern => {
  if (text.length > maxRuleLength)
    throw new RuleSyntaxError(`it is longer than ${maxRuleLength} characters, expected a short rule`);
  const trimmed = text.trim();
  // The program's own `fetch` is recorded under a name in parentheses.
  const from = trimmed.startsWith(network) ? network.length : 0;
  const open = trimmed.indexOf("(", from);
  if (open === -1) return { text, selector: parseSelector(trimmed), conditions: [] };
  if (!trimmed.endsWith(")"))
    throw new RuleSyntaxError('it does not end with ")", expected one after the conditions');
  const conditions = splitOutside(trimmed.slice(open + 1, -1), ",").map(parseCondition);
  return { text, selector: parseSelector(trimmed.slice(0, open).trim()), conditions };
};

/** Names with a dot or a star. */
const isSelector = (text: string): boolean => {
  const name = text.startsWith(network) ? text.slice(network.length) : text;
  return !/[(),#"]/.test(name) && /[.*]/.test(name);
};

const parseSelector = (text: string): Selector => {
  const name = policyClasses.find((known) => known === text);
  if (name !== undefined) return { kind: "class", name };
  if (isSelector(text)) return { kind: "tool", glob: text };
  throw new RuleSyntaxError(
    `${JSON.stringify(text.slice(0, 80))} selects nothing, expected "server.tool", with "*" for any part, or one of ${policyClasses.join(", ")}`,
  );
};

/** Splits outside of quotes and brackets. */
const splitOutside = (text: string, separator: string): string[] => {
  const parts: string[] = [];
  let depth = 0;
  let isQuoted = false;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "[") depth++;
    else if (character === "]") depth--;
    else if (character === separator && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  if (isQuoted) throw new RuleSyntaxError("a quote is not closed, expected another one");
  return [...parts, text.slice(from)].map((part) => part.trim());
};

const expectedCondition =
  'expected "argument: pattern", "argument: not pattern", "argument in [a, b]" or "argument > 10"';

/** `to`, `to|cc`, `attendees[].email`. */
const fieldForm = /^[^\s"(),]+$/;

const parseCondition = (text: string): Condition => {
  const { names, operator, operand } = splitCondition(text);
  const fields = names.split("|").map((name) => name.trim());
  if (operator === undefined || operand === "" || !fields.every((name) => fieldForm.test(name)))
    throw new RuleSyntaxError(
      `the condition ${JSON.stringify(text.slice(0, 80))} is not clear, ${expectedCondition}`,
    );
  const isNegated = operator.startsWith("not ") || operator === "!=";
  const paths = fields.map((name) => name.replaceAll("[]", "").split("."));
  if (paths.some((path) => path.includes("")))
    throw new RuleSyntaxError(
      `the argument ${JSON.stringify(names)} has an empty name, ${expectedCondition}`,
    );
  return { text, fields: paths, isNegated, ...toTest(operator.replace("not ", ""), operand) };
};

/** The longer ones first. */
const operators = [">=", "<=", "!=", "==", ">", "<", "=", ":"] as const;

/** Splits at the first operator. `in` is one if a list follows. */
const splitCondition = (
  text: string,
): { readonly names: string; readonly operator?: string | undefined; readonly operand: string } => {
  const at = text.search(/[:<>=!]/);
  const list = text.indexOf("[");
  const words = text.slice(0, Math.max(list, 0)).trimEnd().split(" ");
  if (list !== -1 && (at === -1 || list < at) && words.at(-1) === "in" && text.endsWith("]")) {
    const isNegated = words.at(-2) === "not";
    const names = words.slice(0, isNegated ? -2 : -1).join(" ");
    return { names, operator: isNegated ? "not in" : "in", operand: text.slice(list + 1, -1) };
  }
  const operator = at === -1 ? undefined : operators.find((known) => text.startsWith(known, at));
  const names = text.slice(0, Math.max(at, 0)).trim();
  const rest = text.slice(at + (operator?.length ?? 0)).trim();
  if (operator !== ":" || !rest.startsWith("not ")) return { names, operator, operand: rest };
  return { names, operator: "not :", operand: rest.slice(4).trim() };
};

const toTest = (operator: string, operand: string): Pick<Condition, "test" | "literals"> => {
  if (operator === ":") {
    const pattern = unquote(operand);
    return { test: matchPattern(pattern), literals: pattern.includes("*") ? [] : [toLiteral(pattern)] };
  }
  if (operator === "in") return toEqual(splitOutside(operand, ",").map(readLiteral));
  if (operator === "=" || operator === "==" || operator === "!=") return toEqual([readLiteral(operand)]);
  const bound = toBound(operand);
  if (bound === undefined)
    throw new RuleSyntaxError(
      `${JSON.stringify(operand.slice(0, 80))} cannot be compared with ${operator}, expected a number or a date like 2026-01-31`,
    );
  return { test: compareWith(operator as Comparison, bound), literals: [] };
};

const toEqual = (literals: readonly Literal[]): Pick<Condition, "test" | "literals"> => ({
  test: equals(literals),
  literals,
});

const isQuotedText = (text: string): boolean =>
  text.length >= 2 && text.startsWith('"') && text.endsWith('"');

const unquote = (text: string): string => (isQuotedText(text) ? text.slice(1, -1) : text);

const readLiteral = (text: string): Literal => {
  if (text === "") throw new RuleSyntaxError("a list has an empty item, expected a string or a number");
  return isQuotedText(text) ? text.slice(1, -1) : toLiteral(text);
};
