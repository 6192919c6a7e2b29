// The official conformance suite through the direct surface: every check has the same outcome as against the same server without us.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningFixture, startFixture } from "../../support/fixture-servers.js";
import { openSubject, type Subject } from "../support/open-subject.js";
import { type Check, failuresOf, openSuite } from "./run-suite.js";

const suite = await openSuite();

/** Scenarios that each revision requires. The others that are run with them are compared as well. */
const required = { "2025-11-25": 30, "2026-07-28": 37 };

const toOutcomes = (scenarios: ReadonlyMap<string, readonly Check[]>): Record<string, string[]> =>
  Object.fromEntries(
    [...scenarios].map(([name, checks]) => [name, checks.map(({ id, status }) => `${id}: ${status}`)]),
  );

describe.skipIf(suite.problem !== undefined).each([
  { what: "a server of both protocol versions", words: [], revisions: ["2025-11-25", "2026-07-28"] },
  { what: "a server of the 2025 protocol", words: ["legacy"], revisions: ["2025-11-25"] },
] as const)(
  `the direct surface in front of $what, under the conformance suite ${suite.problem ?? ""}`,
  ({ words, revisions }) => {
    let server: RunningFixture;
    let subject: Subject;
    beforeAll(async () => {
      server = await startFixture("conformance", words);
      const url = `http://127.0.0.1:${server.port}/mcp`;
      subject = await openSubject(["--no-token", "--surface", "direct"], { suite: { url } });
    });
    afterAll(async () => {
      await subject.close();
      await server.stop();
    });

    it.each(revisions)("has the same outcome of every check of %s as the server alone", async (revision) => {
      const run = (url: string) => suite.run(["server", "--requirements", revision, "--url", url]);
      const control = await run(`http://127.0.0.1:${server.port}/mcp`);
      const ours = await run(subject.url);
      expect(control.code, control.output.slice(-3000)).toBe(0);
      expect(ours.code, ours.output.slice(-3000)).toBe(0);
      expect(toOutcomes(ours.scenarios)).toEqual(toOutcomes(control.scenarios));

      // Tasks are an extension that the server does not offer.
      const passed = [...ours.scenarios].filter(
        ([name, checks]) => !name.startsWith("tasks-") && failuresOf(checks).length === 0,
      );
      expect(passed.length).toBeGreaterThanOrEqual(required[revision]);
    });
  },
);
