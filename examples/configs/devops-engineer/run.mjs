// The engineer's configuration: a restricted profile, and a program that runs with it twice.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { completedValue, example } from "../../support/example.mjs";

const writeLog = (file, every) => {
  const lines = Array.from({ length: 2000 }, (_, at) => {
    const time = new Date(Date.UTC(2026, 10, 1, 0, at)).toISOString().slice(0, 16);
    return `${time} ${at > 500 && at % every === 0 ? "ERROR upstream timed out" : "info ok"} ${at}`;
  });
  writeFileSync(file, `${lines.join("\n")}\n`);
};

await example(import.meta.url, async ({ folder, open, read }) => {
  delete process.env.GITHUB_TOKEN;
  mkdirSync(join(folder, "logs"));
  for (const [service, every] of [
    ["checkout", 50],
    ["search", 7],
    ["mail", 300],
  ])
    writeLog(join(folder, "logs", `${service}.log`), every);

  const coordinator = await open();
  const servers = await coordinator.listServers();
  console.log(servers.map(({ name, error }) => `${name}: ${error?.message ?? "ready to start"}`).join("\n"));
  assert.deepEqual(
    servers.map(({ name }) => name),
    ["logs", "incidents", "kubernetes", "github"],
  );
  assert.match(servers.find(({ name }) => name === "github").error.message, /GITHUB_TOKEN/);

  const run = () => coordinator.runCode({ code: read("program.ts"), profile: "look-only" });
  const first = completedValue(await run());
  console.log(first);
  const found = { service: "search", errors: 214, of: 2000, since: "2026-11-01T08:24" };
  assert.deepEqual(first, { ...found, isNew: true });
  assert.deepEqual(completedValue(await run()), { ...found, isNew: false });

  const { error } = await coordinator.runCode({
    code: "return await kubernetes.ping({})",
    profile: "look-only",
  });
  console.log(error.message);
  assert.match(error.message, /kubernetes/);
});
