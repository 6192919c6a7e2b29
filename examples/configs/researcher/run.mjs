// The researcher's configuration: all four servers are listed, a program runs on the two that need no key.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { completedValue, example } from "../../support/example.mjs";

await example(import.meta.url, async ({ folder, open, read }) => {
  delete process.env.BRAVE_API_KEY;
  mkdirSync(join(folder, "papers"));
  for (let at = 1; at <= 20; at++) {
    const cites = [1, Math.ceil(at / 2)].filter((to, index, all) => to < at && all.indexOf(to) === index);
    const lines = [
      `Title: Paper ${at}`,
      ...cites.map((to) => `Cites: Paper ${to}`),
      "",
      "Text. ".repeat(500),
    ];
    writeFileSync(join(folder, "papers", `paper-${at}.txt`), `${lines.join("\n")}\n`);
  }

  const coordinator = await open();
  const servers = await coordinator.listServers();
  console.log(servers.map(({ name, error }) => `${name}: ${error?.message ?? "ready to start"}`).join("\n"));
  assert.deepEqual(
    servers.map(({ name }) => name),
    ["papers", "knowledge", "web", "search"],
  );
  assert.match(servers.find(({ name }) => name === "search").error.message, /BRAVE_API_KEY/);

  const result = await coordinator.runCode({ code: read("program.ts") });
  console.log(completedValue(result));
  assert.deepEqual(result.value, { papers: 20, citations: 37, mostCited: { title: "Paper 1", cited: 19 } });
  assert.match(readFileSync(join(folder, "knowledge.jsonl"), "utf8"), /"relationType":"cites"/);
});
