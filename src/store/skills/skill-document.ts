// SKILL.md: written strictly by the public format, read leniently.
import { parse } from "yaml";

export interface SkillDocument {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly version?: number;
  readonly entry?: string;
}

const prefix = "mcp-coordinator";
const longestDescription = 1024;
/** Characters of front matter that are parsed as YAML; a longer one is read line by line. */
const maxYaml = 16 * 1024;

/** Characters that end a line in YAML, or that nobody sees: written as escapes, they are only text. */
const unseen = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A text as a quoted scalar: whatever is in it, it stays one value on one line. */
const quote = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replace(
    unseen,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** A description of the length that the format allows. */
export const toDescription = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > longestDescription ? `${line.slice(0, longestDescription - 1).trimEnd()}…` : line;
};

export const renderDocument = (
  { name, description, tags, version, entry }: Required<SkillDocument>,
  body: string,
): string =>
  [
    "---",
    `name: ${name}`,
    `description: ${quote(toDescription(description))}`,
    "metadata:",
    `  ${prefix}.version: "${version}"`,
    `  ${prefix}.entry: ${quote(entry)}`,
    ...(tags.length === 0 ? [] : [`  ${prefix}.tags: ${quote(tags.join(", "))}`]),
    "---",
    "",
    `${body.trim()}\n`,
  ].join("\n");

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const readText = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

const readTags = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : (readText(value) ?? "").split(","))
    .map((tag) => String(tag).trim())
    .filter((tag) => tag !== "" && tag.length <= 100)
    .slice(0, 50);

/** A description with an unquoted colon is the usual fault: the line is taken as it stands. */
const readLoosely = (matter: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...matter.matchAll(/^([a-z-]+):[ \t]+(\S.*)$/gm)].map(([, key = "", value = ""]) => [key, value.trim()]),
  );

/** Undefined when there is no front matter at all. */
export const parseDocument = (text: string): SkillDocument | undefined => {
  const [, matter] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  if (matter === undefined) return undefined;
  let fields: Readonly<Record<string, unknown>>;
  try {
    if (matter.length > maxYaml) throw new RangeError("Too long for front matter");
    const parsed: unknown = parse(matter, { logLevel: "error" });
    fields = isRecord(parsed) ? parsed : {};
  } catch {
    fields = readLoosely(matter.slice(0, maxYaml));
  }
  const metadata = isRecord(fields.metadata) ? fields.metadata : {};
  const version = Number(readText(metadata[`${prefix}.version`]) ?? Number.NaN);
  const entry = readText(metadata[`${prefix}.entry`]);
  return {
    name: readText(fields.name) ?? "",
    description: toDescription(readText(fields.description) ?? ""),
    tags: readTags(metadata[`${prefix}.tags`] ?? metadata.tags ?? fields.tags),
    ...(Number.isSafeInteger(version) && version > 0 ? { version } : {}),
    ...(entry === undefined ? {} : { entry }),
  };
};
