// Many processes share one sign-in whose refresh token works once: none loses it, not even when processes are killed.
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../../support/browser.js";
import { type RunningFixture, startFixture } from "../../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../../support/open-fixture.js";
import { rounds } from "../../support/rounds.js";

const host = fileURLToPath(new URL("../../fixtures/hosts/keeps-calling.mjs", import.meta.url));

interface Caller {
  readonly child: ChildProcess;
  readonly lines: string[];
  readonly kill: () => void;
}

const open = async (lifetime: number) => {
  const running: RunningFixture = await startFixture("signed-in", ["--lifetime", String(lifetime)]);
  const url = `http://127.0.0.1:${running.port}/mcp`;
  const fixture: OpenFixture = await openFixture({ linear: { url } }, { vault: "file" });
  await fixture.coordinator.login({
    server: "linear",
    onAddress: async (address) => void (await openBrowser().open(address)),
  });
  const callers: Caller[] = [];
  return {
    fixture,
    control: async (what: string) => (await fetch(`http://127.0.0.1:${running.port}/control/${what}`)).text(),
    call: async () =>
      String(await fixture.coordinator.callTool({ server: "linear", tool: "whoami", arguments: {} })),
    start: (calls = 0): Caller => {
      const words = [host, url, fixture.folder, String(calls)];
      const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"], detached: true });
      const lines: string[] = [];
      child.stdout
        .setEncoding("utf8")
        .on("data", (text: string) => lines.push(...text.split("\n").filter(Boolean)));
      const caller = { child, lines, kill: () => void process.kill(-(child.pid ?? 0), "SIGKILL") };
      callers.push(caller);
      return caller;
    },
    close: async () => {
      for (const { child, kill } of callers) if (child.exitCode === null && child.signalCode === null) kill();
      await fixture.close();
      await running.stop();
    },
  };
};

type Opened = Awaited<ReturnType<typeof open>>;

describe("a sign-in that many processes share", () => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open(2);
  });
  afterAll(() => opened.close());

  it("is never lost while tokens expire every two seconds and processes are killed", async () => {
    const { control, start, call } = opened;
    const processes = rounds(4, 50);
    const refreshes = rounds(6, 300);
    const callers = Array.from({ length: processes }, () => start());
    for (let wanted = 2; wanted <= refreshes; wanted += 2) {
      await expect.poll(async () => Number(await control("count"))).toBeGreaterThan(wanted);
      callers.shift()?.kill();
      callers.push(start());
    }
    await expect.poll(() => callers.every(({ lines }) => lines.length > 0)).toBe(true);
    expect(new Set(callers.flatMap(({ lines }) => lines))).toEqual(new Set(["ada"]));
    expect(await call()).toBe("ada");
  });
});

describe("a process that is killed while it refreshes", () => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open(3600);
  });
  afterAll(() => opened.close());

  it("leaves the new tokens to the others", async () => {
    const { control, start, call } = opened;
    for (let round = 0; round < rounds(2, 50); round += 1) {
      const before = Number(await control("count"));
      await control("hold");
      await control("expire");
      const killed = start(1);
      await expect.poll(() => control("waiting")).toBe("1");
      killed.kill();
      await control("release");
      expect(await call()).toBe("ada");
      expect(Number(await control("count"))).toBe(before + 1);
    }
  });
});
