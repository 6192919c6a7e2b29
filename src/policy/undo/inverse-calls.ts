// The inverse call of each tool that writes: read from the `undo` section of a policy, and computed for a write. Arguments are templates: JSON in
// which `$answer.number`, `$arguments.id` and `$before.text` refer to values of the call. Inserted values are never interpreted as templates.
import {
  type InverseCall,
  type InverseMaker,
  isJsonObject,
  type Json,
  type JsonObject,
  type RecordedInverse,
  readLargeInteger,
  toJson,
} from "../../contracts/index.js";
import { nearestNames } from "../../schema/index.js";
import type { DocumentPath, PolicyReader } from "../parse-policy.js";

export const templateSources = ["answer", "arguments", "before"] as const;

export type TemplateSource = (typeof templateSources)[number];

export interface Reference {
  readonly source: TemplateSource;
  readonly path: readonly string[];
  /** As it was written. */
  readonly text: string;
  /** The field is left out if there is no value. */
  readonly isOptional: boolean;
}

export type Template =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "reference"; readonly reference: Reference }
  | { readonly kind: "list"; readonly items: readonly Template[] }
  | { readonly kind: "object"; readonly fields: readonly (readonly [name: string, value: Template])[] };

export type TemplateValues = Readonly<Partial<Record<TemplateSource, Json | undefined>>>;

/** A template that cannot be parsed, or a missing value. */
class TemplateError extends Error {}

const maxDepth = 20;

/** Throws TemplateError. */
const parseTemplate = (value: Json, sources: readonly TemplateSource[], depth = 0): Template => {
  if (depth > maxDepth) throw new TemplateError(`has more than ${maxDepth} levels`);
  if (typeof value === "string" && value.startsWith("$")) return readText(value, sources);
  if (typeof value !== "object" || value === null || readLargeInteger(value) !== undefined)
    return { kind: "value", value };
  if (Array.isArray(value))
    return { kind: "list", items: value.map((item: Json) => parseTemplate(item, sources, depth + 1)) };
  return {
    kind: "object",
    fields: Object.entries(value as JsonObject).map(([name, field]) => [
      name,
      parseTemplate(field, sources, depth + 1),
    ]),
  };
};

const reference = /^\$([A-Za-z]+)((?:\.[^.\s?]+)*)(\?)?$/;

/** `$$text` is the text `$text`. */
const readText = (text: string, sources: readonly TemplateSource[]): Template => {
  if (text.startsWith("$$")) return { kind: "value", value: text.slice(1) };
  const [, name = "", path = "", mark] = text.length > 500 ? [] : (reference.exec(text) ?? []);
  const source = sources.find((known) => known === name);
  const wanted = sources.map((known) => `$${known}`).join(", ");
  if (source === undefined) {
    const [near] = nearestNames(name, [...sources], 1);
    const hint = near === undefined ? `expected ${wanted}` : `did you mean "$${near}"?`;
    throw new TemplateError(
      `${JSON.stringify(text.slice(0, 80))} names no value, ${hint} A text that begins with $ is written with $$`,
    );
  }
  const parts = path === "" ? [] : path.slice(1).split(".");
  return { kind: "reference", reference: { source, path: parts, text, isOptional: mark !== undefined } };
};

export const listReferences = (template: Template): readonly Reference[] => {
  switch (template.kind) {
    case "value":
      return [];
    case "reference":
      return [template.reference];
    case "list":
      return template.items.flatMap(listReferences);
    case "object":
      return template.fields.flatMap(([, field]) => listReferences(field));
  }
};

/** Only own fields count: an answer cannot name what every object inherits. */
const readPath = (value: Json | undefined, path: readonly string[]): Json | undefined => {
  let at: Json | undefined = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || readLargeInteger(at) !== undefined) return undefined;
    if (!Object.hasOwn(at, key) || (Array.isArray(at) && !/^\d+$/.test(key))) return undefined;
    at = (at as JsonObject)[key];
  }
  return at;
};

/** Throws TemplateError for a missing value. */
const fillTemplate = (template: Template, values: TemplateValues): Json => {
  const filled = fill(template, values);
  if (filled === undefined) throw new TemplateError("there is no value");
  return filled;
};

const fill = (template: Template, values: TemplateValues): Json | undefined => {
  switch (template.kind) {
    case "value":
      return template.value;
    case "reference": {
      const { source, path, text, isOptional } = template.reference;
      const found = readPath(values[source], path);
      if (found === undefined && !isOptional) throw new TemplateError(`there is no ${text}`);
      return found;
    }
    case "list":
      return template.items.map((item) => fill(item, values)).filter((item) => item !== undefined);
    case "object": {
      const fields = template.fields.map(([name, field]) => [name, fill(field, values)] as const);
      return Object.fromEntries(fields.filter(([, field]) => field !== undefined)) as JsonObject;
    }
  }
};

/** A call whose arguments are a template. */
export interface TemplateCall {
  /** `server.tool` */
  readonly name: string;
  readonly with: Template;
}

export interface UndoRule {
  /** The tool that writes: `server.tool`. */
  readonly name: string;
  readonly inverse: TemplateCall;
  /** A read before the write. Its answer is `$before`. */
  readonly before?: TemplateCall | undefined;
  /** A read before the inverse call, and what its answer must contain. */
  readonly check?:
    | (TemplateCall & {
        readonly expect: readonly { readonly path: readonly string[]; readonly value: Template }[];
      })
    | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

const maxRules = 1000;
const always: readonly TemplateSource[] = ["answer", "arguments"];

export const readUndo = (
  section: Json | undefined,
  { report, checkKeys, toPlace }: PolicyReader,
): readonly UndoRule[] => {
  if (section === undefined) return [];
  if (!isJsonObject(section)) {
    report(["undo"], 'is not an object like { "github.create_issue": { call, with } }');
    return [];
  }
  const readTemplate = (value: Json, path: DocumentPath, sources: readonly TemplateSource[]): Template => {
    try {
      return parseTemplate(value, sources);
    } catch (thrown) {
      if (!(thrown instanceof TemplateError)) throw thrown;
      report(path, thrown.message);
      return { kind: "value", value: null };
    }
  };
  const readCall = (
    value: JsonObject,
    path: DocumentPath,
    sources: readonly TemplateSource[],
  ): TemplateCall | undefined => {
    const { call, with: given = {} } = value;
    const name = typeof call === "string" && isToolName(call) ? call : undefined;
    if (name === undefined) report([...path, "call"], 'is not the name of a tool like "server.tool"');
    if (!isJsonObject(given)) report([...path, "with"], "is not an object with arguments");
    if (name === undefined || !isJsonObject(given)) return undefined;
    return { name, with: readTemplate(given, [...path, "with"], sources) };
  };
  const readCheck = (value: Json, path: DocumentPath, sources: readonly TemplateSource[]) => {
    if (!isJsonObject(value)) {
      report(path, "is not an object with call, with and expect");
      return undefined;
    }
    checkKeys(value, ["call", "with", "expect"], path);
    const call = readCall(value, path, sources);
    const { expect } = value;
    if (!isJsonObject(expect) || Object.keys(expect).length === 0) {
      report([...path, "expect"], "is not an object with fields of the answer and their values");
      return undefined;
    }
    const fields = Object.entries(expect).map(([name, field]) => ({
      path: name.split("."),
      value: readTemplate(field, [...path, "expect", name], sources),
    }));
    return call && { ...call, expect: fields };
  };

  const entries = Object.entries(section);
  if (entries.length > maxRules)
    report(["undo"], `has ${entries.length} entries, expected at most ${maxRules}`);
  return entries.slice(0, maxRules).flatMap(([name, value]): readonly UndoRule[] => {
    const path = ["undo", name];
    if (!isToolName(name)) report(path, 'is not the name of one tool like "server.tool"');
    if (!isJsonObject(value)) {
      report(path, "is not an object with call and with");
      return [];
    }
    checkKeys(value, ["call", "with", "before", "check"], path);
    const { before: read, check: compared } = value;
    if (read !== undefined && !isJsonObject(read))
      report([...path, "before"], "is not an object with call and with");
    if (isJsonObject(read)) checkKeys(read, ["call", "with"], [...path, "before"]);
    const before = isJsonObject(read) ? readCall(read, [...path, "before"], ["arguments"]) : undefined;
    const sources: readonly TemplateSource[] = read === undefined ? always : [...always, "before"];
    const inverse = readCall(value, path, sources);
    const check = compared === undefined ? undefined : readCheck(compared, [...path, "check"], sources);
    if (inverse === undefined) return [];
    return [{ name, inverse, before, check, ...toPlace(path) }];
  });
};

const isToolName = (text: string): boolean => /^[^.*]+\..*[^.*]$/.test(text) && text.length <= 500;

/** The size of what a journal stores of one inverse, and of the answer before the write, in characters. */
const maxInverse = 256 * 1024;
const maxBefore = 16 * 1024;

/** A server's name may contain dots, so the configured names decide where the tool's name begins. */
export const splitToolName = (
  name: string,
  servers: readonly string[],
): { readonly server: string; readonly tool: string } => {
  const known = servers
    .filter((server) => name.startsWith(`${server}.`))
    .reduce((longest, server) => (server.length > longest.length ? server : longest), "");
  const at = known === "" ? name.indexOf(".") : known.length;
  return { server: name.slice(0, at), tool: name.slice(at + 1) };
};

const explain = (thrown: unknown): string => {
  if (thrown instanceof TemplateError) return thrown.message;
  throw thrown;
};

export const toInverseMaker = (rule: UndoRule, servers: readonly string[]): InverseMaker => {
  const { inverse, before, check } = rule;
  const fillCall = (call: TemplateCall, values: TemplateValues): InverseCall => ({
    ...splitToolName(call.name, servers),
    arguments: fillTemplate(call.with, values) as JsonObject,
  });
  const references = [
    inverse.with,
    ...(check === undefined ? [] : [check.with, ...check.expect.map(({ value }) => value)]),
  ].flatMap(listReferences);
  const invert: InverseMaker["invert"] = (values) => {
    try {
      const read = before === undefined ? undefined : fillCall(before, values);
      const computed: RecordedInverse = {
        call: fillCall(inverse, values),
        check: check && {
          ...fillCall(check, values),
          expect: check.expect.map(({ path, value }) => ({ path, value: fillTemplate(value, values) })),
        },
        before: read && { ...read, answer: toJson(values.before ?? null, maxBefore).value },
      };
      // The copy is bounded in size and depth, whatever the server answered.
      const copied = toJson(computed, maxInverse);
      if (copied.problem === undefined) return copied.value as unknown as RecordedInverse;
      return { missing: copied.isTooLarge ? "its values are too large" : copied.problem };
    } catch (thrown) {
      return { missing: explain(thrown) };
    }
  };
  return {
    toRead: (given) => (before === undefined ? undefined : fillCall(before, { arguments: given })),
    usesAnswer: references.some(({ source }) => source === "answer"),
    invert,
  };
};
