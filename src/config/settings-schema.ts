// The schema of our settings (names, ranges, defaults) and of a server's entry. Their descriptions are in meanings.ts.
import * as z from "zod";
import { auditModes, defaultWorkspace, type Settings } from "../contracts/index.js";
import {
  answers,
  approvalRules,
  auditLog,
  budget,
  cacheTimes,
  container,
  executor,
  flow,
  http,
  idleTimeout,
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
  timeout,
  timeouts,
  trueOrFalse,
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
    policy: z
      .union([z.string(), z.record(z.string(), z.unknown())], "a policy, or the path of a file with one")
      .optional(),
    audit: oneOf(auditModes).default("off"),
    auditLog: z.strictObject(auditLog, object).prefault({}),
    pins: oneOf(["off", "warn", "ask", "strict"]).default("off"),
    pinsFile: someText.optional(),
    pinsIgnore: z.record(z.string(), z.array(someText, "a list of strings"), object).default({}),
    flow: z.strictObject(flow, object).prefault({}),
    cache: cacheTimes.default({}),
    approvals: oneOf(["anywhere", "outside"]).default("anywhere"),
    answers: z.strictObject(answers, object).prefault({}),
    surface: z
      .union(
        [oneOf(["default", "minimal"]), z.strictObject({ tokens: budget }, object)],
        'one of "default" and "minimal", or an object with "tokens"',
      )
      .default("default"),
    serves: oneOf(["code", "direct", "both"]).default("code"),
    output: oneOf(["json", "text", "toon", "structured"]).default("json"),
    callTool: off,
    runPython: off,
    addServers: z
      .strictObject({ from: z.record(z.string(), z.unknown(), object).default({}) }, object)
      .prefault({}),
    cacheFolder: someText.optional(),
    libraryFolder: someText.optional(),
    stateFolder: someText.optional(),
    vault: oneOf(["auto", "keychain", "passphrase", "file", "memory"]).default("auto"),
    clientMetadataUrl: someText.optional(),
    skillsFolder: someText.optional(),
    skillSignatures: oneOf(["off", "warn", "strict"]).default("warn"),
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

const texts = z.array(z.string("a string"), "a list of strings");
const values = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null()], "a string"),
  "an object with strings",
);

const transports = "one of stdio, http, streamable-http and sse";

const transport = z
  .string(transports)
  .transform((written) => written.toLowerCase().replace(/[-_]/g, ""))
  .pipe(z.enum(["stdio", "http", "streamablehttp", "sse"], transports));

const timeoutNames =
  "an object with any of fetchTimeoutMs, connectTimeoutMs, listTimeoutMs, callTimeoutMs, idleTimeoutMs and askTimeoutMs";

const address = someText.optional();

const authTypes = ["oauth", "client-credentials", "private-key-jwt", "exchange", "none"] as const;

/** Other clients use the same name: fields that we do not know have no effect. */
const auth = z.union(
  [
    oneOf(authTypes).transform((type) => ({ type })),
    z.object({
      type: oneOf(authTypes).optional(),
      scopes: z.union([texts, z.string().transform((text) => text.split(/\s+/).filter(Boolean))]).optional(),
      clientId: someText.optional(),
      clientSecret: someText.optional(),
      CLIENT_ID: someText.optional(),
      CLIENT_SECRET: someText.optional(),
      callbackPort: wholeNumber(65_535).optional(),
      resource: z.literal("omit", '"omit"').optional(),
      privateKey: someText.optional(),
      algorithm: someText.optional(),
      subjectToken: someText.optional(),
      identityProvider: someText.optional(),
      identityProviderClientId: someText.optional(),
    }),
  ],
  'an object such as { "type": "oauth", "scopes": ["read"] }',
);

export const serverEntrySchema = z.object(
  {
    command: z.union([someText, texts.min(1)], "a string or a list of strings").optional(),
    args: texts.optional(),
    env: values.optional(),
    envFile: someText.optional(),
    cwd: someText.optional(),
    url: address,
    serverUrl: address,
    httpUrl: address,
    headers: values.optional(),
    type: transport.optional(),
    description: z.string("a string").optional(),
    disabled: z.boolean(trueOrFalse).optional(),
    enabled: z.boolean(trueOrFalse).optional(),
    timeouts: z
      .strictObject(
        {
          fetchTimeoutMs: timeout,
          connectTimeoutMs: timeout,
          listTimeoutMs: timeout,
          callTimeoutMs: timeout,
          idleTimeoutMs: idleTimeout,
          askTimeoutMs: timeout,
        },
        timeoutNames,
      )
      .partial()
      .optional(),
    launch: launch.optional(),
    auth: auth.optional(),
    // Other clients use it too, in different units: an unusable value is ignored, not refused.
    timeout: z.unknown().optional(),
  },
  object,
);

export type ParsedEntry = z.infer<typeof serverEntrySchema>;
