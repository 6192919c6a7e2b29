// The official conformance suite's sign-in scenarios against our client, each with the tool call that follows the sign-in.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { failuresOf, isPassed, openSuite } from "./run-suite.js";

const suite = await openSuite();
const client = fileURLToPath(new URL("auth-client.mjs", import.meta.url));
const document = readFileSync(new URL("../../../docs/conformance.md", import.meta.url), "utf8");

const since2025 = [
  ...["metadata-default", "metadata-var1", "metadata-var2", "metadata-var3", "basic-cimd"],
  ...["scope-from-www-authenticate", "scope-from-scopes-supported", "scope-omitted-when-undefined"],
  ...["scope-step-up", "scope-retry-limit", "pre-registration"],
  ...["token-endpoint-auth-basic", "token-endpoint-auth-post", "token-endpoint-auth-none"],
];
const since2026 = [
  ...["resource-mismatch", "offline-access-scope", "offline-access-not-supported"],
  ...["authorization-server-migration", "iss-supported", "iss-not-advertised", "iss-supported-missing"],
  ...["iss-wrong-issuer", "iss-unexpected", "iss-normalized", "metadata-issuer-mismatch"],
];
const extensions = [
  ...["client-credentials-jwt", "client-credentials-basic", "enterprise-managed-authorization"],
  ...["wif-jwt-bearer", "dpop", "dpop-nonce"],
];
const suites: Readonly<Record<string, readonly string[]>> = {
  "2025-03-26": ["2025-03-26-oauth-metadata-backcompat", "2025-03-26-oauth-endpoint-fallback"],
  "2025-11-25": since2025,
  "2026-07-28": [...since2025, ...since2026],
  extension: extensions,
};

/** Here the right answer is to refuse, so no tool is called. */
const refused: Readonly<Record<string, string>> = {
  "scope-retry-limit": "SIGN_IN_NEEDED",
  "resource-mismatch": "SIGN_IN_FAILED",
  "iss-supported-missing": "SIGN_IN_FAILED",
  "iss-wrong-issuer": "SIGN_IN_FAILED",
  "iss-unexpected": "SIGN_IN_FAILED",
  "iss-normalized": "SIGN_IN_FAILED",
  "metadata-issuer-mismatch": "SIGN_IN_FAILED",
};

describe.skipIf(suite.problem !== undefined)(
  `sign-in under the conformance suite ${suite.problem ?? ""}`,
  () => {
    for (const [revision, names] of Object.entries(suites)) {
      it.concurrent.each(names)(`passes auth/%s of ${revision}, and its tool is called`, async (name) => {
        const words = [
          "client",
          "--command",
          `"${process.execPath}" "${client}"`,
          "--scenario",
          `auth/${name}`,
        ];
        const version = revision === "extension" ? [] : ["--spec-version", revision];
        const { output, scenarios, printed } = await suite.run([...words, ...version]);
        const [checks = []] = [...scenarios.values()];
        expect(isPassed(checks), `${JSON.stringify(failuresOf(checks))} ${output}`).toBe(true);
        expect(printed).toContain(
          refused[name] === undefined ? "called test-tool" : `failed ${refused[name]}`,
        );
      });

      it(`docs/conformance.md states the number of sign-in scenarios of ${revision}`, () => {
        expect(document).toContain(`| ${revision} | ${names.length} of `);
      });
    }
  },
);
