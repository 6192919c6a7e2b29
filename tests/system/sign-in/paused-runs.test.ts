// Runs that need a sign-in: they wait for it, survive their host, and continue by themselves without repeating a call.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../../support/browser.js";
import { type RunningFixture, startFixture } from "../../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../../support/open-fixture.js";

let running: RunningFixture;
let opened: OpenFixture | undefined;
beforeAll(async () => {
  running = await startFixture("signed-in");
});
afterAll(() => running.stop());
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

const open = async (settings: object = {}): Promise<OpenFixture> => {
  opened = await openFixture(
    { linear: { url: `http://127.0.0.1:${running.port}/mcp` } },
    { vault: "file", ...settings },
  );
  return opened;
};
const login = ({ coordinator }: OpenFixture) =>
  coordinator.login({ server: "linear", onAddress: async (url) => void (await openBrowser().open(url)) });
const control = async (what: string): Promise<string> =>
  (await fetch(`http://127.0.0.1:${running.port}/control/${what}`)).text();
/** The tools of the server are known, and nobody is signed in. */
const openSignedOut = async (settings?: object): Promise<OpenFixture> => {
  const fixture = await open(settings);
  await login(fixture);
  await fixture.coordinator.listTools({ server: "linear" });
  await fixture.coordinator.logout({ server: "linear", isRevoked: true });
  return fixture;
};
const waiting = {
  status: "paused",
  isResumable: true,
  question: { kind: "sign-in", server: "linear", command: expect.stringMatching(/login linear/) },
};
/** A run that failed is reported with its error. */
const toReported = ({ status, result }: Awaited<ReturnType<OpenFixture["coordinator"]["runStatus"]>>) =>
  result?.error === undefined ? status : JSON.stringify(result.error);
const untilCompleted = async ({ coordinator }: OpenFixture, runId: string): Promise<unknown> => {
  await expect
    .poll(async () => toReported(await coordinator.runStatus({ runId })), { timeout: 60_000 })
    .toBe("completed");
  return (await coordinator.runStatus({ runId })).result?.value;
};
const countEcho = ({ log }: OpenFixture): number => log().filter((line) => line === "call echo").length;

describe("a run that needs a sign-in", () => {
  it("pauses, and continues by itself after the sign-in without repeating its calls", async () => {
    const fixture = await openSignedOut();
    const paused = await fixture.run(
      `const said = await echo.echo({ text: "once" }); return [said, await linear.whoami({})]`,
    );
    expect(paused).toMatchObject(waiting);
    expect(await fixture.coordinator.listRuns()).toMatchObject([{ runId: paused.runId, status: "paused" }]);
    await login(fixture);
    expect(await untilCompleted(fixture, paused.runId)).toEqual(["once", "ada"]);
    expect(countEcho(fixture)).toBe(1);
  });

  it("pauses in Python, too", async () => {
    const fixture = await openSignedOut();
    const paused = await fixture.run(`said = echo.echo(text="once")\nreturn [said, linear.whoami()]`, {
      language: "python",
    });
    expect(paused).toMatchObject(waiting);
    await login(fixture);
    expect(await untilCompleted(fixture, paused.runId)).toEqual(["once", "ada"]);
    expect(countEcho(fixture)).toBe(1);
  });

  it("pauses in the background", async () => {
    const fixture = await openSignedOut();
    const { coordinator } = fixture;
    const { runId } = await coordinator.startRun({
      code: `return await linear.whoami({})`,
      isBackground: true,
    });
    expect((await coordinator.waitForRun({ runId })).result).toMatchObject(waiting);
    await login(fixture);
    expect(await untilCompleted(fixture, runId)).toBe("ada");
  });

  it("pauses for a server whose tools nobody knows yet, called or imported", async () => {
    const fixture = await open();
    const called = await fixture.run(`await echo.echo({ text: "a" }); return await linear.whoami({})`);
    const first = await fixture.run(`return await linear.whoami({})`);
    const imported = await fixture.run(`import { whoami } from "servers/linear"; return await whoami({})`);
    for (const paused of [called, first, imported]) expect(paused).toMatchObject(waiting);
    await login(fixture);
    for (const { runId } of [called, first, imported])
      expect(await untilCompleted(fixture, runId)).toBe("ada");
    expect(countEcho(fixture)).toBe(1);
  });

  it("pauses with more calls at once than may be in flight", async () => {
    const fixture = await openSignedOut({ limits: { callsInFlight: 2 } });
    const paused = await fixture.run(
      `return (await Promise.all(Array.from({ length: 9 }, () => linear.whoami({})))).length`,
    );
    expect(paused).toMatchObject(waiting);
    await login(fixture);
    expect(await untilCompleted(fixture, paused.runId)).toBe(9);
  });

  it("pauses again for more rights, and for a sign-in that was revoked during the run", async () => {
    const fixture = await open();
    const { coordinator } = fixture;
    await login(fixture);
    const program = `const me = await linear.whoami({}); const said = await echo.echo({ text: "once" }); const rights = await linear.rights({}); return [me, said, rights.split(" ").includes("admin")]`;
    const paused = await fixture.run(program);
    expect(paused).toMatchObject({ ...waiting, question: { text: expect.stringContaining("(admin)") } });
    await coordinator.logout({ server: "linear", isRevoked: true });
    // The sign-in that ends here has no more rights than the server names without a call.
    await login(fixture);
    await expect
      .poll(async () => (await coordinator.showRun({ runId: paused.runId })).attempts, { timeout: 60_000 })
      .toBe(2);
    await expect
      .poll(async () => (await coordinator.runStatus({ runId: paused.runId })).status, { timeout: 60_000 })
      .toBe("paused");
    await login(fixture);
    expect(await untilCompleted(fixture, paused.runId)).toEqual(["ada", "once", true]);
    expect(countEcho(fixture)).toBe(1);
  });

  it("waits for one sign-in after the other", async () => {
    const other = await startFixture("signed-in");
    const url = (port: number | string) => ({ url: `http://127.0.0.1:${port}/mcp` });
    const fixture = await openFixture(
      { linear: url(running.port), notes: url(other.port) },
      { vault: "file" },
    );
    opened = { ...fixture, close: async () => void (await Promise.all([fixture.close(), other.stop()])) };
    const { coordinator, run } = fixture;
    const { runId } = await run(
      `await echo.echo({ text: "once" }); return await Promise.all([linear.whoami({}), notes.whoami({})])`,
    );
    const asked = async () => (await coordinator.readQuestion({ runId }))?.question.server;
    const first = (await asked()) ?? "";
    const second = first === "linear" ? "notes" : "linear";
    for (const server of [first, second]) {
      await expect.poll(asked, { timeout: 60_000 }).toBe(server);
      await coordinator.login({
        server,
        onAddress: async (address) => void (await openBrowser().open(address)),
      });
    }
    expect(await untilCompleted(fixture, runId)).toEqual(["ada", "ada"]);
    expect(countEcho(fixture)).toBe(1);
  });

  it("pauses when a sign-in that cannot be renewed has expired", async () => {
    const short = await startFixture("signed-in", ["--no-refresh", "--lifetime", "1"]);
    const fixture = await openFixture(
      { linear: { url: `http://127.0.0.1:${short.port}/mcp` } },
      { vault: "file" },
    );
    opened = { ...fixture, close: async () => void (await Promise.all([fixture.close(), short.stop()])) };
    await login(fixture);
    const { accounts } = await fixture.coordinator.listAccounts();
    const endsAt = Date.parse(accounts[0]?.expiresAt ?? "");
    await expect.poll(() => Date.now(), { timeout: 60_000 }).toBeGreaterThan(endsAt);
    expect(await fixture.run(`return await linear.whoami({})`)).toMatchObject(waiting);
  });

  it("gets the error if the person declines, and can handle it", async () => {
    const fixture = await openSignedOut();
    const paused = await fixture.run(
      `try { return await linear.whoami({}) } catch (error) { return error.message }`,
    );
    expect(paused).toMatchObject(waiting);
    const { runId } = paused;
    expect(await fixture.coordinator.resumeRun({ runId, isDeclined: true })).toMatchObject({
      status: "completed",
      value: expect.stringMatching(/requires a sign-in/),
    });
  });

  it("cannot be continued by an agent, and waits again if nobody has signed in", async () => {
    const { coordinator, run } = await openSignedOut();
    const { runId } = await run(`return await linear.whoami({})`);
    for (const answer of [true, false, "token"])
      await expect(coordinator.resumeRun({ runId, answer, answeredBy: "agent" })).rejects.toMatchObject({
        code: "ANSWER_INVALID",
        message: expect.stringContaining("only people can sign in"),
      });
    expect(await coordinator.resumeRun({ runId, answer: true })).toMatchObject(waiting);
    expect(await coordinator.resumeRun({ runId })).toMatchObject(waiting);
  });

  it("fails where it cannot wait", async () => {
    const { run } = await openSignedOut({ journal: "off" });
    expect(await run(`return await linear.whoami({})`)).toMatchObject({
      status: "failed",
      error: { code: "SIGN_IN_NEEDED" },
    });
  });

  it("asks the caller of a tool without a program", async () => {
    const fixture = await openSignedOut();
    const { coordinator } = fixture;
    const call = { server: "linear", tool: "whoami", arguments: {} };
    await expect(coordinator.callTool(call)).rejects.toMatchObject({ code: "SIGN_IN_NEEDED" });
    const asked: unknown[] = [];
    const answer = await coordinator.callTool({
      ...call,
      onQuestion: async (question) => {
        asked.push(question);
        await login(fixture);
        return { answer: true };
      },
    });
    expect(answer).toBe("ada");
    expect(asked).toMatchObject([{ kind: "sign-in", server: "linear" }]);
  });

  it("keeps every token out of its question and its journal", async () => {
    const fixture = await open();
    await login(fixture);
    const tokens = (await control("tokens")).split(" ");
    await control("expire");
    await control("forget-clients");
    const { runId, ...paused } = await fixture.run(`return await linear.whoami({})`);
    expect(paused).toMatchObject(waiting);
    const stored = JSON.stringify([paused, await fixture.coordinator.showRun({ runId })]);
    for (const token of tokens) expect(stored).not.toContain(token);
    expect(await fixture.coordinator.exportRun({ runId })).not.toContain(tokens[0]);
  });
});
