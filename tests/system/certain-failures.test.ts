// What is certain to fail is refused before an earlier call takes effect: skills, our own functions, host tools.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { builtInFunctions } from "../../src/checker/rules/check-built-ins.js";
import { type OpenedCoordinator, openCoordinator } from "../../src/index.js";
import { fixturePath } from "../support/fixture-servers.js";

let folder = "";
let coordinator: OpenedCoordinator;
let noPython: string | undefined;
let added = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "coordinator-certain-"));
  coordinator = await openCoordinator({
    config: {
      mcpServers: {
        echo: { command: process.execPath, args: [fixturePath("echo")] },
        offline: { command: process.execPath, args: [fixturePath("crashes-at-start")] },
      },
    },
    settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") },
    tools: { calc: { add: { description: "Adds", run: () => ++added } } },
  });
  await coordinator.saveSkill({
    name: "db-backup",
    description: "Saves a table",
    code: "export const dbBackup = async ({ key }: { key: string }) => `saved ${key.trim()}`;",
  });
  const { error } = await coordinator.runCode({ code: "return 1", language: "python" });
  noPython = error?.code === "LANGUAGE_UNAVAILABLE" ? error.message : undefined;
  if (noPython === undefined)
    await coordinator.saveSkill({
      name: "file-away",
      description: "Saves a file",
      language: "python",
      code: "def file_away(key: str):\n    return 'saved ' + key\n",
    });
});
afterAll(async () => {
  await coordinator.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a program that", () => {
  it.each([
    [
      "calls a skill with a wrong name",
      'import { dbBackup } from "skills/db-backup";',
      'await dbBackup({ kei: "x" })',
      "ARGUMENT_UNKNOWN",
    ],
    ["misspells a function of skills", "", 'await skills.saev({ name: "x" })', "NAME_UNKNOWN"],
    ["misspells a function of the memory", "", 'await memory.sett("a", 1)', "NAME_UNKNOWN"],
    ["saves without a key", "", "await memory.save()", "ARGUMENT_MISSING"],
    ["misspells a function of the workspace", "", 'await workspace.raed("a")', "NAME_UNKNOWN"],
    ["gives a host tool without input an argument", "", "await calc.add({ a: 1 })", "ARGUMENT_UNKNOWN"],
  ])(
    "%s is refused before its first call, and without the check fails after it",
    async (_title, head, wrong, code) => {
      const program = `${head}\nawait calc.add();\n${wrong};`;
      const before = added;

      const checked = await coordinator.checkCode({ code: program });
      const refused = await coordinator.runCode({ code: program });
      const afterRefusal = added;
      const unchecked = await coordinator.runCode({ code: program, isChecked: false });

      expect(checked).toMatchObject({ isValid: false, diagnostics: [{ severity: "error", code, line: 3 }] });
      expect(refused).toMatchObject({ status: "failed", error: { code: "PROGRAM_INVALID", line: 3 } });
      expect(afterRefusal).toBe(before);
      expect(added).toBe(before + 1);
      expect(unchecked.status).toBe("failed");
    },
  );
});

describe("a Python program that", () => {
  beforeEach(({ skip }) => skip(noPython !== undefined, noPython));

  it.each([
    [
      "calls a skill with a wrong name",
      "from skills.file_away import file_away",
      'file_away(kei="x")',
      "ARGUMENT_UNKNOWN",
    ],
    ["misspells a function of skills", "", 'skills.saev(name="x")', "NAME_UNKNOWN"],
    ["misspells a function of the memory", "", 'memory.sett("a", 1)', "NAME_UNKNOWN"],
    ["misspells a function of the workspace", "", 'workspace.raed("a")', "NAME_UNKNOWN"],
    ["gives a function of ours a wrong keyword", "", 'memory.load("a", fallback=1)', "ARGUMENT_UNKNOWN"],
    ["gives a host tool without input an argument", "", "calc.add(a=1)", "ARGUMENT_UNKNOWN"],
  ])(
    "%s is refused before its first call, and without the check fails after it",
    async (_title, head, wrong, code) => {
      const program = `${head}\ncalc.add()\n${wrong}`;
      const before = added;

      const checked = await coordinator.checkCode({ code: program, language: "python" });
      const refused = await coordinator.runCode({ code: program, language: "python" });
      const afterRefusal = added;
      const unchecked = await coordinator.runCode({ code: program, language: "python", isChecked: false });

      expect(checked).toMatchObject({ isValid: false, diagnostics: [{ severity: "error", code, line: 3 }] });
      expect(refused).toMatchObject({ status: "failed", error: { code: "PROGRAM_INVALID", line: 3 } });
      expect(afterRefusal).toBe(before);
      expect(added).toBe(before + 1);
      expect(unchecked.status).toBe("failed");
    },
  );
});

describe("our own functions", () => {
  it("are exactly those that the check knows, in TypeScript", async () => {
    const { value } = await coordinator.runCode({
      code: "return { memory: Object.keys(memory), workspace: Object.keys(workspace), fs: Object.keys(fs) };",
    });
    const found = value as Record<string, readonly string[]>;
    const { objects } = builtInFunctions.typescript;

    for (const name of ["memory", "workspace", "fs"])
      expect([...(objects.get(name) ?? [])].sort()).toEqual(
        found[name]?.filter((member) => member !== "constants").toSorted(),
      );
  });

  it("are exactly those that the check knows, in Python", async ({ skip }) => {
    skip(noPython !== undefined, noPython);
    const { value } = await coordinator.runCode({
      language: "python",
      code: `def names(thing):
    own = vars(type(thing))
    return sorted(name for name in own if not name.startswith("_") and name != "functions")
return {"memory": names(memory), "workspace": names(workspace)}`,
    });
    const found = value as Record<string, readonly string[]>;
    const { objects } = builtInFunctions.python;

    for (const name of ["memory", "workspace"])
      expect([...(objects.get(name) ?? [])].sort()).toEqual(found[name]);
  });
});

describe("a server that cannot be listed", () => {
  const warnings = [
    {
      severity: "warning",
      code: "NOT_CHECKED",
      message: 'The server "offline" could not be listed: its calls were not checked',
    },
  ];

  it("causes a warning in TypeScript that its calls were not checked", async () => {
    const checked = await coordinator.checkCode({ code: "await offline.anything({ a: 1 });" });

    expect(checked).toMatchObject({ isValid: true, diagnostics: warnings });
  });

  it("causes a warning if it is only called by name", async () => {
    const checked = await coordinator.checkCode({ code: 'await callTool("offline", "anything", {});' });

    expect(checked).toMatchObject({ isValid: true, diagnostics: warnings });
  });

  it("causes a warning in Python that its calls were not checked", async ({ skip }) => {
    skip(noPython !== undefined, noPython);
    const checked = await coordinator.checkCode({ code: "offline.anything(a=1)", language: "python" });

    expect(checked).toMatchObject({ isValid: true, diagnostics: warnings });
  });
});
