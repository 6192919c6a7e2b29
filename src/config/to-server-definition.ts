// Converts one entry to a ServerDefinition. A problem is stored in it and does not affect other servers.
import { join } from "node:path";
import type * as z from "zod";
import { CoordinatorError, type ServerDefinition, type UpstreamTimeouts } from "../contracts/index.js";
import { createExpander, type ExpanderContext } from "./create-expander.js";
import { isObject, kindOfValue, quoteText, renderField, valueAt } from "./describe-value.js";
import type { Variables } from "./environment-files.js";
import { type MissingVariable, toMissingError } from "./missing-variable.js";
import { resolvePath } from "./paths.js";
import type { ConfigurationSource } from "./read-sources.js";
import { timeout } from "./schema-rules.js";
import { type ParsedEntry, serverEntrySchema } from "./server-entry-schema.js";
import { withoutCompiling } from "./settings-schema.js";
import { toTarget, toWritten } from "./to-target.js";

export interface EntryContext extends ExpanderContext {
  readonly source: ConfigurationSource;
  readonly onWarning: (text: string) => void;
}

const describeIssue = (issue: z.core.$ZodIssue, raw: unknown): string =>
  issue.code === "unrecognized_keys"
    ? `it has the unknown name ${quoteText(issue.keys[0] ?? "")}, wanted ${issue.message}`
    : `found ${kindOfValue(valueAt(raw, issue.path))}, wanted ${issue.message}`;

/** The fields of a malformed entry that can still be shown. */
const pickReadable = (raw: unknown): ParsedEntry => {
  const fields = isObject(raw) ? raw : {};
  const texts = ["command", "url", "serverUrl", "httpUrl", "description"].filter(
    (field) => Object.hasOwn(fields, field) && typeof fields[field] === "string",
  );
  return {
    disabled: fields.disabled === true || fields.enabled === false,
    ...Object.fromEntries(texts.map((field) => [field, fields[field]])),
  };
};

/** Some clients mean milliseconds, some seconds. A smaller number is taken as seconds. */
const minMs = 1000;

/** Returns the overrides of an entry, or `undefined` if there are none. */
const toTimeouts = (
  entry: ParsedEntry,
  onWarning: (text: string) => void,
): Partial<UpstreamTimeouts> | undefined => {
  const isSeconds = typeof entry.timeout === "number" && entry.timeout < minMs;
  const bare = timeout.safeParse(isSeconds ? Number(entry.timeout) * 1000 : entry.timeout);
  if (entry.timeout !== undefined && !bare.success) {
    onWarning('its "timeout" is ignored, wanted a number of milliseconds');
  } else if (bare.success && isSeconds) {
    onWarning(
      `its "timeout" of ${entry.timeout} is read as seconds, because it is too small for milliseconds`,
    );
  }
  const own = Object.entries(entry.timeouts ?? {}).filter(([, value]) => value !== undefined);
  const timeouts = { ...(bare.success ? { callTimeoutMs: bare.data } : {}), ...Object.fromEntries(own) };
  return Object.keys(timeouts).length === 0 ? undefined : timeouts;
};

/** Builds the definition of one server. `problem` is the first reason why it cannot be used. */
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
  const entry = parsed.data ?? pickReadable(raw);

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
  // A missing value comes first: later problems may only result from the unexpanded text.
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
