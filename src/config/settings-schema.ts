// The schema of our settings: names, ranges and defaults. Their descriptions are in meanings.ts.
import * as z from "zod";
import { defaultWorkspace, type Settings } from "../contracts/index.js";
import {
  approvalRules,
  budget,
  container,
  executor,
  http,
  launch,
  limits,
  model,
  network,
  noTexts,
  object,
  off,
  oneOf,
  profile,
  python,
  retention,
  someText,
  timeouts,
  wholeNumber,
} from "./schema-parts.js";

type DeepPartial<Value> = Value extends object
  ? { readonly [Key in keyof Value]?: DeepPartial<Value[Key]> | undefined }
  : Value;

/** The `coordinator` key: any part of the settings. */
export type SettingsInput = DeepPartial<Settings>;

/** For schemas that are used once: compiling takes longer than interpreting, and start-up waits for it. */
export const withoutCompiling = { jitless: true } as const;

/** To add a setting: one line here, one in meanings.ts, one in the `Settings` contract; then run `npm run docs`. */
export const settingsSchema = z.strictObject(
  {
    limits: z.strictObject(limits, object).prefault({}),
    timeouts: z.strictObject(timeouts, object).prefault({}),
    launch: launch.default("direct"),
    maxStarts: wholeNumber(256).optional(),
    executor: executor.default("auto"),
    jitless: off,
    python: z.strictObject(python, object).prefault({}),
    container: z.strictObject(container, object).prefault({}),
    packages: noTexts,
    network: z.strictObject(network, object).prefault({}),
    profiles: z.record(z.string(), profile, object).default({}),
    approve: approvalRules.default([]),
    approvals: oneOf(["anywhere", "outside"]).default("anywhere"),
    surface: z
      .union(
        [oneOf(["default", "minimal"]), z.strictObject({ tokens: budget }, object)],
        'one of "default" and "minimal", or an object with "tokens"',
      )
      .default("default"),
    output: oneOf(["json", "text", "toon", "structured"]).default("json"),
    callTool: off,
    runPython: off,
    addServers: z
      .strictObject(
        {
          from: z.record(z.string(), z.unknown(), object).default({}),
        },
        object,
      )
      .prefault({}),
    cacheFolder: someText.optional(),
    libraryFolder: someText.optional(),
    stateFolder: someText.optional(),
    skillsFolder: someText.optional(),
    proposeSkills: off,
    workspace: someText.default(defaultWorkspace),
    journal: oneOf(["on", "off"]).default("on"),
    answerWithinMs: wholeNumber(3_600_000).default(50_000),
    syncToDisk: off,
    retention: z.strictObject(retention, object).prefault({}),
    http: z.strictObject(http, object).prefault({}),
    model: z.strictObject(model, object).prefault({}),
    allowSelf: off,
  },
  object,
);

export interface SettingFacts {
  readonly path: readonly string[];
  readonly type: string;
  /** The environment variable that sets it: the last part of its path in upper snake case, with a prefix. */
  readonly variable: string;
}

const unwrap = (schema: z.core.$ZodType): z.core.$ZodType => {
  const definition = schema._zod.def as z.core.$ZodTypeDef & {
    readonly innerType?: z.core.$ZodType | undefined;
  };
  return definition.innerType === undefined ? schema : unwrap(definition.innerType);
};

const toVariable = (name: string): string =>
  `MCP_COORDINATOR_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

const listFacts = (shape: z.core.$ZodShape, parent: readonly string[]): readonly SettingFacts[] =>
  Object.entries(shape).flatMap(([name, schema]) => {
    const inner = unwrap(schema);
    const path = [...parent, name];
    if (inner instanceof z.ZodObject) return listFacts(inner.shape, path);
    if (inner instanceof z.ZodRecord) return [];
    return [{ path, type: inner._zod.def.type, variable: toVariable(name) }];
  });

/** Every setting, in the order of the schema. */
export const listSettings = (): readonly SettingFacts[] => listFacts(settingsSchema.shape, []);
