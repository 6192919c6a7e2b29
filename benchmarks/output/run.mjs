// Tokens of the output formats, and a large value moved between two servers: time, tokens, memory of host and guest.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openCoordinator } from "../../dist/bundle/index.js";
import { values } from "./values.mjs";

const forms = ["json", "text", "toon"];
const largeBytes = 50 * 1024 * 1024;
const rounds = 4;

const server = {
  command: process.execPath,
  args: [fileURLToPath(new URL("../../tests/fixtures/servers/large.mjs", import.meta.url))],
};
const folder = mkdtempSync(join(tmpdir(), "coordinator-bench-output-"));
const coordinator = await openCoordinator({
  config: { mcpServers: { source: server, target: server } },
  settings: { stateFolder: join(folder, "state"), cacheFolder: join(folder, "cache") },
});

const readMegabytes = (pid, field) => {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)?.[1] ?? 0) / 1024);
};

/** Every process below this one that is a sandbox, by its command line. */
const listGuests = () =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const isOurs = isBelow(Number(pid));
        return isOurs && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("isolate-child.mjs");
      } catch {
        return false;
      }
    });

const isBelow = (pid) => {
  for (let at = pid; at > 1; ) {
    if (at === process.pid) return true;
    at = Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${at}/stat`, "utf8"))?.[1] ?? 0);
  }
  return false;
};

const compareForms = async () => {
  console.log("Tokens (o200k) of the same value in each form\n");
  console.log(`| value | ${forms.join(" | ")} |\n|---|${forms.map(() => "---:|").join("")}`);
  for (const [name, value] of Object.entries(values)) {
    const counts = [];
    for (const output of forms) {
      const { texts } = await coordinator.showAnswer({ value, output });
      counts.push(await coordinator.countTokens(texts.join("\n")));
    }
    console.log(`| ${name} | ${counts.join(" | ")} |`);
  }
};

const moveLarge = async () => {
  const code = `const text = await source.makeText.keep({ bytes: ${largeBytes} });
return await target.takeText({ name: "copy", content: text });`;
  console.log(`\n${largeBytes / 1024 / 1024} MB from one server to another by a handle\n`);
  console.log(
    "| round | seconds | tokens to the model | host MB | guest MB, peak |\n|---|---:|---:|---:|---:|",
  );
  await coordinator.runCode({ code: "return await source.makeText({ bytes: 1 })" });
  console.log(`| before | | | ${readMegabytes(process.pid, "VmRSS")} | |`);
  for (let round = 1; round <= rounds; round++) {
    const startedAt = performance.now();
    const result = await coordinator.runCode({ code, output: "json" });
    const seconds = (performance.now() - startedAt) / 1000;
    if (result.value?.bytes !== largeBytes)
      throw new Error(`The move failed: ${JSON.stringify(result.error)}`);
    const tokens = await coordinator.countTokens(result.shown.texts.join("\n"));
    const guests = listGuests().map((pid) => readMegabytes(pid, "VmHWM"));
    console.log(
      `| ${round} | ${seconds.toFixed(2)} | ${tokens} | ${readMegabytes(process.pid, "VmRSS")} | ${Math.max(0, ...guests)} |`,
    );
  }
  console.log(`\nHost, peak: ${readMegabytes(process.pid, "VmHWM")} MB`);
};

try {
  await compareForms();
  if (process.platform === "linux") await moveLarge();
} finally {
  await coordinator.close();
  rmSync(folder, { recursive: true, force: true });
}
