// The one description of our own settings: names, ranges, defaults and what each is for.
import * as z from "zod";
import type { Settings } from "../contracts/index.js";
import { object, off, oneOf, someText, texts, wholeNumber } from "./schema-rules.js";
import { executor, http, limits, network, profile, python, retention, timeouts } from "./settings-parts.js";

type DeepPartial<Value> = Value extends object
  ? { readonly [Key in keyof Value]?: DeepPartial<Value[Key]> | undefined }
  : Value;

/** The `coordinator` key as people write it: any part of the settings. */
export type SettingsInput = DeepPartial<Settings>;

/** For what is parsed once: compiling a schema takes longer than walking it, and start-up waits for it. */
export const withoutCompiling = { jitless: true } as const;

/** A new setting is one line here and one in the `Settings` contract; `npm run docs` writes it into the documents. */
export const settingsSchema = z.strictObject(
  {
    limits: z.strictObject(limits, object).prefault({}).describe("What stops a run."),
    timeouts: z
      .strictObject(timeouts, object)
      .prefault({})
      .describe("How long a server may take, in milliseconds."),
    executor: executor()
      .default("auto")
      .describe(
        "The sandbox for programs. A name runs every language it can; `auto` picks the strongest that needs no set-up.",
      ),
    jitless: off().describe(
      "Run programs without compiling them to machine code: slower, one thing less to attack.",
    ),
    python: z.strictObject(python, object).prefault({}).describe("Where Python programs run."),
    packages: texts().default([]).describe("JavaScript packages that programs may import, by name."),
    network: z.strictObject(network, object).prefault({}).describe("What programs may reach."),
    profiles: z
      .record(z.string(), profile, object)
      .default({})
      .describe("Named restrictions that a run can ask for."),
    approve: texts()
      .default([])
      .describe(
        "Calls that people must allow before they are made: `server.tool` with `*` for any part, `writes` for every tool that does not say it only reads, `destructive` for those whose server calls them so.",
      ),
    surface: oneOf(["default", "minimal"])
      .default("default")
      .describe(
        "What agents see over MCP: `default` names the servers and shows as many signatures as fit into 1,000 tokens, `minimal` is the same text of 200 tokens for any number of servers.",
      ),
    output: oneOf(["json", "text", "toon", "structured"])
      .default("json")
      .describe(
        "How a returned value is written for a model: `text` is compact lines without empty fields, `structured` is JSON and a copy as structured content.",
      ),
    callTool: off().describe("Offer `call_tool`: one call without a program."),
    runPython: off().describe(
      "Offer `run_python(code, servers, timeout)`: Python cell by cell, variables stay.",
    ),
    addServers: z
      .strictObject(
        {
          from: z
            .record(z.string(), z.unknown(), object)
            .default({})
            .describe("Entries as under `mcpServers`."),
        },
        object,
      )
      .prefault({})
      .describe("Servers that an agent may find and add while it works."),
    cacheFolder: someText()
      .optional()
      .describe(
        "Folder for what can be made again, and for the sums of `stats`. Without it `$XDG_CACHE_HOME/mcp-coordinator`, else `~/.cache/mcp-coordinator`; macOS `~/Library/Caches/mcp-coordinator`; Windows `%LOCALAPPDATA%\\mcp-coordinator`.",
      ),
    libraryFolder: someText()
      .optional()
      .describe(
        "The folder of `generate`: files of yours in `servers/<server>/` (Python `mcp_tools/<server>/`) can be imported in programs.",
      ),
    stateFolder: someText()
      .optional()
      .describe(
        "Folder for what lasts. Without it `.mcp-coordinator` of the working folder where that is there, else `$XDG_STATE_HOME/mcp-coordinator`, else `~/.local/state/mcp-coordinator`; macOS `~/Library/Application Support/mcp-coordinator`; Windows `%LOCALAPPDATA%\\mcp-coordinator\\state`.",
      ),
    skillsFolder: someText()
      .optional()
      .describe("Folder of the skills. Without it `skills` of the state folder."),
    proposeSkills: off().describe(
      "Keep programs that ran well and called tools as proposals, in the category `proposed` of the skills.",
    ),
    workspace: someText().default("default").describe("The workspace of runs that name none."),
    journal: oneOf(["on", "off"])
      .default("on")
      .describe(
        "Keep every run with its program, calls and answers, so that it can be gone on with. `off` keeps nothing.",
      ),
    answerWithinMs: wholeNumber(3_600_000)
      .default(50_000)
      .describe(
        "How long a client of the MCP server waits for a run. One that takes longer is answered with its id, and asked after with `resume`.",
      ),
    syncToDisk: off().describe(
      "Wait for the disk at every record, so that a power cut loses nothing. Without it a killed process loses nothing, a power cut the last seconds.",
    ),
    retention: z.strictObject(retention, object).prefault({}).describe("How much of the past is kept."),
    http: z.strictObject(http, object).prefault({}).describe("What callers over HTTP may do."),
    allowSelf: off().describe("List entries that would start mcp-coordinator itself."),
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
