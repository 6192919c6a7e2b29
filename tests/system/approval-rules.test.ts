// Approval rules that match no tool are reported, because their author relies on being asked.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { openCoordinator } from "../../src/index.js";
import { fixturePath } from "../support/fixture-servers.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const bin = fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url));
const mcpServers = { ledger: { command: process.execPath, args: [fixturePath("ledger")] } };

const open = async (approve: readonly string[], settings: object = {}) => {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, "seen.txt"), "");
  const args = [fixturePath("ledger"), "--file", join(folder, "seen.txt")];
  const coordinator = await openCoordinator({
    config: { mcpServers: { ledger: { command: process.execPath, args } } },
    settings: {
      approve,
      stateFolder: join(folder, "state"),
      cacheFolder: join(folder, "cache"),
      ...settings,
    },
  });
  onTestFinished(() => coordinator.close());
  return coordinator;
};

describe("rules that match no tool", () => {
  test("are reported with the nearest name", async () => {
    const coordinator = await open(
      ["ledger.wirte", "leger.*", "writes", "ledger.write", "*.read", "nothing*"],
      {
        profiles: { careful: { approve: ["ledger.raed"] } },
      },
    );
    await coordinator.listTools({ server: "ledger" });
    expect(await coordinator.checkApprovals()).toEqual([
      'The rule "ledger.wirte" of "approve" matches no tool. Did you mean "ledger.write"?',
      'The rule "leger.*" of "approve" matches no tool: no server "leger" is configured. Did you mean "ledger"?',
      'The rule "nothing*" of "approve" matches no tool',
      'The rule "ledger.raed" of "approve" matches no tool. Did you mean "ledger.read"?',
    ]);
  });

  test("are not reported for a server whose tools are unknown", async () => {
    const coordinator = await open(["ledger.wirte", "*.wirte"]);
    expect(await coordinator.checkApprovals()).toEqual([]);
  });

  test("are reported when serve has listed the servers", async () => {
    const coordinator = await open(["ledger.wirte"]);
    const notes: string[] = [];
    await coordinator.stayCurrent({ onNote: (text) => notes.push(text) });
    await expect.poll(() => notes.join()).toContain('The rule "ledger.wirte"');
  });

  test("are reported by servers, run and doctor", async () => {
    const home = await temporaryFolder();
    mkdirSync(join(home, "project"));
    writeFileSync(
      join(home, "mcp.json"),
      JSON.stringify({ mcpServers, coordinator: { approve: ["leger.*"] } }),
    );
    writeFileSync(join(home, "policy.yaml"), "deny: [leger.write]");
    const ofPolicy = 'policy.yaml" matches no tool: no server "leger" is configured';
    const type = (...words: readonly string[]) =>
      spawnSync(process.execPath, [bin, ...words, "--config", "~/mcp.json"], {
        cwd: join(home, "project"),
        env: { PATH: process.env.PATH, HOME: home },
        encoding: "utf8",
      });
    expect(type("servers").stderr).toContain('The rule "leger.*" of "approve" matches no tool');
    expect(type("run", "-e", "return 1").stderr).toContain('The rule "leger.*" of "approve" matches no tool');
    expect(type("run", "-e", "return 1").stderr).toContain(ofPolicy);
    const { problems } = JSON.parse(type("doctor", "--json").stdout) as {
      readonly problems: readonly { readonly problem: string; readonly fix: string }[];
    };
    const texts = problems.map(({ problem, fix }) => `${problem} ${fix}`).join("\n");
    expect(texts).toContain('The rule "leger.*" of "approve" matches no tool');
    expect(texts).toContain(ofPolicy);
    expect(texts).toContain("Correct it: as written, it never applies.");
  });
});

test("a run refuses its own rule if that can match no call", async () => {
  const coordinator = await open([]);
  const result = await coordinator
    .runCode({ code: "return 1", approve: ["Writes"] })
    .catch((error: unknown) => ({ error }));
  expect(result.error).toMatchObject({ code: "USAGE", message: expect.stringContaining('"Writes"') });
});
