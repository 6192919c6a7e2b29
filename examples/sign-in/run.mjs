// Takes over a server that requires a sign-in and runs a program with it. The run waits for the person, and continues after the login.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { example, Skip } from "../support/example.mjs";
import { signInAs } from "./browser.mjs";

const bin = fileURLToPath(new URL("../../bin/mcp-coordinator.mjs", import.meta.url));

const isInstalled = (name) => {
  try {
    return createRequire(import.meta.url).resolve(name) !== "";
  } catch {
    return false;
  }
};

/** The command `login`, with a person who opens the page that it prints. */
const login = async (server, name) => {
  const child = spawn(process.execPath, [bin, "login", server], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.on("close", resolve));
  const lines = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      if (line.startsWith("http://127.0.0.1") && line.includes("/auth?"))
        signInAs(name, line).then((page) =>
          console.log(`(the browser shows: ${page.replaceAll(/\s+/g, " ")})`),
        );
    });
  assert.equal(await ended, 0, lines.join("\n"));
  return lines.filter((line) => !line.includes("http://")).join("\n");
};

await example(import.meta.url, async ({ folder, here, read, command }) => {
  if (!isInstalled("oidc-provider")) throw new Skip("the package oidc-provider is not installed");
  const server = spawn(process.execPath, [join(here, "server.mjs")], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [port] = await server.stdout[Symbol.asyncIterator]()
      .next()
      .then(({ value }) => String(value).split("\n"));
    // The home of a person whose client, Cursor, has the server already.
    process.env.HOME = folder;
    process.chdir(folder);
    const clientFile = join(folder, ".cursor/mcp.json");
    mkdirSync(dirname(clientFile));
    writeFileSync(clientFile, read("mcp.json").replace(`\${ISSUES_PORT}`, port));

    const taken = await command("init", "--client", "cursor", "--yes");
    assert.equal(taken.code, 0, taken.stderr);
    assert.deepEqual(Object.keys(JSON.parse(readFileSync(clientFile, "utf8")).mcpServers), ["coordinator"]);
    console.log("$ mcp-coordinator init --client cursor --yes");

    const program = join(here, "program.ts");
    const first = await command("run", program, "--json");
    const { runId, status, question } = JSON.parse(first.stdout);
    console.log(`$ mcp-coordinator run program.ts\n${status}: ${question.text}`);
    assert.deepEqual([first.code, status, question.kind], [5, "paused", "sign-in"]);

    console.log(`$ mcp-coordinator login issues\n${(await login("issues", "ada")).split("\nnext")[0]}`);

    const after = JSON.parse((await command("runs", runId, "--json")).stdout);
    console.log(`$ mcp-coordinator runs RUN_ID\n${after.status}: ${after.result.value}`);
    assert.deepEqual([after.status, after.result.value], ["completed", ["#1 Typo on the first page"]]);

    const again = await command("run", program);
    assert.deepEqual(JSON.parse(again.stdout), ["#1 Typo on the first page"]);
  } finally {
    server.kill();
  }
});
