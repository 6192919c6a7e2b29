// Schemas of the nested settings: limits, timeouts, Python, container, network, profiles, retention, HTTP.
import * as z from "zod";
import { type LimitName, limitTable } from "../contracts/index.js";
import {
  approvalRules,
  idleTimeout,
  noTexts,
  object,
  off,
  oneOf,
  someText,
  texts,
  timeout,
  wholeNumber,
} from "./schema-rules.js";

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
};

export const executor = oneOf(["auto", "isolate", "wasm", "python", "python-lite", "container", "microvm"]);

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

export const retention = {
  keptRuns: wholeNumber(100_000).default(200),
  keptRunBytes: wholeNumber(2 ** 40).default(2 ** 30),
  keptValueDays: wholeNumber(36_500).default(7),
  keptWorkspaceDays: wholeNumber(36_500).optional(),
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
