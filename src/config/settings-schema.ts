// The one description of our own settings: names, ranges, defaults and what each is for.
import * as z from "zod";
import { type LimitName, limitTable, type Settings } from "../contracts/index.js";

type DeepPartial<Value> = Value extends object
  ? { readonly [Key in keyof Value]?: DeepPartial<Value[Key]> | undefined }
  : Value;

/** The `coordinator` key as people write it: any part of the settings. */
export type SettingsInput = DeepPartial<Settings>;

// The message of each rule says what is wanted; the file, the field and what was found are added where it is shown.
export const object = "an object";
export const text = "a text that is not empty";
export const trueOrFalse = "true or false";

/** For what is parsed once: compiling a schema takes longer than walking it, and start-up waits for it. */
export const withoutCompiling = { jitless: true } as const;

const wholeNumber = (maximum: number) => {
  const wanted = `a whole number from 1 to ${maximum}`;
  return z.int(wanted).min(1, wanted).max(maximum, wanted);
};

/** How long to wait for a server. */
export const timeout = wholeNumber(3_600_000);

const limits = Object.fromEntries(
  Object.entries(limitTable).map(([name, { default: fallback, maximum, meaning }]) => [
    name,
    wholeNumber(maximum).default(fallback).describe(meaning),
  ]),
) as { readonly [Name in LimitName]: z.ZodDefault<z.ZodInt> };

const timeouts = {
  connectTimeoutMs: timeout.default(30_000).describe("Start of a server or connection, until it is ready."),
  listTimeoutMs: timeout.default(30_000).describe("Listing of a server's tools, resources and prompts."),
  callTimeoutMs: timeout.default(120_000).describe("One tool call."),
};

/** A new setting is one line here and one in the `Settings` contract. */
export const settingsSchema = z.strictObject(
  {
    limits: z.strictObject(limits, object).prefault({}).describe("What stops a run."),
    timeouts: z.strictObject(timeouts, object).prefault({}).describe("How long servers may take."),
    cacheFolder: z.string(text).min(1, text).optional().describe("Folder for what can be made again."),
    allowSelf: z
      .boolean(trueOrFalse)
      .default(false)
      .describe("List entries that would start mcp-coordinator itself."),
  },
  object,
);

export interface SettingFacts {
  readonly path: readonly string[];
  readonly type: string;
  /** The environment variable that sets it: the last part of its name, in upper case with underscores. */
  readonly variable: string;
}

const unwrap = (schema: z.core.$ZodType): z.core.$ZodType => {
  const definition = schema._zod.def as z.core.$ZodTypeDef & { readonly innerType?: z.core.$ZodType };
  return definition.innerType === undefined ? schema : unwrap(definition.innerType);
};

const toVariable = (name: string): string =>
  `MCP_COORDINATOR_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

const listFacts = (shape: z.core.$ZodShape, parent: readonly string[]): readonly SettingFacts[] =>
  Object.entries(shape).flatMap(([name, schema]) => {
    const inner = unwrap(schema);
    const path = [...parent, name];
    if (inner instanceof z.ZodObject) return listFacts(inner.shape, path);
    return [{ path, type: inner._zod.def.type, variable: toVariable(name) }];
  });

/** Every setting, in the order of the schema. */
export const listSettings = (): readonly SettingFacts[] => listFacts(settingsSchema.shape, []);
