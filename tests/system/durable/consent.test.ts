// One approval allows one call: whatever happens to the run, the server never gets two writes for one approval.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCoordinator } from "../../../src/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { openLedger, readSeen, toLedgerConfig } from "./open-ledger.js";

const transfer = "await ledger.read({ value: 0 }); await ledger.write({ value: 1 }); return 2";
const approving = { approve: ["ledger.write", "ledger.put", "ledger.break"] };

/** A run that was allowed once, and what the server has seen of it. */
const approveOnce = async (code: string) => {
  const ledger = await openLedger(approving);
  const { runId, status } = await ledger.coordinator.runCode({ code });
  expect(status).toBe("paused");
  const result = await ledger.coordinator.resumeRun({ runId, answer: true });
  return { ...ledger, runId, result, writes: () => ledger.seen().filter((line) => !line.startsWith("read")) };
};

describe("an approval", () => {
  it("is used up by its call: forked programs ask again, however often", async () => {
    const { coordinator, runId, result, writes } = await approveOnce(transfer);
    expect(result).toMatchObject({ status: "completed", value: 2 });
    for (let fork = 1; fork <= 5; fork++) {
      const code = `await ledger.read({ value: ${fork} }); await ledger.write({ value: 1 }); return 3`;
      const forked = await coordinator.resumeRun({ runId, code, onDivergence: "fork" });
      expect(forked).toMatchObject({ status: "paused", question: { kind: "approval" } });
    }
    expect(writes()).toEqual(["write 1"]);
  });

  it("is used up by its call: the same call later in the program asks again", async () => {
    const twice = "await ledger.write({ value: 1 }); await ledger.write({ value: 1 }); return 2";
    const { coordinator, runId, result, writes } = await approveOnce(twice);
    expect(result).toMatchObject({ status: "paused", question: { attempt: 2 } });
    for (const uncertain of ["stop", "repeat", "skip"] as const)
      expect(await coordinator.resumeRun({ runId, uncertain })).toMatchObject({ status: "paused" });
    expect(writes()).toEqual(["write 1"]);
  });

  it("is used up by a call that failed, and by an idempotent one", async () => {
    const failed = await approveOnce("await ledger.break({ value: 1 }); return 2");
    expect(failed.result).toMatchObject({ status: "failed" });
    expect(await failed.coordinator.resumeRun({ runId: failed.runId })).toMatchObject({ status: "paused" });
    expect(failed.writes()).toEqual(["break 1"]);
    const put = await approveOnce('await ledger.put({ value: 1 }); throw new Error("later")');
    expect(await put.coordinator.resumeRun({ runId: put.runId })).toMatchObject({ status: "failed" });
    const code = "await ledger.read({ value: 1 }); await ledger.put({ value: 1 });";
    expect(await put.coordinator.resumeRun({ runId: put.runId, code, onDivergence: "fork" })).toMatchObject({
      status: "paused",
    });
    expect(put.writes()).toEqual(["put 1"]);
  });

  it("allows as many equal calls as it showed, even if the program now makes more", async () => {
    const both = await openLedger(approving);
    let result = await both.coordinator.runCode({
      code: "await Promise.all([ledger.write({ value: 1 }), ledger.write({ value: 1 })]); return 2",
    });
    let shown = 0;
    while (result.status === "paused") {
      shown += result.question?.calls?.length ?? 0;
      result = await both.coordinator.resumeRun({ runId: result.runId, answer: true });
    }
    expect([shown, both.seen()]).toEqual([2, ["write 1", "write 1"]]);

    const ledger = await openLedger(approving);
    const { runId } = await ledger.coordinator.runCode({ code: transfer });
    const code =
      "await ledger.read({ value: 0 }); await Promise.all([1, 1, 1].map((value) => ledger.write({ value })));";
    const greedy = await ledger.coordinator.resumeRun({ runId, code, answer: true });
    expect(greedy).toMatchObject({ status: "paused" });
    expect(ledger.seen()).toEqual(["read 0", "write 1"]);
  });

  it("given twice concurrently counts once", async () => {
    const { coordinator, seen, openAnother } = await openLedger(approving);
    const code = "for (let i = 0; i < 4; i++) await ledger.write({ value: 1 });";
    const { runId, question } = await coordinator.runCode({ code });
    const given = { runId, answer: true, questionHash: question?.hash };
    const others = [coordinator, await openAnother(), await openAnother()];
    const ended = await Promise.allSettled(others.map((one) => one.resumeRun(given)));
    expect(seen()).toEqual(["write 1"]);
    const paused = ended.filter((one) => one.status === "fulfilled" && one.value.status === "paused");
    expect(paused).toHaveLength(1);
  });

  it("is valid for the question that was shown: a changed one is refused", async () => {
    const { coordinator, seen } = await openLedger(approving);
    const first = await coordinator.runCode({ code: transfer });
    const { runId } = first;
    const code = "await ledger.read({ value: 0 }); await ledger.write({ value: 1000000 });";
    const swapped = await coordinator.resumeRun({ runId, code });
    expect(swapped).toMatchObject({ status: "paused" });
    expect(swapped.question?.hash).not.toBe(first.question?.hash);
    await expect(
      coordinator.resumeRun({ runId, answer: true, questionHash: first.question?.hash }),
    ).rejects.toMatchObject({ code: "ANSWER_INVALID" });
    await expect(coordinator.resumeRun({ runId, answer: true, attempt: 1 })).rejects.toThrow(
      "it asks something else by now",
    );
    expect(seen()).toEqual(["read 0"]);
  });

  it("is remembered as denied for a program that continued without the call", async () => {
    const { coordinator, seen } = await openLedger(approving);
    const code = `
let said = "yes";
await ledger.write({ value: 1 }).catch(() => { said = "no"; });
await ledger.write({ value: 2 });
return said;`;
    const { runId } = await coordinator.runCode({ code });
    const next = await coordinator.resumeRun({ runId, answer: false });
    expect(next.question?.calls).toEqual([{ server: "ledger", tool: "write", arguments: { value: 2 } }]);
    expect(await coordinator.resumeRun({ runId, answer: true })).toMatchObject({ value: "no" });
    expect(seen()).toEqual(["write 2"]);
  });
});

describe("a host that is killed after an approval", () => {
  const hostFile = fileURLToPath(new URL("../../fixtures/hosts/answers-until-killed.mjs", import.meta.url));
  const moments = {
    "when the run is resumed": ({ journal }) => journal().includes('"type":"resumed"'),
    "when the call is released": ({ journal }) => journal().includes('"type":"released"'),
    "when the server has seen it": ({ seen }) => seen().length > 0,
    "when it is answered": ({ journal }) => journal().includes('"decision":"approved"'),
  } satisfies Record<string, (facts: { journal: () => string; seen: () => readonly string[] }) => boolean>;

  it.each(Object.keys(moments) as (keyof typeof moments)[])(
    "%s sends the server at most one write, however the run is resumed",
    async (moment) => {
      for (const uncertain of ["stop", "repeat", "skip", "fork"] as const) {
        const folder = await temporaryFolder();
        const config = toLedgerConfig(folder, ["--delay", "200"]);
        const settings = { ...config.coordinator, approve: ["ledger.write"] };
        writeFileSync(join(folder, "mcp.json"), JSON.stringify({ ...config, coordinator: settings }));
        appendFileSync(join(folder, "seen.txt"), "");
        const open = async () => {
          const coordinator = await openCoordinator({ config: join(folder, "mcp.json") });
          onTestFinished(() => coordinator.close());
          return coordinator;
        };
        const coordinator = await open();
        const { runId } = await coordinator.runCode({ code: "await ledger.write({ value: 1 }); return 2" });
        const path = join(folder, "state", "workspaces", "default", "runs", `${runId}.jsonl`);
        const facts = { journal: () => readFileSync(path, "utf8"), seen: () => readSeen(folder) };

        const child = spawn(process.execPath, [hostFile, join(folder, "mcp.json"), runId], {
          stdio: ["ignore", "ignore", "inherit"],
        });
        const exited = once(child, "exit");
        while (!moments[moment](facts) && child.exitCode === null) await delay(1);
        child.kill("SIGKILL");
        await exited;

        const changed = "await ledger.read({ value: 5 }); await ledger.write({ value: 1 }); return 3";
        for (let again = 0; again < 3; again++) {
          const choices =
            uncertain === "fork" ? ({ code: changed, onDivergence: "fork" } as const) : { uncertain };
          await coordinator.resumeRun({ runId, ...choices }).catch(() => undefined);
        }
        expect(readSeen(folder).filter((line) => line === "write 1").length).toBeLessThanOrEqual(1);
      }
    },
    120_000,
  );
});

describe("committing a plan", () => {
  it("asks for the approvals that the plan's request required", async () => {
    const { coordinator, seen } = await openLedger();
    const code = "await ledger.write({ value: 1 })";
    const { runId } = await coordinator.runCode({ code, mode: "plan", approve: ["writes"] });
    const paused = await coordinator.commitPlan({ planId: runId });
    expect(paused).toMatchObject({ status: "paused", question: { kind: "approval" } });
    expect(seen()).toEqual([]);
    expect(await coordinator.commitPlan({ planId: runId })).toMatchObject({ status: "paused" });
    expect(seen()).toEqual([]);
    expect(await coordinator.resumeRun({ runId: paused.runId, answer: true })).toMatchObject({
      status: "completed",
    });
    expect(seen()).toEqual(["write 1"]);
  });

  it("keeps the plan's servers and limits, and refuses a plan that was made under simulate", async () => {
    const { coordinator, seen } = await openLedger();
    const code = "await ledger.write({ value: 1 }); await ledger.write({ value: 2 });";
    const planned = await coordinator.runCode({ code, mode: "plan", limits: { timeoutMs: 4321 } });
    await coordinator.commitPlan({ planId: planned.runId, onCall: () => {} });
    expect(seen()).toEqual(["write 1", "write 2"]);
    const simulated = await coordinator.runCode({ code, mode: "plan", simulate: true });
    await expect(coordinator.commitPlan({ planId: simulated.runId })).rejects.toMatchObject({
      code: "PLAN_INCOMPLETE",
    });
    expect(seen()).toHaveLength(2);
  });

  it("keeps the approval rules of its request when resumed or started in the background", async () => {
    const { coordinator, seen } = await openLedger();
    const code = 'await ledger.read({ value: 0 }); throw new Error("later")';
    const { runId } = await coordinator.runCode({ code, approve: ["ledger.write"] });
    const fixed = "await ledger.read({ value: 0 }); await ledger.write({ value: 1 });";
    await coordinator.startRun({ runId, code: fixed });
    expect(await coordinator.waitForRun({ runId })).toMatchObject({ status: "paused" });
    const other = await coordinator.startRun({ code: fixed, approve: ["ledger.write"] });
    expect(await coordinator.waitForRun(other)).toMatchObject({ status: "paused" });
    expect(seen()).toEqual(["read 0", "read 0"]);
  });
});

describe("fetch", () => {
  it("that a person approved is not redirected to another origin", async () => {
    const asked: string[] = [];
    const open = async (name: string, location?: string): Promise<string> => {
      const web = createServer((request, response) => {
        asked.push(`${request.method} ${name}`);
        response
          .writeHead(location === undefined ? 200 : 307, location === undefined ? {} : { location })
          .end();
      }).listen(0, "127.0.0.1");
      await once(web, "listening");
      onTestFinished(() => void web.close());
      return `127.0.0.1:${(web.address() as AddressInfo).port}`;
    };
    const unseen = await open("unseen");
    const allowed = await open("allowed", `http://${unseen}/transfer`);
    const { coordinator } = await openLedger({
      approve: ["writes"],
      network: { allow: [allowed, unseen] },
    });
    const code = `await fetch("http://${allowed}/", { method: "POST", body: "1" })`;
    const { runId } = await coordinator.runCode({ code });
    const { error } = await coordinator.resumeRun({ runId, answer: true });
    expect(error?.message).toContain(`it redirects to "http://${unseen}"`);
    expect(asked).toEqual(["POST allowed"]);
    expect((await coordinator.runCode({ code: `await fetch("http://${allowed}/")` })).status).toBe(
      "completed",
    );
    expect(asked).toEqual(["POST allowed", "GET allowed", "GET unseen"]);
  });

  it.each(["writes", "destructive", "(network).*"])(
    "waits for a person under %s if it may change something, and shows what it sends",
    async (rule) => {
      const asked: string[] = [];
      const web = createServer((request, response) => {
        asked.push(`${request.method} ${request.url}`);
        response.end("ok");
      }).listen(0, "127.0.0.1");
      await once(web, "listening");
      onTestFinished(() => void web.close());
      const host = `127.0.0.1:${(web.address() as AddressInfo).port}`;
      const { coordinator } = await openLedger({ approve: [rule], network: { allow: [host] } });
      const send = `await fetch("http://${host}/pay", { method: "POST", body: "100", url: "http://harmless" } as object)`;
      const paused = await coordinator.runCode({ code: `${send}; ${send}; return 1`, isChecked: false });
      expect(paused).toMatchObject({
        status: "paused",
        question: {
          kind: "approval",
          calls: [
            {
              server: "(network)",
              tool: "fetch",
              arguments: { method: "POST", url: `http://${host}/pay`, body: "100" },
            },
          ],
        },
      });
      expect(asked).toEqual([]);
      const { runId } = paused;
      expect(await coordinator.resumeRun({ runId, answer: true })).toMatchObject({ status: "paused" });
      expect(asked).toEqual(["POST /pay"]);
      if (rule === "(network).*") return;
      const read = `return (await fetch("http://${host}/read")).status`;
      expect(await coordinator.runCode({ code: read })).toMatchObject({ value: 200 });
    },
  );
});

it("a call of a tool that declares nothing counts as a write and as destructive", async () => {
  for (const rule of ["writes", "destructive"]) {
    const { coordinator, seen } = await openLedger({ approve: [rule] });
    expect(await coordinator.runCode({ code: "await ledger.write({ value: 1 })" })).toMatchObject({
      status: "paused",
    });
    expect(seen()).toEqual([]);
  }
});
