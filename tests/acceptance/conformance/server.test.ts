// The official conformance suite against our server over HTTP, with both protocol versions.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { openSubject, type Subject } from "../support/open-subject.js";
import { failuresOf, isPassed, openSuite } from "./run-suite.js";

const suite = await openSuite();

/**
 * Most scenarios call tools, prompts and resources that a server is to have for the suite alone, or features that are optional and that we
 * do not claim to have. A failure for another reason is ours.
 */
const isForWant = (message = ""): boolean =>
  /Unknown tool "(?:test|json_schema)_|PROMPT_UNKNOWN: Cannot get the prompt "test_|RESOURCE_UNKNOWN: Cannot read "test:\/\/|^Not testable: server (?:does not list|exposes no)|Tool 'json_schema_2020_12_tool' not found|^Prerequisite failed|^Expected InputRequiredResult|(?:Failed: |-32601: )Method not found|^Argument "code" is missing|body contains JSON-RPC error \{"code":-32602,"message":"Argument \\"code\\" is missing/.test(
    message,
  );

describe.skipIf(suite.problem !== undefined)(
  `the conformance suite 0.2.0-alpha.12 ${suite.problem ?? ""}`,
  () => {
    let subject: Subject;
    beforeAll(async () => {
      // The suite has no way to send a token.
      subject = await openSubject(["--no-token"]);
      const answer = await fetch(new URL("/health", subject.url));
      expect(await answer.json()).toEqual({ status: "ok" });
    });
    afterAll(() => subject.close());

    it.each(["2025-11-25", "2026-07-28"])(
      "passes every check of %s that needs no server made for the suite",
      async (revision) => {
        const baseline = fileURLToPath(new URL(`expected-failures-${revision}.yaml`, import.meta.url));
        const expected = (parse(readFileSync(baseline, "utf8")) as { server: string[] }).server;
        const words = ["server", "--requirements", revision, "--url"];
        const { code, output, scenarios } = await suite.run([
          ...words,
          subject.url,
          "--expected-failures",
          baseline,
        ]);
        // The suite's own judgement: nothing fails that is not expected, and nothing is expected that passes.
        expect(code, output.slice(-3000)).toBe(0);

        const unfounded = [...scenarios].flatMap(([name, checks]) =>
          failuresOf(checks)
            .filter(({ errorMessage }) => !name.startsWith("tasks-") && !isForWant(errorMessage))
            .map(({ id, errorMessage }) => `${name} ${id}: ${errorMessage}`),
        );
        expect(unfounded).toEqual([]);

        // A control: scenarios that pass without any server are not counted.
        const nobody = await suite.run([...words, "http://127.0.0.1:9/mcp"]);
        const idle = [...nobody.scenarios]
          .filter(([, checks]) => failuresOf(checks).length === 0)
          .map(([name]) => name);
        const passed = [...scenarios]
          .filter(([name, checks]) => isPassed(checks) && !idle.includes(name) && !expected.includes(name))
          .map(([name]) => name)
          .sort();
        const document = readFileSync(new URL("../../../docs/conformance.md", import.meta.url), "utf8");
        const row = `| ${revision} | ${passed.length} | ${passed.map((name) => `\`${name}\``).join(", ")} |`;
        expect(document).toContain(row);
      },
    );
  },
);
