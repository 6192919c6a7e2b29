// Schemas for values in configuration files and for groups of settings. Each message says what is expected.
// Schemas are shared because creating one takes time at every start.
import * as z from "zod";
import {
  approvalRule,
  approvalRuleWanted,
  type LimitName,
  limitTable,
  logSeverities,
} from "../contracts/index.js";

// The final message also names the file, the field and what was found.
export const object = "an object";
const text = "a string that is not empty";
export const trueOrFalse = "true or false";

export const someText = z.string(text).min(1, text);

const texts = z.array(someText, "a list of strings");

export const approvalRules = z.array(
  z.string(text).regex(approvalRule, approvalRuleWanted),
  "a list of strings",
);

export const noTexts = texts.default([]);

export const wholeNumber = (maximum: number) => {
  const wanted = `a whole number from 1 to ${maximum}`;
  return z.int(wanted).check(z.gte(1, wanted), z.lte(maximum, wanted));
};

const tokens = "a whole number from 0 to 100000";

/** Tokens to spend on a text. */
export const budget = z.int(tokens).check(z.gte(0, tokens), z.lte(100_000, tokens));

export const oneOf = <const Names extends readonly [string, string, ...string[]]>(names: Names) => {
  const quoted = names.map((name) => `"${name}"`);
  return z.enum(names, `one of ${quoted.length === 2 ? quoted.join(" and ") : quoted.join(", ")}`);
};

/** A switch that is off by default. */
export const off = z.boolean(trueOrFalse).default(false);

/** How to start servers that use a package runner. */
export const launch = oneOf(["direct", "as written"]);

/** How long to wait for a server, in milliseconds. */
export const timeout = wholeNumber(3_600_000);
/** How long an idle server stays alive, in milliseconds. */
export const idleTimeout = wholeNumber(86_400_000);

const address = 'an address that begins with "http://" or "https://"';
const variable = 'a reference to an environment variable, e.g. "${env:MODEL_KEY}"';

export const limits = Object.fromEntries(
  Object.entries(limitTable).map(([name, { default: fallback, maximum }]) => [
    name,
    wholeNumber(maximum).default(fallback),
  ]),
) as { readonly [Name in LimitName]: z.ZodDefault<z.ZodInt> };

export const timeouts = {
  fetchTimeoutMs: timeout.default(600_000),
  connectTimeoutMs: timeout.default(30_000),
  listTimeoutMs: timeout.default(30_000),
  callTimeoutMs: timeout.default(120_000),
  idleTimeoutMs: idleTimeout.default(1_800_000),
  askTimeoutMs: timeout.default(600_000),
};

/** Who answers servers that ask back. */
export const answers = {
  elicitation: oneOf(["people", "agent", "refuse"]).default("people"),
  sampling: oneOf(["client", "refuse"]).default("refuse"),
  logs: oneOf(["off", ...logSeverities]).default("warning"),
  roots: noTexts,
};

export const executor = oneOf(["auto", "isolate", "wasm", "python", "python-lite", "container"]);

export const python = {
  interpreter: someText.optional(),
  preload: texts.default(["numpy", "pandas", "sklearn"]),
  deny: noTexts,
  checker: oneOf(["auto", "off", "ty", "pyright", "basedpyright", "mypy"]).default("auto"),
};

export const container = {
  runtime: someText.optional(),
  image: someText.optional(),
  ociRuntime: someText.optional(),
  idleMs: wholeNumber(86_400_000).default(300_000),
};

export const network = {
  allow: noTexts,
};

const rate = z
  .string('a number of calls and a time, e.g. "30/min"')
  .regex(
    /^[1-9]\d{0,6}\/\d{0,6}(?:s|sec|second|m|min|minute|h|hour|d|day)$/i,
    'calls and a time, e.g. "30/min"',
  );
const quotaWanted = 'a number of calls, or calls and a time, e.g. "1000/day"';
const flowLimits = {
  rate: rate.optional(),
  concurrency: wholeNumber(10_000).optional(),
  quota: z
    .union([wholeNumber(100_000_000), z.string().regex(/^[1-9]\d{0,8}$/), rate], quotaWanted)
    .optional(),
};
const limitsByName = () => z.record(z.string(), z.strictObject(flowLimits, object), object).default({});

export const flow = {
  servers: z
    .record(
      z.string(),
      z.strictObject({ ...flowLimits, retry: oneOf(["reads", "refused", "never"]).optional() }, object),
      object,
    )
    .default({}),
  callers: limitsByName(),
  runs: limitsByName(),
};

const duration = 'a time, e.g. "60s"';
export const cacheTimes = z.record(
  z.string(),
  z.string(duration).regex(/^\d{1,9}(?:ms|s|sec|second|m|min|minute|h|hour|d|day)$/i, duration),
  object,
);

export const auditLog = {
  toStderr: off,
  postTo: z
    .string(address)
    .regex(/^https?:\/\/\S+$/, address)
    .optional(),
  postTokenVariable: someText.optional(),
  maxFileBytes: wholeNumber(2 ** 40).default(2 ** 26),
  keptFiles: wholeNumber(100_000).optional(),
};

export const retention = {
  keptRuns: wholeNumber(100_000).default(200),
  keptRunBytes: wholeNumber(2 ** 40).default(2 ** 30),
  storedValueDays: wholeNumber(36_500).default(7),
  keptWorkspaceDays: wholeNumber(36_500).optional(),
  hiddenValueHours: wholeNumber(36_500).default(8),
};

export const http = {
  tokenVariable: someText.optional(),
  hosts: noTexts,
  mayAddServers: off,
  sessions: wholeNumber(10_000).default(64),
  sessionIdleMs: wholeNumber(86_400_000).default(1_800_000),
  requests: wholeNumber(10_000).default(128),
  requestBytes: wholeNumber(2 ** 28).default(2 ** 22),
  arrivalMs: wholeNumber(3_600_000).default(30_000),
};

const price = z.number("a number").check(z.gte(0, "a number that is not negative"));

export const model = {
  provider: oneOf(["openai", "anthropic", "ollama"]).default("openai"),
  baseUrl: z
    .string(address)
    .regex(/^https?:\/\/\S+$/, address)
    .optional(),
  model: someText.optional(),
  apiKey: z
    .string(variable)
    .regex(/^\$\{(?:env:)?[A-Za-z_]\w*\}$/, variable)
    .optional(),
  maxAnswerTokens: wholeNumber(200_000).default(8192),
  budgetTokens: wholeNumber(1_000_000_000).default(300_000),
  inputPrice: price.optional(),
  outputPrice: price.optional(),
};

const makeProfile = () =>
  z.strictObject(
    {
      executor: executor.optional(),
      limits: z
        .strictObject(
          Object.fromEntries(
            Object.entries(limitTable).map(([name, { maximum }]) => [name, wholeNumber(maximum).optional()]),
          ),
          object,
        )
        .optional(),
      servers: texts.optional(),
      packages: texts.optional(),
      network: z.strictObject({ allow: texts }, object).optional(),
      deny: texts.optional(),
      approve: approvalRules.optional(),
    },
    object,
  );

/** Built only if a profile is configured. */
export const profile = z.lazy(makeProfile);
