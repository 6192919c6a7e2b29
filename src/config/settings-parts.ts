// The settings that are objects themselves: limits, timeouts, Python, network, profiles, what is kept, HTTP.
import * as z from "zod";
import { type LimitName, limitTable } from "../contracts/index.js";
import { object, off, oneOf, someText, texts, timeout, wholeNumber } from "./schema-rules.js";

export const limits = Object.fromEntries(
  Object.entries(limitTable).map(([name, { default: fallback, maximum, meaning }]) => [
    name,
    wholeNumber(maximum).default(fallback).describe(meaning),
  ]),
) as { readonly [Name in LimitName]: z.ZodDefault<z.ZodInt> };

export const timeouts = {
  connectTimeoutMs: timeout().default(30_000).describe("Start of a server or connection, until it is ready."),
  listTimeoutMs: timeout().default(30_000).describe("Listing of a server's tools, resources and prompts."),
  callTimeoutMs: timeout().default(120_000).describe("One tool call."),
};

export const executor = () =>
  oneOf(["auto", "isolate", "wasm", "python", "python-lite", "container", "microvm"]);

export const python = {
  interpreter: someText().optional().describe("An interpreter, or the folder of a virtual environment."),
  preload: texts()
    .default(["numpy", "pandas", "sklearn"])
    .describe("Libraries that are imported ahead, where they are there."),
  deny: texts()
    .default([])
    .describe("Modules that programs may not import: for good order, the walls are what holds."),
  checker: oneOf(["auto", "off", "ty", "pyright", "basedpyright", "mypy"])
    .default("auto")
    .describe(
      "The checker of types for Python; `auto` takes the first that is beside the interpreter or on PATH.",
    ),
};

export const network = {
  allow: texts()
    .default([])
    .describe(
      'Hosts that programs may `fetch` from, through the host: `"api.example.com"`, `"*.example.com"`, `"127.0.0.1:8080"`.',
    ),
};

export const retention = {
  keptRuns: wholeNumber(100_000).default(200).describe("Runs that one workspace keeps."),
  keptRunBytes: wholeNumber(2 ** 40)
    .default(2 ** 30)
    .describe("Size of the runs that one workspace keeps."),
  keptValueDays: wholeNumber(36_500)
    .default(7)
    .describe("Days after which a kept value that nobody used is removed."),
  keptWorkspaceDays: wholeNumber(36_500)
    .optional()
    .describe("Days after which a workspace that nobody used is removed; without it never."),
};

export const http = {
  tokenVariable: someText().optional().describe("Environment variable with the token of the first caller."),
  hosts: texts()
    .default([])
    .describe("Names under which callers reach this machine, besides its own addresses."),
  mayAddServers: off().describe("Offer callers what `addServers` offers."),
  sessions: wholeNumber(10_000)
    .default(64)
    .describe("Sessions of the 2025 protocol that one caller may hold."),
  sessionIdleMs: wholeNumber(86_400_000)
    .default(1_800_000)
    .describe("How long a session lives that nobody uses."),
  requests: wholeNumber(10_000).default(128).describe("Requests that are under way at once."),
  requestBytes: wholeNumber(2 ** 28)
    .default(2 ** 22)
    .describe("Size of one request."),
  arrivalMs: wholeNumber(3_600_000).default(30_000).describe("How long a request may take to arrive."),
};

const loweredLimits = Object.fromEntries(
  Object.entries(limitTable).map(([name, { maximum, meaning }]) => [
    name,
    wholeNumber(maximum).optional().describe(meaning),
  ]),
);

export const profile = z.strictObject(
  {
    executor: executor().optional().describe("The sandbox of such runs."),
    limits: z
      .strictObject(loweredLimits, object)
      .optional()
      .describe("Limits of such runs, in place of the setting's."),
    servers: texts().optional().describe("The only servers that such runs may call."),
    packages: texts().optional().describe("Of the setting `packages`, those that such runs may import."),
    network: z
      .strictObject(
        { allow: texts().describe("Hosts that such runs may fetch from, in place of the setting's.") },
        object,
      )
      .optional()
      .describe("What such runs may reach."),
    deny: texts().optional().describe("Python modules that such runs may not import either."),
    approve: texts()
      .optional()
      .describe("More calls that people must allow first, written as in the setting `approve`."),
  },
  object,
);
