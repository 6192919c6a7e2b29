// Compares rules with the existing tools. A rule that matches nothing is an error, because somebody relies on it.
import type { JsonSchema } from "../contracts/index.js";
import {
  allowsOthers,
  isSchemaObject,
  listFields,
  nearestNames,
  readItems,
  readLiterals,
  resolveSchema,
} from "../schema/index.js";
import type { Condition } from "./condition.js";
import { listNames } from "./flows/label-arguments.js";
import type { Destination, Flow, Source } from "./flows/parse-flows.js";
import { selects } from "./open-policy.js";
import type { RulePattern, Selector } from "./parse-rule.js";
import type { Policy, PolicyAnswer, PolicyRule, PolicyTool } from "./policy.js";

export interface CheckedTool extends PolicyTool {
  readonly inputSchema: JsonSchema;
  /** Undefined: its answers are not described. */
  readonly outputSchema?: JsonSchema | undefined;
}

export interface CheckedServer {
  readonly name: string;
  /** Undefined: the server was never listed. */
  readonly tools: readonly CheckedTool[] | undefined;
}

/** A rule on calls, a flow, a source with a label, a tool that gets hidden values, or a server that is not believed, as its author wrote it. */
export interface WrittenRule extends Pick<PolicyRule, "name" | "because" | "role" | "file" | "line"> {
  readonly answer: PolicyAnswer | "label" | "reveal" | "distrust";
  readonly text: string;
}

export interface CheckedRule {
  readonly rule: WrittenRule;
  /** The number of known tools that it selects. */
  readonly tools: number;
  readonly severity: "none" | "warning" | "error";
  readonly message?: string | undefined;
}

/** Every rule with the number of tools it selects, and what is wrong with it. */
export const checkPolicy = (
  policy: Policy,
  servers: readonly CheckedServer[],
  policies: readonly Policy[] = [policy],
): readonly CheckedRule[] => {
  const { rules, data, reveal, distrust, file } = policy;
  const isBase = policies[0] === policy;
  const tools = servers.flatMap((server) => server.tools ?? []);
  const select = (selector: Selector): readonly CheckedTool[] =>
    tools.filter((tool) => selects(selector, tool));
  const denied = new Set(
    tools.filter((tool) => rules.some((rule) => isPlainDenial(rule) && selects(rule.pattern.selector, tool))),
  );
  const onCalls = rules.map((rule): CheckedRule => {
    const selected = select(rule.pattern.selector);
    const found = { rule: toWritten(rule), tools: selected.length };
    const problem =
      findSelectorProblem(rule.pattern, selected, servers) ??
      [rule.pattern, ...rule.unless].map((pattern) => findConditionProblem(pattern, tools)).find(Boolean);
    if (problem !== undefined) return { ...found, ...problem };
    if (rule.answer === "allow" && !isBase) return { ...found, ...notOwn };
    const isCovered = selected.length > 0 && selected.every((tool) => denied.has(tool));
    if (isCovered && !isPlainDenial(rule))
      return {
        ...found,
        severity: "warning",
        message: "never applies: a deny rule covers every tool that it selects",
      };
    return { ...found, severity: "none" };
  });
  const labels = data.labels
    // A source that a flow names is checked with the flow.
    .filter(({ label, text }) => label !== text)
    .map(({ label, text, file, line, ...source }): CheckedRule => {
      const selected = select(source.selector);
      const rule = { answer: "label", name: label, text: `${label}: ${text}`, file, line } as const;
      return { rule, tools: selected.length, ...findSourceProblem(source, selected, servers) };
    });
  const flows = data.flows.map((flow): CheckedRule => {
    const ends = flow.destinations.map((end) => ({ end, selected: select(end.selector) }));
    const problem =
      findLabelProblem(flow, [...policies, { data }]) ??
      data.labels
        .filter(({ label, text }) => label === text && flow.sources.includes(label))
        .map((source) => findSourceProblem(source, select(source.selector), servers))
        .find(({ severity }) => severity !== "none") ??
      ends.map(({ end, selected }) => findEndProblem(end, selected, servers)).find(Boolean);
    const count = new Set(ends.flatMap(({ selected }) => selected)).size;
    return { rule: flow, tools: count, severity: "none", ...problem };
  });
  const reveals = reveal.map(({ selector, text, kinds, line }): CheckedRule => {
    const selected = select(selector);
    const rule = {
      answer: "reveal",
      name: `reveal ${text}`,
      text: `${text}: ${kinds.join(", ")}`,
      file,
      line,
    } as const;
    const problem = findSelectorProblem({ selector }, selected, servers);
    return { rule, tools: selected.length, severity: "none", ...(problem ?? (isBase ? {} : notOwn)) };
  });
  const names = servers.map(({ name }) => name);
  const distrusted = distrust.map((name): CheckedRule => {
    const found = servers.find((server) => server.name === name);
    const rule = { answer: "distrust", name: `distrust ${name}`, text: name, file } as const;
    const problem = found === undefined ? error(`matches no server${suggest(name, names)}`) : undefined;
    return { rule, tools: found?.tools?.length ?? 0, severity: "none", ...problem };
  });
  return [...onCalls, ...labels, ...flows, ...reveals, ...distrusted];
};

const toWritten = ({ pattern, unless: _, ...rule }: PolicyRule): WrittenRule => ({
  ...rule,
  text: pattern.text,
});

/** A flow from a label that nothing has never applies. */
const findLabelProblem = (flow: Flow, policies: readonly Pick<Policy, "data">[]): Problem | undefined => {
  const isUsed = (label: string): boolean =>
    policies.some(
      ({ data }) => data.context.includes(label) || data.labels.some((rule) => rule.label === label),
    );
  const missing = flow.sources.find((label) => !isUsed(label));
  return missing === undefined ? undefined : error(`never applies: no source has the label "${missing}"`);
};

const findSourceProblem = (
  { selector, field }: Source,
  selected: readonly CheckedTool[],
  servers: readonly CheckedServer[],
): Problem => {
  const problem = findSelectorProblem({ selector }, selected, servers);
  if (problem !== undefined || field === undefined || selected.length === 0)
    return problem ?? { severity: "none" };
  const known = selected.map(({ outputSchema }) =>
    typeof outputSchema === "object" ? listNames(outputSchema) : undefined,
  );
  const name = field.at(-1) ?? "";
  if (known.some((names) => names === undefined || names.length === 0 || names.includes(name)))
    return { severity: "none" };
  return error(
    `names the field "${name}", which no selected tool answers with${suggest(
      name,
      known.flatMap((names) => names ?? []),
    )}`,
  );
};

const findEndProblem = (
  { selector, argument }: Destination,
  selected: readonly CheckedTool[],
  servers: readonly CheckedServer[],
): Problem | undefined =>
  findSelectorProblem({ selector }, selected, servers) ??
  (argument === undefined || selected.length === 0
    ? undefined
    : findFieldProblem({ fields: [argument], literals: [] }, selected));

type Problem = Pick<CheckedRule, "severity" | "message">;

/** A program's `fetch` is not a tool of a server. */
const isNetwork = (glob: string): boolean => /^\(?network\)?\./.test(glob);

const notOwn: Problem = { severity: "warning", message: "is not used: only your own policy can allow" };

const error = (message: string): Problem => ({ severity: "error", message });

export const suggest = (name: string, known: readonly string[]): string => {
  const [near] = nearestNames(name, known, 1);
  return near === undefined ? "" : `. Did you mean "${near}"?`;
};

const isPlainDenial = ({ answer, role, pattern, unless }: PolicyRule): boolean =>
  answer === "deny" && role === undefined && pattern.conditions.length === 0 && unless.length === 0;

const findSelectorProblem = (
  { selector }: Pick<RulePattern, "selector">,
  selected: readonly CheckedTool[],
  servers: readonly CheckedServer[],
): Problem | undefined => {
  if (selector.kind === "class" || selected.length > 0 || isNetwork(selector.glob)) return undefined;
  const names = servers.map(({ name }) => name);
  const [part = ""] = selector.glob.split(".");
  const server = names.find((name) => selector.glob.startsWith(`${name}.`)) ?? part;
  if (!server.includes("*") && !names.includes(server))
    return error(`matches no tool: no server "${server}" is configured${suggest(server, names)}`);
  const isOpen = servers.some(
    ({ name, tools }) => tools === undefined && (server.includes("*") || name === server),
  );
  if (isOpen)
    return { severity: "warning", message: "is not proven: the tools of its server were never listed" };
  const known = servers.flatMap(({ tools }) => tools ?? []).map((tool) => `${tool.server}.${tool.name}`);
  return error(`matches no tool${suggest(selector.glob.replaceAll("*", ""), known)}`);
};

const findConditionProblem = (
  { selector, conditions }: RulePattern,
  tools: readonly CheckedTool[],
): Problem | undefined => {
  const selected = tools.filter((tool) => selects(selector, tool));
  if (selected.length === 0) return undefined;
  for (const condition of conditions) {
    const found = findFieldProblem(condition, selected);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** An argument counts as declared if one of the selected tools declares it, or accepts any. */
const findFieldProblem = (
  condition: Pick<Condition, "fields" | "literals">,
  tools: readonly CheckedTool[],
): Problem | undefined => {
  for (const [name = ""] of condition.fields) {
    const schemas = tools.flatMap(({ inputSchema }) => readField(inputSchema, name));
    if (schemas.length === 0) {
      // A tool that takes any argument may take this one.
      if (tools.some(({ inputSchema }) => allowsAny(inputSchema))) continue;
      const known = [...new Set(tools.flatMap(({ inputSchema }) => listArguments(inputSchema)))];
      return error(`names the argument "${name}", which no selected tool has${suggest(name, known)}`);
    }
    const values = schemas.map((schema) => (isSchemaObject(schema) ? readLiterals(schema) : undefined));
    if (values.some((literals) => literals === undefined)) continue;
    const known = values.flatMap((literals) => literals ?? []);
    const missing = condition.literals.find((literal) => !known.includes(literal));
    if (missing !== undefined)
      return error(
        `compares the argument "${name}" with ${JSON.stringify(missing)}, which it never is${suggest(String(missing), known.map(String))}`,
      );
  }
  return undefined;
};

const listArguments = (schema: JsonSchema): readonly string[] => listFields(schema).map(({ name }) => name);

/** Whether a tool also takes arguments that it does not declare. */
export const allowsAny = (schema: JsonSchema): boolean => schema === true || allowsOthers(schema, schema);

/** The schema of an argument, or of its items if it is a list. */
const readField = (root: JsonSchema, name: string): readonly unknown[] => {
  const field = listFields(root).find((found) => found.name === name);
  if (field === undefined) return [];
  const schema = resolveSchema(field.schema, root);
  const items = isSchemaObject(schema) && schema.items !== undefined ? readItems(schema).rest : undefined;
  return [items === undefined ? schema : resolveSchema(items, root)];
};
