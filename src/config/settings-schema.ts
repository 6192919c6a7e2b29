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

const executorNames = ["auto", "isolate", "wasm", "python", "python-lite", "container", "microvm"] as const;
const executor = z.enum(executorNames, `one of ${executorNames.map((name) => `"${name}"`).join(", ")}`);
const checkerNames = ["auto", "off", "ty", "pyright", "basedpyright", "mypy"] as const;
const checker = z.enum(checkerNames, `one of ${checkerNames.map((name) => `"${name}"`).join(", ")}`);
const texts = z.array(z.string(text).min(1, text), "a list of texts");
const network = {
  allow: texts.default([]).describe("Hosts that programs may fetch from, through the host."),
};

const http = {
  tokenVariable: z
    .string(text)
    .min(1, text)
    .optional()
    .describe("Environment variable with the token of the first caller."),
  hosts: texts
    .default([])
    .describe("Names under which callers reach this machine, besides its own addresses."),
  mayAddServers: z.boolean(trueOrFalse).default(false).describe("Offer callers what `addServers` offers."),
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

const outputs = ["json", "text", "toon", "structured"] as const;
const surfaces = ["default", "minimal"] as const;

const profile = z.strictObject(
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
    approve: texts.optional(),
  },
  object,
);

/** A new setting is one line here and one in the `Settings` contract. */
export const settingsSchema = z.strictObject(
  {
    limits: z.strictObject(limits, object).prefault({}).describe("What stops a run."),
    timeouts: z.strictObject(timeouts, object).prefault({}).describe("How long servers may take."),
    executor: executor
      .default("auto")
      .describe("The sandbox for programs; `auto` picks the strongest that needs no set-up."),
    jitless: z
      .boolean(trueOrFalse)
      .default(false)
      .describe("Run programs without compiling them to machine code."),
    python: z
      .strictObject(
        {
          interpreter: z
            .string(text)
            .min(1, text)
            .optional()
            .describe("An interpreter, or the folder of a virtual environment."),
          preload: texts
            .default(["numpy", "pandas", "sklearn"])
            .describe("Libraries that are imported ahead, where they are there."),
          deny: texts.default([]).describe("Modules that programs may not import."),
          checker: checker
            .default("auto")
            .describe("The checker of types for Python; `auto` takes the first that is installed."),
        },
        object,
      )
      .prefault({})
      .describe("Where Python programs run."),
    packages: texts.default([]).describe("JavaScript packages that programs may import."),
    network: z.strictObject(network, object).prefault({}).describe("What programs may reach."),
    profiles: z
      .record(z.string(), profile, object)
      .default({})
      .describe("Named restrictions that a run can ask for."),
    approve: texts
      .default([])
      .describe(
        "Calls that people must allow first: `server.tool` with `*` for any part, `writes`, `destructive`.",
      ),
    surface: z
      .enum(surfaces, `one of ${surfaces.map((name) => `"${name}"`).join(" and ")}`)
      .default("default")
      .describe("How much of the catalog is shown before anybody asks."),
    output: z
      .enum(outputs, `one of ${outputs.map((name) => `"${name}"`).join(", ")}`)
      .default("json")
      .describe("How a returned value is written for a model."),
    callTool: z
      .boolean(trueOrFalse)
      .default(false)
      .describe("Offer the tool that calls one tool without a program."),
    runPython: z
      .boolean(trueOrFalse)
      .default(false)
      .describe("Offer the tool that runs Python cell by cell."),
    addServers: z
      .strictObject({ from: z.record(z.string(), z.unknown(), object).default({}) }, object)
      .prefault({})
      .describe("Servers that an agent may add while it works."),
    cacheFolder: z.string(text).min(1, text).optional().describe("Folder for what can be made again."),
    libraryFolder: z
      .string(text)
      .min(1, text)
      .optional()
      .describe("Folder of the generated library: your files in it can be imported in programs."),
    stateFolder: z.string(text).min(1, text).optional().describe("Folder for what lasts."),
    skillsFolder: z.string(text).min(1, text).optional().describe("Folder of the skills."),
    proposeSkills: z
      .boolean(trueOrFalse)
      .default(false)
      .describe("Keep programs that ran well as proposals for skills."),
    workspace: z
      .string(text)
      .min(1, text)
      .default("default")
      .describe("The workspace of runs that name none."),
    journal: z
      .enum(["on", "off"], 'one of "on" and "off"')
      .default("on")
      .describe("Keep every run with its calls, so that it can be gone on with."),
    answerWithinMs: wholeNumber(3_600_000)
      .default(50_000)
      .describe("How long a client waits for a run; then it gets the run's id and asks again."),
    syncToDisk: z
      .boolean(trueOrFalse)
      .default(false)
      .describe("Wait for the disk at every record, so that a power cut loses nothing."),
    retention: z
      .strictObject(
        {
          keptRuns: wholeNumber(100_000).default(200).describe("Runs that one workspace keeps."),
          keptRunBytes: wholeNumber(2 ** 40)
            .default(2 ** 30)
            .describe("Size of the runs that one workspace keeps."),
          keptValueDays: wholeNumber(36_500)
            .default(7)
            .describe("Days after which a kept value that nobody used is removed."),
          keptWorkspaceDays: wholeNumber(36_500)
            .optional()
            .describe("Days after which a workspace that nobody used is removed."),
        },
        object,
      )
      .prefault({})
      .describe("How much of the past is kept."),
    http: z.strictObject(http, object).prefault({}).describe("What callers over HTTP may do."),
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
    if (inner instanceof z.ZodRecord) return [];
    return [{ path, type: inner._zod.def.type, variable: toVariable(name) }];
  });

/** Every setting, in the order of the schema. */
export const listSettings = (): readonly SettingFacts[] => listFacts(settingsSchema.shape, []);
