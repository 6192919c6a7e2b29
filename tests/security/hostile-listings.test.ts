// A server can list tools of any size and form: the host continues, its thread is not blocked, and the tools can be called.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { listingLimits } from "../../src/contracts/index.js";
import { fixturePath } from "../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";
import { allowBlocking } from "../support/watch-host.js";

const open = async (mode: string): Promise<OpenFixture> => {
  // Quiet machines need 84 ms at most.
  allowBlocking(200, "a page at its bounds is parsed in one step");
  if (mode === "dense-all-of") allowBlocking(400, "one schema at its bounds is merged in one step");
  if (mode === "deep") allowBlocking(400, "a page that is too deep for steps is parsed in one");
  const fixture = await openFixture({
    hostile: { command: process.execPath, args: [fixturePath("hostile-listing"), mode] },
  });
  onTestFinished(() => fixture.close());
  return fixture;
};

const modes = [
  ...["properties", "required-properties", "tools", "same-names", "cycles", "references", "all-of", "any-of"],
  ...[
    "dense-any-of",
    "dense-all-of",
    "wide-all-of",
    "chain",
    "enum",
    "description",
    "names",
    "deep",
    "long-names",
  ],
];

describe("a hostile listing", () => {
  test.each(modes)(
    "(%s) can be listed, shown, searched, generated and run in both languages",
    async (mode) => {
      const { coordinator, run } = await open(mode);
      const folder = mkdtempSync(join(tmpdir(), "hostile-listing-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));

      const tools = await coordinator.listTools({ server: "hostile" });
      expect(tools.length).toBeLessThanOrEqual(listingLimits.tools);
      for (const { name, description } of [tools[0], tools.at(-1)].flatMap((tool) => tool ?? [])) {
        expect(description.length).toBeLessThan(listingLimits.textLength + 200);
        const shown = await coordinator.showTool({ server: "hostile", tool: name });
        expect(() => JSON.stringify(shown)).not.toThrow();
      }
      for (const language of ["typescript", "python"] as const) {
        const { hits } = await coordinator.searchTools({
          query: "the tool hostile",
          server: "hostile",
          detail: "full",
          language,
        });
        expect(hits.length).toBeGreaterThan(0);
        if (mode !== "tools" && mode !== "same-names")
          await coordinator.generateLibrary({
            folder: join(folder, language),
            language,
            servers: ["hostile"],
          });
      }
      const last = tools.at(-1)?.functionName;
      const called = await run(`return [await hostile.ping({}), typeof hostile.${last}]`);
      expect(called).toMatchObject({ status: "completed", value: ["pong", "function"] });
      expect((await run("return hostile.ping()", { language: "python" })).value).toBe("pong");
    },
    120_000,
  );
});

describe("a tool whose schema is too large", () => {
  test.each([
    ["properties", "wide", "more than 10000 parts"],
    ["enum", "listed", "more than 10000 parts"],
    ["deep", "deep", "nested deeper than 100 levels"],
  ])(
    "(%s) can be called with any arguments, after a warning that they are not checked",
    async (mode, tool, why) => {
      const { coordinator, run } = await open(mode);
      const shown = await coordinator.showTool({ server: "hostile", tool });
      expect(shown.description).toMatch(/^\[Arguments are not checked: its schema /);
      expect(shown.description).toContain(why);
      expect(shown.inputSchema).toMatchObject({ type: "object" });
      const { hits } = await coordinator.searchTools({ query: tool, server: "hostile" });
      expect(hits.map(({ tool: found }) => found.description).join()).toContain("Arguments are not checked");
      expect((await run(`return await hostile.${tool}({ any: { thing: 1 } })`)).value).toBe("pong");
      const servers = await coordinator.listServers();
      expect(servers.find(({ name }) => name === "hostile")?.warnings?.join()).toContain("are not checked");
    },
  );

  test.each([
    ["tools", 5000, "it lists more than 5000 tools"],
    ["names", 4, "1 of its tools have no usable name"],
  ])("(%s) is left out of the listing, and the server's entry says so", async (mode, count, warning) => {
    const { coordinator } = await open(mode);
    expect(await coordinator.listTools({ server: "hostile" })).toHaveLength(count);
    const servers = await coordinator.listServers();
    expect(servers.find(({ name }) => name === "hostile")?.warnings?.join()).toContain(warning);
  });
});

test("a page of a listing with too many values is refused before it is parsed", async () => {
  const { coordinator } = await open("values");
  await expect(coordinator.listTools({ server: "hostile" })).rejects.toMatchObject({
    code: "UPSTREAM_FAILED",
    message: expect.stringContaining("a page of it is larger than"),
  });
});
