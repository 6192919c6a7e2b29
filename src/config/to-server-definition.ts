// One entry of a configuration to a ServerDefinition; what is wrong with it stays with it, the others are unaffected.
import { join } from "node:path";
import type * as z from "zod";
import { CoordinatorError, type ServerDefinition } from "../contracts/index.js";
import { createExpander, type ExpanderContext } from "./create-expander.js";
import { isObject, kindOfValue, quoteText, renderField, valueAt } from "./describe-value.js";
import type { Variables } from "./environment-files.js";
import { type MissingVariable, toMissingError } from "./missing-variable.js";
import type { ConfigurationSource } from "./read-sources.js";
import { resolvePath } from "./resolve-path.js";
import { type ParsedEntry, serverEntrySchema } from "./server-entry-schema.js";
import { withoutCompiling } from "./settings-schema.js";
import { toTarget, toWritten } from "./to-target.js";
import { toTimeouts } from "./to-timeouts.js";

export interface EntryContext extends ExpanderContext {
  readonly source: ConfigurationSource;
  readonly onWarning: (text: string) => void;
}

const describeIssue = (issue: z.core.$ZodIssue, raw: unknown): string =>
  issue.code === "unrecognized_keys"
    ? `it has the unknown name ${quoteText(issue.keys[0] ?? "")}, wanted ${issue.message}`
    : `found ${kindOfValue(valueAt(raw, issue.path))}, wanted ${issue.message}`;

/** What can be shown of an entry that is malformed. */
const keepReadable = (raw: unknown): ParsedEntry => {
  const fields = isObject(raw) ? raw : {};
  const texts = ["command", "url", "serverUrl", "httpUrl", "description"].filter(
    (field) => Object.hasOwn(fields, field) && typeof fields[field] === "string",
  );
  return {
    disabled: fields.disabled === true || fields.enabled === false,
    ...Object.fromEntries(texts.map((field) => [field, fields[field]])),
  };
};

/** Makes the definition of one server; `problem` holds the first thing that keeps it from being used. */
export const toServerDefinition = (name: string, raw: unknown, context: EntryContext): ServerDefinition => {
  const { source, homeFolder, readEnvironmentFile } = context;
  const problems: CoordinatorError[] = [];
  const warnings: string[] = [];
  const missing: MissingVariable[] = [];
  const onWarning = (text: string): number => warnings.push(text);
  const onProblem = (field: string, state: string): void => {
    const place = field === "" ? "" : `field ${quoteText(field)}, `;
    const message = `Cannot use server ${quoteText(name)} of "${source.name}": ${place}${state}`;
    const details = { source: source.name, field };
    problems.push(new CoordinatorError("CONFIG_INVALID", message, { details }));
  };
  const openExpander = (fileVariables: Variables) =>
    createExpander({
      ...context,
      fileVariables,
      folder: source.folder,
      onMissing: (found) => missing.push(found),
    });

  const parsed = serverEntrySchema.safeParse(raw, withoutCompiling);
  for (const issue of parsed.error?.issues ?? []) {
    onProblem(renderField(issue.path), describeIssue(issue, raw));
  }
  const entry = parsed.data ?? keepReadable(raw);

  let fileVariables: Variables = {};
  if (entry.envFile !== undefined) {
    const path = resolvePath(openExpander({})(entry.envFile, "envFile"), source.folder, homeFolder);
    const read = readEnvironmentFile(path);
    if (read === undefined) onProblem("envFile", "it cannot be read, wanted a file of NAME=value lines");
    fileVariables = read ?? {};
  }
  const expand = openExpander(fileVariables);
  const folder = source.folder;
  const target = toTarget({ entry, expand, fileVariables, folder, homeFolder, onWarning, onProblem });
  const timeouts = toTimeouts(entry, onWarning);
  const description = entry.description ?? source.description;
  const isInProject = (): boolean => {
    const project =
      missing.length === 0 ? undefined : readEnvironmentFile(join(context.workingFolder, ".env"));
    return missing.every(({ variable }) => project !== undefined && Object.hasOwn(project, variable));
  };
  // With a reference that has no value every later complaint is about a text that nobody wrote.
  const missingError = parsed.success ? toMissingError(name, source.name, missing, isInProject()) : undefined;
  const problem = missingError ?? problems[0];
  if (problem === undefined) {
    for (const text of warnings) context.onWarning(`Server ${quoteText(name)} of "${source.name}": ${text}`);
  }
  return {
    name,
    target,
    written: toWritten(entry),
    isEnabled: entry.disabled !== true && entry.enabled !== false,
    source: source.name,
    description,
    timeouts,
    launch: entry.launch,
    problem,
  };
};
