// The official conformance suite against our client: its server is an upstream, and a program calls its tools.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { failuresOf, isPassed, openSuite } from "./run-suite.js";

const suite = await openSuite();
const client = fileURLToPath(new URL("client.mjs", import.meta.url));
const document = readFileSync(new URL("../../../docs/conformance.md", import.meta.url), "utf8");

const scenarios: readonly (readonly [name: string, revision: string, isPassing: boolean])[] = [
  ["initialize", "2025-11-25", true],
  ["tools_call", "2025-11-25", true],
  ["sse-retry", "2025-11-25", true],
  ["json-schema-2020-12-preservation", "2025-11-25", true],
  ["elicitation-sep1034-client-defaults", "2025-11-25", true],
  ["tools_call", "2026-07-28", true],
  ["request-metadata", "2026-07-28", true],
  ["http-standard-headers", "2026-07-28", true],
  ["http-invalid-tool-headers", "2026-07-28", true],
  ["json-schema-ref-no-deref", "2026-07-28", true],
  ["json-schema-2020-12-preservation", "2026-07-28", true],
  ["http-custom-headers", "2026-07-28", true],
  ["sep-2322-client-request-state", "2026-07-28", true],
];

describe.skipIf(suite.problem !== undefined)(
  `our client under the conformance suite ${suite.problem ?? ""}`,
  () => {
    it.concurrent.each(scenarios)(
      "has the documented outcome of %s of %s (passes: %s)",
      async (name, revision, isPassing) => {
        const words = [
          "client",
          "--command",
          `"${process.execPath}" "${client}"`,
          "--scenario",
          name,
          "--spec-version",
          revision,
        ];
        const { output, scenarios: found } = await suite.run(words);
        const [checks = []] = [...found.values()];
        expect(checks.length, output).toBeGreaterThan(0);
        expect(isPassed(checks), JSON.stringify(failuresOf(checks))).toBe(isPassing);
        expect(document).toContain(`| \`${name}\` | ${revision} | ${isPassing ? "passes" : "fails"} |`);
      },
    );
  },
);
