// What servers answer cannot change the shape of an inverse call, hidden values stay hidden, and no model can undo.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCoordinator } from "../../src/index.js";
import { fixturePath } from "../support/fixture-servers.js";
import { openNotebook } from "../support/open-notebook.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const undo = {
  "notes.say": {
    call: "notes.edit",
    with: { id: "$answer.id", text: "$answer.text?" },
  },
};

const answers: Readonly<Record<string, readonly [code: string, step: object]>> = {
  "texts that look like references": [
    `JSON.stringify({ id: "$answer.text", text: "$arguments.answer" })`,
    { state: "ready", call: { arguments: { id: "$answer.text", text: "$arguments.answer" } } },
  ],
  "a field called __proto__": [
    `'{"id":"1","__proto__":{"text":"x"}}'`,
    { state: "ready", call: { arguments: { id: "1" } } },
  ],
  "a value with a field called __proto__": [
    `'{"id":{"__proto__":{"isAdmin":true}}}'`,
    { state: "ready", call: { arguments: { id: JSON.parse('{"__proto__":{"isAdmin":true}}') } } },
  ],
  "a list": [`'["1"]'`, { state: "none", reason: "there is no $answer.id" }],
  "plain text": [`"done"`, { state: "none", reason: "there is no $answer.id" }],
  "many levels": [
    `'{"id":' + "[".repeat(5000) + "]".repeat(5000) + "}"`,
    { state: "none", reason: expect.stringContaining("too deeply") },
  ],
  "a large value": [
    `JSON.stringify({ id: "x".repeat(400_000) })`,
    { state: "none", reason: "its values are too large" },
  ],
  "a large answer": [
    `JSON.stringify({ id: "1", more: "x".repeat(3_000_000) })`,
    { state: "none", reason: expect.stringContaining("expected at most") },
  ],
};

describe("a server that answers with", () => {
  it.each(Object.entries(answers))(
    "%s does not change the shape of the inverse call",
    async (_title, [code, step]) => {
      const { coordinator } = await openNotebook({ undo });
      const { runId, error } = await coordinator.runCode({
        code: `await notes.say({ answer: ${code} });`,
        isChecked: false,
      });
      expect(error).toBeUndefined();
      const { steps } = await coordinator.planUndo({ runId });
      expect(steps).toMatchObject([step]);
      const { arguments: given } = steps[0]?.call ?? {};
      if (given !== undefined)
        expect(given).toStrictEqual((step as { call: { arguments: unknown } }).call.arguments);
    },
  );

  it("a value with a field called __proto__ sends exactly that value", async () => {
    const { coordinator, seen, forget } = await openNotebook({
      undo: { "notes.say": { call: "notes.say", with: { answer: "$answer.value" } } },
    });
    const { runId } = await coordinator.runCode({
      code: `await notes.say({ answer: '{"value":{"__proto__":{"a":1},"b":[]}}' });`,
      isChecked: false,
    });
    forget();
    await coordinator.undoRun({ runId });
    expect(seen()).toEqual(['say {"answer":{"__proto__":{"a":1},"b":[]}}']);
  });
});

const listFiles = (folder: string): readonly string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? listFiles(path) : [path];
  });

describe("hidden values", () => {
  it.each([undefined, "work"])(
    "are tokens in the journal and values at the server (session: %s)",
    async (session) => {
      const folder = await temporaryFolder();
      const file = join(folder, "crm.txt");
      writeFileSync(file, "");
      writeFileSync(
        join(folder, "mcp.json"),
        JSON.stringify({
          mcpServers: {
            crm: { command: process.execPath, args: [fixturePath("customers"), "--file", file] },
          },
          coordinator: {
            policy: {
              hide: ["email"],
              undo: {
                "crm.send": {
                  call: "crm.send",
                  with: { value: ["undo", "$arguments.value", "$before.rows.0.email"] },
                  before: { call: "crm.list" },
                  check: { call: "crm.list", expect: { "rows.0.email": "$arguments.value" } },
                },
              },
            },
          },
        }),
      );
      const coordinator = await openCoordinator({
        config: join(folder, "mcp.json"),
        settings: { stateFolder: join(folder, "state"), cacheFolder: join(folder, "cache") },
      });
      onTestFinished(() => coordinator.close());
      const { runId, error } = await coordinator.runCode({
        code: "const { rows } = await crm.list({}); await crm.send({ value: rows[0].email });",
        isChecked: false,
        session,
      });
      expect(error).toBeUndefined();
      const { steps } = await coordinator.planUndo({ runId });
      expect(JSON.stringify(steps)).not.toContain("zoe.quill");
      const { result } = await coordinator.undoRun({ runId });
      expect(result?.error).toBeUndefined();
      const address = "zoe.quill@canary-mail.com";
      const sent = readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line.startsWith("send"));
      expect(sent).toEqual([
        `send {"value":"${address}"}`,
        `send {"value":["undo","${address}","${address}"]}`,
      ]);
      await coordinator.close();
      const leaks = listFiles(join(folder, "state")).filter((path) =>
        readFileSync(path, "latin1").includes("zoe.quill"),
      );
      expect(leaks).toEqual([]);
    },
  );
});

describe("a model or an HTTP caller", () => {
  it("cannot undo: only the command line uses undoRun", () => {
    const surfaces = new URL("../../src/surfaces/", import.meta.url).pathname;
    const users = listFiles(surfaces).filter((path) => readFileSync(path, "utf8").includes("undoRun"));
    expect(users.map((path) => path.slice(surfaces.length))).toEqual([join("cli", "commands", "undo.ts")]);
  });
});
