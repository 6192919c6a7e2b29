// The type loop over real servers: shapes learned from answers, the written library, simulated servers.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixturePath } from "../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";

let fixture: OpenFixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

describe("learned shapes", () => {
  it("type a result after its first answer, with the number of answers they are based on", async () => {
    expect(
      (await fixture.coordinator.showTool({ server: "echo", tool: "environment" })).declaration,
    ).toContain("Promise<unknown>");
    await fixture.run("await echo.environment()");

    const { declaration, learned, signature } = await fixture.coordinator.showTool({
      server: "echo",
      tool: "environment",
    });

    expect(declaration).toMatch(/Learned from 1 answer/);
    expect(signature).toContain("Promise<string[]>");
    expect(learned).toMatchObject({ answers: 1 });
  });

  it("are shown in a search, also in another process", async () => {
    await fixture.run("await echo.environment()");
    const { hits } = await fixture.coordinator.searchTools({ query: "environment variable names" });
    await fixture.coordinator.close();
    const again = await fixture.reopen();

    expect(hits.some(({ signature }) => signature === "environment(): string[]")).toBe(true);
    expect(hits.find(({ tool }) => tool.name === "environment")?.resultFrom).toBe("learned");
    expect((await again.showTool({ server: "echo", tool: "environment" })).signature).toContain(
      "Promise<string[]>",
    );
    await again.close();
    await fixture.close();
    fixture = await openFixture();
  });

  it("contain no values", async () => {
    const own = await openFixture({
      vault: { command: process.execPath, args: [fixturePath("echo")], env: { TOKEN: "s3cret-value" } },
    });
    await own.run(
      "await vault.env({ name: 'TOKEN' }); await vault.echo({ text: JSON.stringify({ key: 's3cret-value' }) })",
    );
    await own.coordinator.close();
    const files = readdirSync(join(own.folder, "cache"), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile(),
    );
    const kept = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8")).join("");

    expect(kept).toContain("key");
    expect(kept).not.toContain("s3cret");
    rmSync(own.folder, { recursive: true, force: true });
  });
});

describe("generateLibrary()", () => {
  it.each(["typescript", "python"] as const)(
    "writes %s once, does not rewrite unchanged files, and keeps hand-written files",
    async (language) => {
      const folder = join(fixture.folder, language);
      const first = await fixture.coordinator.generateLibrary({ folder, language });
      const [file] = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
        /add\.(ts|py)$/.test(path),
      );
      const before = statSync(join(folder, file ?? "")).mtimeMs;
      const own = join(
        folder,
        language === "python" ? "mcp_tools/echo/my_adapter.py" : "servers/echo/my-adapter.ts",
      );
      writeFileSync(own, language === "python" ? "x = 1\n" : "export const x = 1;\n");

      const second = await fixture.coordinator.generateLibrary({ folder, language });

      expect(first).toMatchObject({ servers: 1, unchanged: 0, removed: 0 });
      expect(first.written).toBeGreaterThan(15);
      expect(second).toMatchObject({ written: 0, unchanged: first.written, removed: 0 });
      expect(statSync(join(folder, file ?? "")).mtimeMs).toBe(before);
      expect(existsSync(own)).toBe(true);
    },
  );

  it("answers an unknown server with the nearest name", async () => {
    await expect(
      fixture.coordinator.generateLibrary({ folder: fixture.folder, servers: ["ecko"] }),
    ).rejects.toMatchObject({ code: "SERVER_UNKNOWN" });
  });
});

describe("runCode() with simulated servers", () => {
  it("answers with marked values of the right type, and contacts no server", async () => {
    const before = fixture.log().filter((line) => line.startsWith("call")).length;

    const result = await fixture.run(
      "return [await echo.add({ a: 1, b: 2 }), await echo.structured({}), (await echo.add.raw({ a: 1, b: 2 }))._meta]",
      { simulate: true },
    );

    expect(result.value).toEqual([
      { sum: expect.any(Number) },
      { class: expect.any(String), items: expect.any(Array) },
      { "mcp-coordinator/simulated": true },
    ]);
    expect(fixture.log().filter((line) => line.startsWith("call"))).toHaveLength(before);
  });

  it("still refuses wrong arguments", async () => {
    expect(
      (await fixture.run("await echo.add({})", { simulate: ["echo"], isChecked: false })).error?.code,
    ).toBe("ARGUMENTS_INVALID");
  });
});
