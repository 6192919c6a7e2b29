// SKILL.md: writes the public format strictly, reads it leniently.
import { parse } from "yaml";
import { type Fields, isFields } from "../json-file.js";

export interface SkillDocument {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly version?: number | undefined;
  readonly entry?: string | undefined;
}

const prefix = "mcp-coordinator";
const maxDescription = 1024;
/** Longer front matter is read line by line and not parsed as YAML. */
const maxYaml = 16 * 1024;

/** Line ends of YAML and invisible characters: written as escapes. */
const escaped = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A quoted scalar: always one value on one line, whatever the text contains. */
const quote = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replace(
    escaped,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Shortens a description to the length that the format allows. */
export const toDescription = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > maxDescription ? `${line.slice(0, maxDescription - 1).trimEnd()}…` : line;
};

export const renderDocument = (
  { name, description, tags, version, entry = "" }: Required<SkillDocument>,
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

const readText = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

const readTags = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : (readText(value) ?? "").split(","))
    .map((tag) => String(tag).trim())
    .filter((tag) => tag !== "" && tag.length <= 100)
    .slice(0, 50);

/** For invalid YAML, usually an unquoted colon in a description: takes each line literally. */
const readLoosely = (matter: string): Fields =>
  Object.fromEntries(
    [...matter.matchAll(/^([a-z-]+):[ \t]+(\S.*)$/gm)].map(([, key = "", value = ""]) => [key, value.trim()]),
  );

/** Undefined if there is no front matter. */
export const parseDocument = (text: string): SkillDocument | undefined => {
  const [, matter] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  if (matter === undefined) return undefined;
  let fields: Fields;
  try {
    if (matter.length > maxYaml) throw new RangeError("Too long for front matter");
    const parsed: unknown = parse(matter, { logLevel: "error" });
    fields = isFields(parsed) ? parsed : {};
  } catch {
    fields = readLoosely(matter.slice(0, maxYaml));
  }
  const metadata = isFields(fields.metadata) ? fields.metadata : {};
  const version = Number(readText(metadata[`${prefix}.version`]) ?? Number.NaN);
  const entry = readText(metadata[`${prefix}.entry`]);
  return {
    name: readText(fields.name) ?? "",
    description: toDescription(readText(fields.description) ?? ""),
    tags: readTags(metadata[`${prefix}.tags`] ?? metadata.tags ?? fields.tags),
    version: Number.isSafeInteger(version) && version > 0 ? version : undefined,
    entry,
  };
};
