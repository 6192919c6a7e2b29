// Whatever a server answers instead of a result or a listing, the host continues, and no failure is reported as an internal error.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toCoordinatorError } from "../../src/contracts/index.js";
import { fixturePath } from "../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";
import { rounds } from "../support/rounds.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const unhandled: unknown[] = [];
const note = (thrown: unknown): void => void unhandled.push(thrown);
beforeAll(() => void process.on("unhandledRejection", note).on("uncaughtException", note));
afterAll(() => void process.off("unhandledRejection", note).off("uncaughtException", note));

const answering = (file?: string) => ({
  command: process.execPath,
  args: [fixturePath("odd-answers"), ...(file === undefined ? [] : [file])],
});

/** JSON whose keys are often the ones that matter, with any value under them. */
const oddJson = (...keys: readonly string[]): fc.Arbitrary<unknown> =>
  fc.letrec((tie) => ({
    leaf: fc.oneof(
      fc.constantFrom(null, true, false, 0, -1, 1e308, "", "text", "image", "resource", "__proto__"),
      fc.string({ maxLength: 8 }),
    ),
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      tie("leaf"),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...keys, "__proto__", "constructor"), tie("value"), { maxKeys: 5 }),
    ),
  })).value;

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

const oddResults = [
  '{"content":[null]}',
  '{"content":[null],"isError":true}',
  '{"content":null}',
  '{"content":"text"}',
  '{"content":[1,"two",[],{},{"type":null},{"type":"text"},{"type":"text","text":7}]}',
  '{"content":[{"type":"resource"}]}',
  '{"content":[{"type":"resource","resource":null}]}',
  '{"content":[{"type":"resource_link"}]}',
  '{"content":[{"type":"image","data":1,"mimeType":{}}]}',
  '{"content":{"type":"text","text":"x"}}',
  '{"isError":"yes","content":[]}',
  '{"isError":true}',
  '{"structuredContent":null}',
  '{"resultType":"input_required","inputRequests":null}',
  '{"resultType":"input_required","inputRequests":{"a":null}}',
  `{"content":[],"structuredContent":${nested(100_000)}}`,
  `{"content":[{"type":"x","deep":${nested(100_000)}}]}`,
  "[]",
  "null",
  '"text"',
  "{}",
];

/** Everything that reads answers besides the program. */
const everyReader = {
  audit: "on",
  cache: { "odd.*": "1s" },
  pins: "warn",
  policy: { allow: ["odd.*"], hide: "all" },
} as const;

describe.each([
  ["invalid results", {}],
  ["invalid results, with audit, cache, pins and hidden values,", everyReader],
])("%s", (_what, settings) => {
  let fixture: OpenFixture;
  beforeAll(async () => {
    fixture = await openFixture({ odd: answering() }, { timeouts: { callTimeoutMs: 3000 }, ...settings });
  });
  afterAll(() => fixture.close());

  const codeOf = async (json: string, isRaw: boolean): Promise<string> => {
    try {
      await fixture.coordinator.callTool({ server: "odd", tool: "reply", arguments: { json }, isRaw });
      return "answered";
    } catch (thrown) {
      return toCoordinatorError(thrown).code;
    }
  };

  test.each(oddResults.map((json) => [json.slice(0, 90), json]))(
    "%s is an answer or a failure of the server, never INTERNAL",
    async (_shown, json) => {
      expect([await codeOf(json, false), await codeOf(json, true)]).not.toContain("INTERNAL");
    },
  );

  test("random JSON in place of a result is an answer or a failure of the server, never INTERNAL", async () => {
    const result = oddJson(
      "content",
      "structuredContent",
      "isError",
      "type",
      "text",
      "resource",
      "uri",
      "_meta",
    );
    await fc.assert(
      fc.asyncProperty(result, fc.boolean(), async (value, isRaw) => {
        expect(await codeOf(JSON.stringify(value), isRaw)).not.toBe("INTERNAL");
      }),
      { numRuns: rounds(60, 1000) },
    );
  });

  test("a program that gets such results fails with an error code that it can catch", async () => {
    const cases = JSON.stringify(oddResults.filter((json) => json.length < 1000));
    const typescript = await fixture.run(`
      const codes = [];
      for (const json of ${cases}) {
        try { await odd.reply({ json }); codes.push("answered"); } catch (error) { codes.push(error.code); }
      }
      return codes;`);
    expect(typescript.error).toBe(undefined);
    expect(typescript.value).not.toContain("INTERNAL");
    const deep = await fixture.run(
      `try { await odd.reply({ json: '{"structuredContent":' + "[".repeat(100000) + "]".repeat(100000) + "}" }); }
       catch (error) { return error.code; }`,
    );
    expect(deep.value).toBe("RESULT_INVALID");
  });

  test("null content blocks are ignored, and a bare text counts as a text block", async () => {
    const reply = (json: string) =>
      fixture.coordinator.callTool({ server: "odd", tool: "reply", arguments: { json } });
    expect(await reply('{"content":[null,{"type":"text","text":"a"},"b"]}')).toBe("a\nb");
    expect(await reply('{"content":[null]}')).toBe(null);
  });
});

describe("invalid listings", () => {
  test("random JSON in place of a listing gives tools or a coded failure, and never ends the host", async () => {
    const file = join(await temporaryFolder(), "listing.json");
    const write = (value: unknown): void => writeFileSync(file, JSON.stringify(value) ?? "null");
    write({ tools: [] });
    const fixture = await openFixture({ odd: answering(file) }, { timeouts: { listTimeoutMs: 3000 } });
    const keys = ["name", "description", "inputSchema", "outputSchema", "annotations", "type", "properties"];
    const schemaKeys = [
      "required",
      "items",
      "enum",
      "$ref",
      "anyOf",
      "allOf",
      "oneOf",
      "const",
      "default",
      "$defs",
    ];
    const tool = fc.record(
      {
        name: fc.oneof(fc.constant("tool"), fc.string({ maxLength: 12 })),
        inputSchema: oddJson(...keys, ...schemaKeys),
      },
      { requiredKeys: ["name"] },
    );
    const listing = fc.oneof(
      oddJson("tools", "nextCursor", ...keys),
      fc.record({ tools: fc.array(fc.oneof(tool, oddJson(...keys)), { maxLength: 4 }) }),
    );
    const codesOf = async (): Promise<readonly string[]> => {
      const { coordinator } = fixture;
      const codes: string[] = [];
      const attempt = async <Value>(work: () => Promise<Value>): Promise<Value | undefined> => {
        try {
          return await work();
        } catch (thrown) {
          codes.push(toCoordinatorError(thrown).code);
          return undefined;
        }
      };
      const tools = (await attempt(() => coordinator.listTools({ server: "odd", refresh: true }))) ?? [];
      for (const { name } of tools) await attempt(() => coordinator.showTool({ server: "odd", tool: name }));
      for (const language of ["typescript", "python"] as const)
        await attempt(() => coordinator.searchTools({ query: "tool type", detail: "full", language }));
      return codes;
    };
    try {
      await fc.assert(
        fc.asyncProperty(listing, async (value) => {
          write(value);
          expect(await codesOf()).not.toContain("INTERNAL");
        }),
        { numRuns: rounds(30, 300) },
      );
    } finally {
      await fixture.close();
    }
  });
});

test("invalid results and listings cause no unhandled error", () => {
  expect(unhandled).toEqual([]);
});
