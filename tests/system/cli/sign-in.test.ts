// `login`, `accounts` and `logout` on the command line, with a real issuer.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../../support/browser.js";
import { type RunningFixture, startFixture } from "../../support/fixture-servers.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));
let running: RunningFixture;
let folder: string;

beforeAll(async () => {
  running = await startFixture("signed-in");
});
afterAll(() => running.stop());

/** Runs a command. `onPage` gets the address that it prints, and what it returns is typed. */
const run = async (words: readonly string[], onPage?: (url: string) => Promise<string>) => {
  const child = spawn(process.execPath, [bin, ...words, "--config", join(folder, "mcp.json"), "--trust"], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      MCP_COORDINATOR_STATE_FOLDER: join(folder, "state"),
      MCP_COORDINATOR_CACHE_FOLDER: join(folder, "cache"),
      MCP_COORDINATOR_VAULT: "file",
    },
  });
  let [stdout, stderr, isShown] = ["", "", false];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    const page = /^http:\/\/\S+$/m.exec(stderr)?.[0];
    if (page === undefined || isShown || !stderr.endsWith("\n")) return;
    isShown = true;
    void onPage?.(page).then((typed) => child.stdin.write(typed));
  });
  const [code] = (await once(child, "close")) as [number];
  return { code, stdout, stderr };
};

const visit = async (url: string): Promise<string> => {
  await openBrowser().open(url);
  return "";
};

test("login, accounts and logout work on the command line, with a browser and with a pasted URL", async () => {
  folder = await temporaryFolder();
  const entry = { url: `http://127.0.0.1:${running.port}/mcp` };
  writeFileSync(join(folder, "mcp.json"), JSON.stringify({ mcpServers: { linear: entry } }));

  const before = await run(["servers", "--connect"]);
  expect(before.stdout).toContain("sign-in needed");
  expect(before.stderr).toMatch(/login linear/);
  expect(before.code).toBe(1);

  const signedIn = await run(["login", "linear"], visit);
  expect(signedIn).toMatchObject({ code: 0, stdout: "signed in to linear; it renews automatically\n" });
  expect(signedIn.stderr).toContain(
    "Waiting until you have signed in there, at most 10 minutes. Ctrl-C cancels",
  );
  expect((await run(["call", "linear", "whoami"])).stdout).toContain("ada");
  const accounts = await run(["accounts"]);
  expect(accounts.stdout).toMatch(/linear +signed in +http:\/\/127\.0\.0\.1:\d+ +.*read/);
  expect(accounts.stderr).toContain("master.key");

  expect(await run(["logout", "linear", "--revoke"])).toMatchObject({
    code: 0,
    stdout: "signed out of linear\n",
  });
  expect((await run(["call", "linear", "whoami"])).code).toBe(1);

  const pasted = await run(["login", "linear", "--paste"], async (url) => {
    const stopsAt = new URL(url).searchParams.get("redirect_uri") ?? "";
    return `${(await openBrowser({ stopsAt }).open(url)).url}\n`;
  });
  expect(pasted).toMatchObject({ code: 0 });
  expect((await run(["call", "linear", "whoami"])).stdout).toContain("ada");

  const both = await run(["login", "linear", "--paste", "--device"]);
  expect(both.code).toBe(2);
});

test("add names the command that signs in, and succeeds", async () => {
  folder = await temporaryFolder();
  const added = await run(["add", "linear", `http://127.0.0.1:${running.port}/mcp`]);
  expect(added).toMatchObject({ code: 0 });
  expect(added.stderr).toMatch(/requires a sign-in/);
  expect(added.stderr).toMatch(/login linear/);
  expect((await run(["login", "linear"], visit)).code).toBe(0);
});
