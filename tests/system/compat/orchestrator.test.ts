// `new MCPOrchestrator()`: tasks, skills and figures under the names of another system of this kind.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentTask, MCPOrchestrator } from "../../../src/index.js";
import { referenceServers } from "../../support/reference-servers.js";

let folder: string;
let orchestrator: MCPOrchestrator;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "orchestrator-"));
  orchestrator = new MCPOrchestrator({
    config: { mcpServers: referenceServers(["supabase", "github"]) },
    settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") },
    skillsDir: join(folder, "skills"),
    maxConcurrentTasks: 2,
    defaultTimeout: 20_000,
  });
});
afterAll(async () => {
  await orchestrator.close();
  rmSync(folder, { recursive: true, force: true });
});

const toTask = (code: string, more: Partial<AgentTask> = {}): AgentTask => ({
  id: "task",
  description: "A task",
  code,
  requiredTools: ["supabase"],
  status: "pending",
  ...more,
});

describe("MCPOrchestrator", () => {
  it("reports nothing before it is initialized, and everything after", async () => {
    expect(() => orchestrator.getStats()).toThrow(/not initialized/);
    await orchestrator.initialize();
    expect(orchestrator.getStats()).toEqual({
      servers: 2,
      tools: 4,
      skills: 0,
      activeTasks: 0,
      maxConcurrentTasks: 2,
    });
  });

  it("runs a task, and reports its cost", async () => {
    const task = toTask(
      'const tables = await supabase.listTables(["public"]);\nreturn tables.map((table) => table.name);',
    );
    const result = await orchestrator.executeTask<string[]>(task);

    expect(result).toEqual({
      success: true,
      data: ["users", "orders"],
      stats: {
        duration: expect.any(Number),
        tokensUsed: expect.any(Number),
        memoryUsed: expect.any(Number),
        toolsCalled: ["supabase.listTables"],
      },
    });
    expect(task).toMatchObject({ status: "completed", result });
  });

  it("counts the tokens of the program and of its answer, exactly", async () => {
    const code = 'return "x".repeat(50)';
    const { stats } = await orchestrator.executeTask(toTask(code));

    const written = JSON.stringify({ name: "run_code", arguments: { code } });
    expect(stats.tokensUsed).toBe(countTokens(written) + countTokens("x".repeat(50)));
    expect(stats.memoryUsed).toBeGreaterThan(0);
  });

  it("gives a task the servers that it requires, and no others", async () => {
    const code = 'return await github.createIssue("me", "it", "title")';
    const refused = await orchestrator.executeTask(toTask(code));

    expect(refused).toMatchObject({ success: false, error: { code: "SERVER_NOT_ALLOWED" } });
    expect(refused.stats.toolsCalled).toEqual([]);
    const allowed = await orchestrator.executeTask(toTask(code, { requiredTools: ["github.createIssue"] }));
    expect(allowed).toMatchObject({ success: true, data: { number: 7 } });
  });

  it("reports a failure as a result, with its position", async () => {
    const task = toTask('await supabase.listTables();\nthrow new Error("no");');
    const result = await orchestrator.executeTask(task);

    expect(result).toMatchObject({
      success: false,
      error: { code: "PROGRAM_FAILED", message: "no", stack: expect.stringMatching(/at program:2:/) },
      stats: { toolsCalled: ["supabase.listTables"] },
    });
    expect(task.status).toBe("failed");
    const { code: _code, ...empty } = toTask("");
    expect((await orchestrator.executeTask(empty)).error?.message).toBe(
      'Cannot run the task "task": it has no code',
    );
  });

  it("reports that a task waits for people, and how to resume it", async () => {
    const { success, error } = await orchestrator.executeTask(
      toTask('const region = await ask("Which region?");\nreturn region;'),
    );

    expect({ success, code: error?.code }).toEqual({ success: false, code: "NOBODY_TO_ASK" });
    const [, runId = ""] =
      /the run "(\w+)" waits for an answer to "Which region\?"/.exec(error?.message ?? "") ?? [];
    expect(await (await orchestrator.open()).resumeRun({ runId, answer: "eu" })).toMatchObject({
      status: "completed",
      value: "eu",
    });
  });

  it("limits concurrent tasks, and completes all of them", async () => {
    const tasks = [1, 2, 3, 4].map((number) =>
      orchestrator.executeTask(toTask(`await new Promise((done) => setTimeout(done, 20)); return ${number}`)),
    );

    expect(orchestrator.getStats().activeTasks).toBe(2);
    expect((await Promise.all(tasks)).map(({ data }) => data)).toEqual([1, 2, 3, 4]);
    expect(orchestrator.getStats().activeTasks).toBe(0);
  });

  it("saves skills, passes their parameters, and counts their uses", async () => {
    await orchestrator.saveSkill(
      "count-rows",
      "Counts rows of a table",
      "return { of: params.table ?? null };",
      ["rows"],
    );
    await orchestrator.saveSkill(
      "list-tables",
      "Lists tables",
      "return (await supabase.listTables()).length;",
      ["rows"],
    );

    expect(await orchestrator.executeSkill("list-tables")).toMatchObject({
      success: true,
      data: 2,
      stats: { toolsCalled: ["supabase.listTables"] },
    });
    expect((await orchestrator.executeSkill("count-rows")).data).toEqual({ of: null });
    expect((await orchestrator.executeSkill("count-rows", { table: "users" })).data).toEqual({ of: "users" });
    expect(orchestrator.listSkills().map(({ id, usageCount }) => [id, usageCount])).toEqual([
      ["count-rows", 2],
      ["list-tables", 1],
    ]);
    expect(orchestrator.getStats().skills).toBe(2);
  });

  it("finds skills synchronously by name, description and tags", () => {
    const find = (query: string) => orchestrator.searchSkills(query).map(({ name }) => name);

    expect(find("ROWS")).toEqual(["count-rows", "list-tables"]);
    expect(find("table rows")).toEqual(["count-rows", "list-tables"]);
    expect(find("counts")).toEqual(["count-rows"]);
    expect(find("nothing")).toEqual([]);
    expect(orchestrator.searchSkills("counts")[0]).toMatchObject({
      description: "Counts rows of a table",
      createdAt: expect.any(Date),
      tags: ["rows"],
    });
  });

  it("reports an unknown skill", async () => {
    expect(await orchestrator.executeSkill("nothing")).toMatchObject({
      success: false,
      error: { code: "SKILL_UNKNOWN" },
    });
  });
});
