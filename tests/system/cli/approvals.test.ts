// Approvals by command: an agent with a shell cannot approve, and the command printed for a person works when pasted.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { openCoordinator } from "../../../src/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { readSeen, toLedgerConfig } from "../durable/open-ledger.js";

const bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));

const openShell = async (settings: object) => {
  const root = await temporaryFolder();
  // A name that a shell would split.
  const folder = join(root, "it's $HOME here");
  mkdirSync(folder);
  const { coordinator, ...servers } = toLedgerConfig(folder);
  const config = join(folder, "mcp.json");
  writeFileSync(config, JSON.stringify({ ...servers, coordinator: { ...coordinator, ...settings } }));
  writeFileSync(join(folder, "seen.txt"), "");
  const options = {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: root },
    input: "yes\ny\n",
    encoding: "utf8",
  } as const;
  const type = (...words: readonly string[]) => spawnSync(process.execPath, [bin, ...words], options);
  /** A line that was printed, as a shell reads it. */
  const paste = (line: string) => {
    expect(line).toContain(bin);
    return spawnSync("sh", ["-c", line], options);
  };
  return { config, type, paste, seen: () => readSeen(folder) };
};

const code = "await ledger.write({ value: 1 }); return 2";

describe("without a terminal", () => {
  test("no command that an agent can type approves a call, and no output contains the code that does", async () => {
    const { config, type, seen } = await openShell({ approve: ["writes"] });
    const place = ["--config", "mcp.json", "--workspace", "acme"];
    const run = type("run", "-e", code, "--json", ...place);
    expect(run.status).toBe(5);
    const { runId, question } = JSON.parse(run.stdout) as { runId: string; question: { hash: string } };
    const person = await openCoordinator({ config });
    onTestFinished(() => person.close());
    const waiting = await person.readQuestion({ runId, workspace: "acme" });
    const approval = waiting?.code ?? "";
    expect(approval).toMatch(/^[0-9a-f]{8}$/);

    const outputs = [run.stdout + run.stderr];
    for (const words of [
      ["--yes"],
      ["--yes", "y"],
      ["--yes", "yes"],
      ["--yes", "00000000"],
      ["--yes", question.hash.slice(0, 8)],
      ["--yes", question.hash],
      ["--yes="],
      ["--answer", "true"],
      ["--yes", "--json"],
    ]) {
      const { status, stdout, stderr } = type("resume", runId, ...words, ...place);
      expect(status, words.join(" ")).toBe(1);
      expect(stdout + stderr, words.join(" ")).toContain("Cannot answer the run");
      expect(stderr, words.join(" ")).toContain('1. ledger.write {"value":1}');
      outputs.push(stdout + stderr);
    }
    outputs.push(...[type("runs", "show", runId, ...place)].map(({ stdout, stderr }) => stdout + stderr));
    outputs.push(...[type("runs", "show", runId, "--json", ...place)].map(({ stdout }) => stdout));
    const call = type("call", "ledger", "write", "value=1", "--config", "mcp.json");
    expect(call.status).toBe(1);
    expect(seen()).toEqual([]);
    for (const output of outputs) expect(output).not.toContain(approval);

    // The question that was read has not changed: its code still holds, for one answer.
    expect(type("resume", runId, "--yes", approval, ...place).status).toBe(0);
    expect(type("resume", runId, "--yes", approval, ...place).status).toBe(1);
    expect(seen()).toEqual(["write 1"]);
  });

  test("a code is valid only for the calls that were shown: swapped ones are shown again and refused", async () => {
    const { config, type, seen } = await openShell({ approve: ["writes"] });
    const person = await openCoordinator({ config });
    onTestFinished(() => person.close());
    const { runId } = await person.runCode({ code });
    const before = (await person.readQuestion({ runId }))?.code ?? "";
    await person.resumeRun({ runId, code: "await ledger.write({ value: 1000000 })" });
    const swapped = type("resume", runId, "--yes", before, "--config", "mcp.json");
    expect(swapped.status).toBe(1);
    expect(swapped.stderr).toContain('1. ledger.write {"value":1000000}');
    expect(swapped.stderr).toContain("the code does not belong to what the run asks now");
    expect(seen()).toEqual([]);
    expect(type("resume", runId, "--no", "--config", "mcp.json").status).toBe(1);
    expect(seen()).toEqual([]);
  });
});

test("runs says what each paused run waits for, and the printed command shows it", async () => {
  const { type, paste } = await openShell({ approve: ["writes"] });
  const place = ["--config", "mcp.json", "--json"];
  const readId = ({ stdout }: { stdout: string }) => (JSON.parse(stdout) as { runId: string }).runId;
  const asks = readId(type("run", "-e", 'return await ask("Which city?")', ...place));
  const writes = readId(type("run", "-e", code, ...place));
  const listed = type("runs", "--config", "mcp.json");
  expect(listed.stdout).toMatch(
    new RegExp(`${writes} +paused.*\\n    waits for approval of ledger.write\\n`),
  );
  expect(listed.stdout).toMatch(new RegExp(`${asks} +paused.*\\n    waits for an answer: Which city\\?\\n`));
  expect(JSON.parse(type("runs", ...place).stdout)).toMatchObject([
    { runId: writes, waitsFor: "approval of ledger.write" },
    { runId: asks, waitsFor: "an answer: Which city?" },
  ]);
  const line = listed.stderr.split("\n").find((text) => text.includes(`runs ${writes}`)) ?? "";
  expect(paste(line).stderr).toContain("The run waits for an answer");
});

describe("a printed command", () => {
  test("lists, shows, commits and resumes runs of another workspace and configuration when pasted", async () => {
    const { type, paste, seen } = await openShell({});
    const place = ["--config", "mcp.json", "--workspace", "acme"];
    const planned = type("run", "-e", code, "--plan", ...place);
    const [, commit = ""] = /^ {2}(.*mcp-coordinator.*)$/m.exec(planned.stderr) ?? [];
    expect(commit).toContain("--workspace acme --folder ");
    expect(paste(commit).status).toBe(0);
    expect(seen()).toEqual(["write 1"]);

    const failed = type("run", "-e", 'await ledger.write({ value: 2 }); throw new Error("later")', ...place);
    const [, resume = ""] = /^ {2}(.*mcp-coordinator.*)$/m.exec(failed.stderr) ?? [];
    expect(paste(resume).stderr).toContain("later");
    expect(seen()).toEqual(["write 1", "write 2"]);

    const listed = JSON.parse(type("runs", "--json", ...place).stdout) as { runId: string }[];
    expect(listed).toHaveLength(3);
    expect(JSON.parse(type("runs", "--json", "--config", "mcp.json").stdout)).toEqual([]);
    const [last] = listed;
    expect(type("runs", "show", last?.runId ?? "", ...place).status).toBe(0);
    type("run", "-e", 'return await ledger.read.keep({ value: "kept" })', ...place);
    expect(JSON.parse(type("values", "--json", ...place).stdout)).toHaveLength(1);
    expect(JSON.parse(type("values", "--json", "--config", "mcp.json").stdout)).toEqual([]);
  });
});
