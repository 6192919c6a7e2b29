// Compares declared inverse calls with the existing tools. An unknown name is an error, because somebody relies on it.
import { isSchemaObject, listFields, readLiterals, resolveSchema } from "../../schema/index.js";
import { allowsAny, type CheckedServer, type CheckedTool, suggest } from "../check-policy.js";
import {
  listReferences,
  splitToolName,
  type Template,
  type TemplateCall,
  type UndoRule,
} from "./inverse-calls.js";

export interface CheckedUndo {
  readonly rule: UndoRule;
  readonly severity: "none" | "warning" | "error";
  readonly message?: string | undefined;
}

type Found = { readonly tool: CheckedTool } | { readonly problem: string } | "unlisted";

const find = (written: string, servers: readonly CheckedServer[]): Found => {
  const names = servers.map(({ name }) => name);
  const { server, tool } = splitToolName(written, names);
  const found = servers.find(({ name }) => name === server);
  if (found === undefined) return { problem: `no server "${server}" is configured${suggest(server, names)}` };
  if (found.tools === undefined) return "unlisted";
  const known = found.tools.find(({ name, functionName }) => name === tool || functionName === tool);
  if (known !== undefined) return { tool: known };
  const tools = found.tools.map(({ name }) => name);
  return { problem: `the server "${server}" has no tool "${tool}"${suggest(tool, tools)}` };
};

const listNames = ({ inputSchema }: CheckedTool): readonly string[] =>
  listFields(inputSchema).map(({ name }) => name);

/** What is wrong with the arguments that a call names. */
const findArgumentProblem = (call: TemplateCall, tool: CheckedTool): string | undefined => {
  const name = `"${call.name}"`;
  const fields: readonly (readonly [string, Template])[] =
    call.with.kind === "object" ? call.with.fields : [];
  const declared = listFields(tool.inputSchema);
  for (const [key, value] of fields) {
    const field = declared.find((one) => one.name === key);
    if (field === undefined) {
      if (allowsAny(tool.inputSchema)) continue;
      return `${name} has no argument "${key}"${suggest(key, listNames(tool))}`;
    }
    const schema = resolveSchema(field.schema, tool.inputSchema);
    const literals = isSchemaObject(schema) ? readLiterals(schema) : undefined;
    if (value.kind === "value" && literals !== undefined && !literals.includes(value.value as never))
      return `the argument "${key}" of ${name} is never ${JSON.stringify(value.value)}${suggest(
        String(value.value),
        literals.map(String),
      )}`;
  }
  const missing = declared.find((field) => field.isRequired && !fields.some(([key]) => key === field.name));
  return missing === undefined ? undefined : `${name} needs the argument "${missing.name}"`;
};

/** What is wrong with `$arguments` that a template uses. */
const findReferenceProblem = (templates: readonly Template[], tool: CheckedTool): string | undefined => {
  if (allowsAny(tool.inputSchema)) return undefined;
  const known = listNames(tool);
  const wrong = templates
    .flatMap(listReferences)
    .find(({ source, path }) => source === "arguments" && path[0] !== undefined && !known.includes(path[0]));
  return wrong === undefined
    ? undefined
    : `${wrong.text}: the tool has no argument "${wrong.path[0]}"${suggest(wrong.path[0] ?? "", known)}`;
};

const findProblem = (rule: UndoRule, servers: readonly CheckedServer[]): string | undefined | "unlisted" => {
  const { inverse, before, check } = rule;
  const own = find(rule.name, servers);
  if (own !== "unlisted" && "problem" in own) return own.problem;
  let isProven = own !== "unlisted";
  for (const [call, isRead] of [[inverse, false] as const, [before, true] as const, [check, true] as const]) {
    if (call === undefined) continue;
    const found = find(call.name, servers);
    if (found === "unlisted") {
      isProven = false;
      continue;
    }
    if ("problem" in found) return found.problem;
    if (isRead && !found.tool.isReadOnly)
      return `"${call.name}" is not declared read-only, so it cannot be read before a call`;
    const problem = findArgumentProblem(call, found.tool);
    if (problem !== undefined) return problem;
  }
  if (own !== "unlisted") {
    const templates = [inverse, before, check].flatMap((call) => (call === undefined ? [] : call.with));
    const expected = check?.expect.map(({ value }) => value) ?? [];
    const problem = findReferenceProblem([...templates, ...expected], own.tool);
    if (problem !== undefined) return problem;
    if (own.tool.isReadOnly) return "the tool only reads, so there is nothing to undo";
  }
  return isProven ? undefined : "unlisted";
};

/** Every declared inverse call, and what is wrong with it. */
export const checkUndo = (
  rules: readonly UndoRule[],
  servers: readonly CheckedServer[],
): readonly CheckedUndo[] =>
  rules.map((rule) => {
    const problem = findProblem(rule, servers);
    if (problem === undefined) return { rule, severity: "none" };
    if (problem === "unlisted")
      return { rule, severity: "warning", message: "is not proven: the tools of a server were never listed" };
    return { rule, severity: "error", message: `cannot be undone: ${problem}` };
  });
