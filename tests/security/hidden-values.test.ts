// Whatever a server sends to be hidden, the host is not blocked: floods of tokens, digits, addresses and brackets.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedCoordinator, openCoordinator } from "../../src/index.js";
import { fixturePath } from "../support/fixture-servers.js";

const floods = {
  "look-alikes of tokens": ["[EMAIL", "_1] "],
  "open brackets": "[",
  "half a token": "[EMAIL_1",
  digits: "1",
  "groups of digits": "12 34 ",
  "phone numbers": "call 1 1 1 1 1 1 1 1 ",
  "at signs": "a.b.c@",
  colons: "a:",
  labels: "\nname: Ab Cd",
  "quotation marks": '{"a":"',
  escapes: '\\"',
};

describe("an answer full of", () => {
  let folder: string;
  let coordinator: OpenedCoordinator;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "coordinator-hidden-"));
    const crm = { command: process.execPath, args: [fixturePath("customers")] };
    coordinator = await openCoordinator({
      config: { mcpServers: { crm }, coordinator: { policy: { hide: "all" } } },
      settings: { stateFolder: join(folder, "state"), cacheFolder: join(folder, "cache") },
    });
    await coordinator.callTool({ server: "crm", tool: "list" });
  });
  afterAll(async () => {
    await coordinator.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(Object.entries(floods))("%s does not block the host", async (_what, text) => {
    for (const bytes of [15_000, 2_000_000]) {
      const value = { text, times: Math.ceil(bytes / [text].flat().join("").length) };
      const answer = await coordinator.callTool({ server: "crm", tool: "flood", arguments: { value } });
      expect(JSON.stringify(answer)).not.toContain("[EMAIL_1]");
    }
  });

  it("a hundred thousand new values is withheld or hidden, and the next one works", async () => {
    const many = { server: "crm", tool: "many", arguments: { value: 60_000 } };
    await expect(coordinator.callTool(many)).rejects.toMatchObject({ code: "ANSWER_WITHHELD" });
    const answer = await coordinator.callTool({ server: "crm", tool: "list" });
    expect(JSON.stringify(answer)).toContain("[EMAIL_1]");
  });
});
