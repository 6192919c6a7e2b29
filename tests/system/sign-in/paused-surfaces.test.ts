// Runs that wait for a sign-in, as people and agents meet them: in an MCP client, at a terminal, without one, after a killed host.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, type ElicitRequestParams, type ElicitResult } from "@modelcontextprotocol/client";
import type { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openBrowser } from "../../support/browser.js";
import { fixturePath, type RunningFixture, startFixture } from "../../support/fixture-servers.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { hasTerminal, openTerminal } from "../../support/terminal.js";
import { openServe, type transports } from "../../support/transports.js";
import { idOf } from "../durable/open-agent.js";

const bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));

let running: RunningFixture;
beforeAll(async () => {
  running = await startFixture("signed-in");
});
afterAll(() => running.stop());

const program = `await echo.echo({ text: "once" }); return await linear.whoami({})`;

/** A project with its own home, whose vault is empty. */
const openProject = async () => {
  const folder = await temporaryFolder();
  const config = join(folder, "mcp.json");
  const log = join(folder, "echo.log");
  const mcpServers = {
    echo: { command: process.execPath, args: [fixturePath("echo"), "--log", log] },
    linear: { url: `http://127.0.0.1:${running.port}/mcp` },
  };
  writeFileSync(config, JSON.stringify({ mcpServers, coordinator: { vault: "file" } }));
  const env = { PATH: process.env.PATH ?? "", HOME: folder };
  const start = (...words: readonly string[]): ChildProcess =>
    spawn(process.execPath, [bin, ...words, "--config", config], { cwd: folder, env });
  return {
    folder,
    config,
    env,
    countEcho: () => readFileSync(log, "utf8").split("call echo").length - 1,
    type: (...words: readonly string[]) =>
      spawnSync(process.execPath, [bin, ...words, "--config", config], {
        cwd: folder,
        env,
        encoding: "utf8",
      }),
    /** A person signs in with a separate command. Resolves to what it printed. */
    login: async (): Promise<string> => {
      const child = start("login", "linear");
      onTestFinished(() => void child.kill("SIGKILL"));
      let printed = "";
      let isOpened = false;
      const read = (text: string): void => {
        printed += text;
        const address = /^http:\/\/127\.0\.0\.1\S+$/m.exec(printed)?.[0];
        if (isOpened || address === undefined || !printed.includes(`${address}\n`)) return;
        isOpened = true;
        void openBrowser().open(address);
      };
      for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", read);
      const code = await new Promise((resolve) => child.on("close", resolve));
      expect(code, printed).toBe(0);
      return printed;
    },
  };
};
type Project = Awaited<ReturnType<typeof openProject>>;

interface AgentOptions {
  readonly transport?: (typeof transports)[number];
  readonly mode?: "auto" | "legacy";
  readonly answer?: ((params: ElicitRequestParams) => ElicitResult) | undefined;
  /** Further arguments of `serve`. */
  readonly words?: readonly string[];
}

const openAgent = async (
  { config, env }: Project,
  { transport = "stdio", mode = "auto", answer, words = [] }: AgentOptions = {},
) => {
  const capabilities = answer === undefined ? {} : { elicitation: { form: {}, url: {} } };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode }, capabilities });
  const asked: ElicitRequestParams[] = [];
  if (answer !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params);
      return answer(params);
    });
  const server = await openServe(transport, { config, env, words });
  const wire = server.toTransport();
  await client.connect(wire);
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  const call = async (name: string, given: Record<string, unknown>) => {
    const { content } = await client.callTool({ name, arguments: given }, { timeout: 120_000 });
    return (content as { text: string }[]).map(({ text }) => text).join("\n");
  };
  const run = (given: Record<string, unknown>) => call("run_code", given);
  return { asked, call, run, processId: () => (wire as StdioClientTransport).pid ?? 0 };
};

describe("a run that waits for a sign-in, in the agent's client", () => {
  it.each(["auto", "legacy"] as const)(
    "gets the sign-in page from a %s client that shows URLs",
    async (mode) => {
      const project = await openProject();
      const answer = (params: ElicitRequestParams): ElicitResult => {
        void openBrowser().open((params as { url: string }).url);
        return { action: "accept" };
      };
      const { run, asked } = await openAgent(project, { mode, answer });
      expect(await run({ code: program })).toContain("ada");
      expect(asked).toMatchObject([{ mode: "url", message: 'Sign in to "linear"' }]);
      expect(project.countEcho()).toBe(1);
    },
  );

  it("fails if the person declines", async () => {
    const { run } = await openAgent(await openProject(), { answer: () => ({ action: "decline" }) });
    expect(await run({ code: program })).toContain("SIGN_IN_NEEDED");
  });

  it("is described otherwise, cannot be answered, and continues after a login elsewhere", async () => {
    const project = await openProject();
    const { run } = await openAgent(project);
    const text = await run({ code: program });
    expect(text).toContain("You cannot do it for them");
    expect(text).toMatch(/login linear/);
    const runId = idOf(text);
    expect(await run({ code: "", resume: runId, answer: true })).toContain("only people can sign in");
    await project.login();
    await expect.poll(() => run({ code: "", resume: runId }), { timeout: 60_000 }).toContain("ada");
    expect(project.countEcho()).toBe(1);
  });

  it("shows no sign-in page to callers over HTTP: the account would become the host's", async () => {
    const { run, asked } = await openAgent(await openProject(), {
      transport: "http",
      answer: () => ({ action: "accept" }),
    });
    expect(await run({ code: program })).toContain("waits until a person signs in");
    expect(asked).toEqual([]);
  });
});

describe("a call over the direct surface that needs a sign-in", () => {
  const words = ["--surface", "direct"];
  const visit = (params: ElicitRequestParams): ElicitResult => {
    void openBrowser().open((params as { url: string }).url);
    return { action: "accept" };
  };
  /** The tools are known from an earlier sign-in. */
  const openSignedOut = async (): Promise<Project> => {
    const project = await openProject();
    await project.login();
    project.type("show", "linear");
    project.type("logout", "linear");
    return project;
  };

  it.each(["auto", "legacy"] as const)(
    "gets the sign-in page from a %s client that shows URLs",
    async (mode) => {
      const { call, asked } = await openAgent(await openSignedOut(), { mode, words, answer: visit });
      expect(await call("whoami", {})).toContain("ada");
      expect(asked).toMatchObject([{ mode: "url", message: 'Sign in to "linear"' }]);
    },
  );

  it("fails if the person declines, or the client shows no URLs", async () => {
    const project = await openSignedOut();
    for (const answer of [(): ElicitResult => ({ action: "decline" }), undefined]) {
      const { call } = await openAgent(project, { words, answer });
      expect(await call("whoami", {})).toMatch(/SIGN_IN_NEEDED[\s\S]*login linear/);
    }
  });

  it("shows no sign-in page to callers over HTTP", async () => {
    const { call, asked } = await openAgent(await openSignedOut(), {
      transport: "http",
      words,
      answer: visit,
    });
    expect(await call("whoami", {})).toContain("SIGN_IN_NEEDED");
    expect(asked).toEqual([]);
  });
});

describe.skipIf(!hasTerminal)(
  "a run that waits for a sign-in, at a terminal (skipped: needs script of util-linux)",
  () => {
    const startAt = (project: Project, ...words: readonly string[]) =>
      openTerminal([...words, "--config", project.config], project.folder, project.folder);
    const readAddress = async (read: () => string): Promise<string> => {
      const find = () => /http:\/\/127\.0\.0\.1:\d+\/auth\?\S+(?=\s)/.exec(read())?.[0];
      await expect.poll(find, { timeout: 60_000 }).toBeDefined();
      return find() ?? "";
    };

    it("offers to sign in there, for a program and for a single call", async () => {
      for (const words of [
        ["run", "-e", program],
        ["call", "linear", "whoami"],
      ]) {
        const project = await openProject();
        const terminal = startAt(project, ...words);
        await terminal.press("Sign in now? [y/n]", "y\r");
        await openBrowser().open(await readAddress(terminal.read));
        expect(await terminal.ended, terminal.read()).toBe(0);
        expect(terminal.read()).toContain("ada");
      }
    });

    it("continues when another process signs in", async () => {
      const project = await openProject();
      const terminal = startAt(project, "run", "-e", program);
      await terminal.press("Sign in now? [y/n]", "");
      await project.login();
      expect(await terminal.ended, terminal.read()).toBe(0);
      expect(terminal.read()).toContain("ada");
      expect(project.countEcho()).toBe(1);
    });
  },
);

describe("a run that waits for a sign-in, without its process", () => {
  const untilCompleted = async ({ type }: Project, runId: string): Promise<string> => {
    await expect.poll(() => type("runs", runId).stdout, { timeout: 60_000 }).toContain("completed");
    return type("runs", runId).stdout;
  };

  it("is continued by the next login", async () => {
    const project = await openProject();
    const run = project.type("run", "-e", program, "--json");
    expect(run.status).toBe(5);
    const { runId, status, question } = JSON.parse(run.stdout) as Record<string, string>;
    expect({ status, question }).toMatchObject({ status: "paused", question: { kind: "sign-in" } });
    expect(project.type("runs").stdout).toContain("paused");
    expect(await project.login()).toContain("The run that waited for it");
    expect(await untilCompleted(project, runId ?? "")).toContain("ada");
    expect(project.countEcho()).toBe(1);
  });

  it("survives kill -9 of its host", async () => {
    const project = await openProject();
    const { run, processId } = await openAgent(project);
    const runId = idOf(await run({ code: program }));
    process.kill(processId(), "SIGKILL");
    await project.login();
    expect(await untilCompleted(project, runId)).toContain("ada");
    expect(project.countEcho()).toBe(1);
  });
});
