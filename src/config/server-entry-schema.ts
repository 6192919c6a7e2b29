// A server's entry as clients write it; fields that are not named here belong to other clients and have no effect.
import * as z from "zod";
import { object, someText, timeout, trueOrFalse } from "./schema-rules.js";
import { timeouts } from "./settings-parts.js";

const texts = () => z.array(z.string("a text"), "a list of texts");
const values = () =>
  z.record(
    z.string(),
    z.union([z.string(), z.number(), z.boolean(), z.null()], "a text"),
    "an object with texts",
  );

const transports = "one of stdio, http, streamable-http and sse";

const transport = z
  .string(transports)
  .transform((written) => written.toLowerCase().replace(/[-_]/g, ""))
  .pipe(z.enum(["stdio", "http", "streamablehttp", "sse"], transports));

const timeoutNames = "an object with any of connectTimeoutMs, listTimeoutMs and callTimeoutMs";

const address = () => someText().optional();

export const serverEntrySchema = z.object(
  {
    command: z
      .union([someText(), texts().min(1)], "a text or a list of texts")
      .optional()
      .describe("The program: a text, or a list whose rest comes before `args`."),
    args: texts().optional().describe("Words for the program."),
    env: values().optional().describe("Variables for the server's process."),
    envFile: someText()
      .optional()
      .describe("A file of `NAME=value` lines; the server gets them too, below `env`."),
    cwd: someText()
      .optional()
      .describe(
        "The folder to start in. Relative to the file's folder (to the project for `.vscode/mcp.json`). One that is missing is left out with a warning.",
      ),
    url: address().describe("The address of a remote server."),
    serverUrl: address().describe("The same as `url`, as some clients write it."),
    httpUrl: address().describe("The same as `url`, as some clients write it."),
    headers: values().optional().describe("Headers for every request to it."),
    type: transport
      .optional()
      .describe(
        "`stdio`, `http` (also `streamable-http`) or `sse`. Without it a `command` is `stdio` and a `url` is `http`.",
      ),
    description: z.string("a text").optional().describe("What the server is for, in your words."),
    disabled: z.boolean(trueOrFalse).optional().describe("`true`: neither started nor listed."),
    enabled: z.boolean(trueOrFalse).optional().describe("`false`: neither started nor listed."),
    timeouts: z
      .strictObject(
        {
          connectTimeoutMs: timeout().describe(timeouts.connectTimeoutMs.description ?? ""),
          listTimeoutMs: timeout().describe(timeouts.listTimeoutMs.description ?? ""),
          callTimeoutMs: timeout().describe(timeouts.callTimeoutMs.description ?? ""),
        },
        timeoutNames,
      )
      .partial()
      .optional()
      .describe("Overrides of the setting `timeouts` for this server."),
    // Other clients write it too, in units of their own: what does not fit is left out, not refused.
    timeout: z
      .unknown()
      .optional()
      .describe("The same as `timeouts.callTimeoutMs`, in milliseconds; what does not fit is left out."),
  },
  object,
);

export type ParsedEntry = z.infer<typeof serverEntrySchema>;
