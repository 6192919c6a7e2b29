// The schema of a server's entry. Unknown fields belong to other clients and have no effect.
import * as z from "zod";
import { idleTimeout, launch, object, someText, timeout, trueOrFalse } from "./schema-parts.js";

const texts = z.array(z.string("a text"), "a list of texts");
const values = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null()], "a text"),
  "an object with texts",
);

const transports = "one of stdio, http, streamable-http and sse";

const transport = z
  .string(transports)
  .transform((written) => written.toLowerCase().replace(/[-_]/g, ""))
  .pipe(z.enum(["stdio", "http", "streamablehttp", "sse"], transports));

const timeoutNames =
  "an object with any of fetchTimeoutMs, connectTimeoutMs, listTimeoutMs, callTimeoutMs and idleTimeoutMs";

const address = someText.optional();

export const serverEntrySchema = z.object(
  {
    command: z.union([someText, texts.min(1)], "a text or a list of texts").optional(),
    args: texts.optional(),
    env: values.optional(),
    envFile: someText.optional(),
    cwd: someText.optional(),
    url: address,
    serverUrl: address,
    httpUrl: address,
    headers: values.optional(),
    type: transport.optional(),
    description: z.string("a text").optional(),
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
        },
        timeoutNames,
      )
      .partial()
      .optional(),
    launch: launch.optional(),
    // Other clients use it too, in different units: an unusable value is ignored, not refused.
    timeout: z.unknown().optional(),
  },
  object,
);

export type ParsedEntry = z.infer<typeof serverEntrySchema>;
