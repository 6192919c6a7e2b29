// Deleting: an invalid bound, name or path is refused and deletes nothing.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/contracts/index.js";
import { openStore } from "../../src/store/index.js";
import { fixturePath } from "../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";
import { type CommandLine, openCommandLine } from "./cli/run-command.js";

/** A call as from a program without types. */
const untyped = <Value>(value: unknown): Value => value as Value;
const dayMs = 24 * 60 * 60 * 1000;
const wrongNumbers = [undefined, null, Number.NaN, "x", "", "1", {}, -1];

describe("an invalid bound never means everything", () => {
  let fixture: OpenFixture;
  beforeAll(async () => {
    fixture = await openFixture();
    for (const workspace of ["ada", "bob"]) await fixture.run('await memory.save("k", 1)', { workspace });
  });
  afterAll(() => fixture.close());

  const listNames = async () => (await fixture.coordinator.listWorkspaces()).map(({ name }) => name);

  it.each([...wrongNumbers, 0, 1e9, Number.POSITIVE_INFINITY])(
    "removeInactiveWorkspaces() with %j days is refused, and every workspace stays",
    async (days) => {
      await expect(
        fixture.coordinator.removeInactiveWorkspaces({ days: untyped<number>(days) }),
      ).rejects.toMatchObject({ code: "USAGE" });
      expect(await listNames()).toEqual(["ada", "bob"]);
    },
  );

  it.each([undefined, null, "", ".", "..", "*", "ada/../bob", {}])(
    "removeWorkspace() of %j is refused, and every workspace stays",
    async (workspace) => {
      await expect(
        fixture.coordinator.removeWorkspace({ workspace: untyped<string>(workspace) }),
      ).rejects.toMatchObject({ code: typeof workspace === "string" ? "NAME_INVALID" : "USAGE" });
      expect(await listNames()).toEqual(["ada", "bob"]);
    },
  );

  it.each(['""', '"."', '"./workspace"', '"/"', '"./"', '"workspace/"', "undefined"])(
    "a program that deletes the path %s keeps its files",
    async (path) => {
      await fixture.run('await workspace.writeText("kept.txt", "1")', { workspace: "ada" });
      for (const call of [`fs.rm(${path}, { recursive: true, force: true })`, `workspace.delete(${path})`]) {
        await fixture.run(`await ${call}`, { workspace: "ada", isChecked: false });
        const { value } = await fixture.run('return workspace.exists("kept.txt")', { workspace: "ada" });
        expect({ call, value }).toEqual({ call, value: true });
      }
    },
  );

  it.each([undefined, null, "", ".", "..", "*", {}])("deleteSkill() of %j deletes no skill", async (name) => {
    const folder = join(fixture.folder, "state", "skills");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "shout.ts"), "export const shout = (): string => 'a';\n");
    await fixture.coordinator.deleteSkill({ name: untyped<string>(name) }).catch(() => {});
    expect(existsSync(join(folder, "shout.ts"))).toBe(true);
  });

  it.each([null, Number.NaN, "x", "", -1, 0, 1e9])(
    "deleteSkill() of version %j deletes no skill",
    async (version) => {
      const skill = { name: "two", description: "Gives a number.", language: "typescript" as const };
      await fixture.coordinator.saveSkill({ ...skill, code: "export const two = () => 1;" });
      await fixture.coordinator.saveSkill({ ...skill, code: "export const two = () => 2;" });
      await fixture.coordinator
        .deleteSkill({ name: "two", version: untyped<number>(version) })
        .catch(() => {});
      expect(await fixture.coordinator.showSkill({ name: "two" })).toBeDefined();
      expect(await fixture.coordinator.showSkill({ name: "two", version: 1 })).toBeDefined();
      await fixture.coordinator.deleteSkill({ name: "two" });
    },
  );

  it.each([undefined, null, "", "*"])("removeCaller() of %j removes no caller", async (name) => {
    await fixture.coordinator.addCaller({ name: "carol" }).catch(() => {});
    await fixture.coordinator.removeCaller({ name: untyped<string>(name) }).catch(() => {});
    expect((await fixture.coordinator.listCallers()).map((caller) => caller.name)).toEqual(["carol"]);
  });
});

describe("the store", () => {
  let folder: string;
  const open = (more: object = {}) => openStore({ folder, limits: defaultLimits, ...more });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "deletion-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each([undefined, null, "x", Number.NaN, new Date(Number.NaN), new Date(Date.now() - 1e9 * dayMs)])(
    "refuses to remove what was not used since %s",
    async (since) => {
      const store = await open();
      await store.openWorkspace("ada");
      await expect(store.removeInactive({ since: untyped<Date>(since) })).rejects.toMatchObject({
        code: "USAGE",
      });
      expect(await store.listWorkspaces()).toHaveLength(1);
    },
  );

  it.each(wrongNumbers)("refuses to prune runs down to %j", async (bound) => {
    const { runs } = await (await open()).openWorkspace("ada");
    const run = await runs.begin({ runId: "r1", language: "typescript", code: "1" });
    await run.end({ status: "completed", durationMs: 1, result: null });
    const wrong = untyped<number>(bound);
    for (const bounds of [
      { runs: wrong, bytes: 1e9 },
      { runs: 10, bytes: wrong },
    ])
      await expect(runs.prune(bounds)).rejects.toMatchObject({ code: "USAGE" });
    expect(await runs.list()).toHaveLength(1);
  });

  it.each(wrongNumbers.filter((bound) => bound !== undefined))(
    "refuses to remove stored values after %j days",
    async (storedValueDays) => {
      const { storedValues } = await (await open()).openWorkspace("ada");
      const { id } = await storedValues.store({ format: "json", content: "[1]" });
      const store = await open({ storedValueDays });
      await expect(store.openWorkspace("ada")).rejects.toMatchObject({ code: "USAGE" });
      expect(await storedValues.find(id)).toBeDefined();
    },
  );
});

describe("workspaces remove", () => {
  let line: CommandLine;
  beforeAll(() => {
    line = openCommandLine();
  });
  afterAll(() => line.close());

  it("with an invalid number of days is refused, and every workspace stays", async () => {
    const file = join(line.folder, "keep.ts");
    writeFileSync(file, 'await memory.save("k", 1)');
    expect((await line.run(["run", file, "--workspace", "ada"])).code).toBe(0);
    for (const days of ["1e9", "1000000000", "", "-1", "0", "NaN", "1.5"]) {
      const { code } = await line.run(["workspaces", "remove", `--inactive=${days}`]);
      expect({ days, code }).toEqual({ days, code: 2 });
    }
    expect(JSON.parse((await line.run(["workspaces", "--json"])).stdout)).toMatchObject([{ name: "ada" }]);
  });
});

describe("generateLibrary()", () => {
  const servers = {
    beta: { command: process.execPath, args: [fixturePath("echo")] },
    gamma: { command: process.execPath, args: [fixturePath("ledger")] },
  };
  const listFolders = (folder: string) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );

  it.each([
    ["typescript", "servers"],
    ["python", "mcp_tools"],
  ] as const)("for one server keeps the files of the others (%s)", async (language, top) => {
    const fixture = await openFixture(servers);
    const folder = join(fixture.folder, "library");
    const all = await fixture.coordinator.generateLibrary({ folder, language });
    for (const isForced of [false, true]) {
      const one = await fixture.coordinator.generateLibrary({
        folder,
        language,
        servers: ["beta"],
        isForced,
      });
      expect(one).toMatchObject({ removed: 0, servers: 1 });
      expect(listFolders(join(folder, top))).toEqual(["beta", "echo", "gamma"]);
    }
    const again = await fixture.coordinator.generateLibrary({ folder, language });
    expect(again).toMatchObject({ written: 0, removed: 0, unchanged: all.written });
    const none = await fixture.coordinator.generateLibrary({ folder, language, servers: [] });
    expect(none).toMatchObject({ written: 0, removed: 0, servers: 0 });
    await fixture.close();
  });

  it("keeps the files of a server that is down, and removes those of one that is no longer configured", async () => {
    const first = await openFixture(servers);
    const folder = mkdtempSync(join(tmpdir(), "deletion-"));
    await first.coordinator.generateLibrary({ folder });
    await first.close();
    const down = { command: process.execPath, args: [fixturePath("crashes-at-start")] };
    const second = await openFixture({ beta: down });
    const result = await second.coordinator.generateLibrary({ folder });
    expect(result.unavailable).toMatchObject([{ server: "beta" }]);
    expect(listFolders(join(folder, "servers"))).toEqual(["beta", "echo"]);
    await second.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("as a command fails if a server could not be listed, and reports that its files stay", async () => {
    const line = openCommandLine();
    const { code, stderr } = await line.run(["generate", "--out", "library"]);
    expect(code).toBe(3);
    expect(stderr).toContain("broken could not be listed, its files stay as they were");
    expect((await line.run(["generate", "--out", "library", "--server", "echo"])).code).toBe(0);
    line.close();
  });
});
