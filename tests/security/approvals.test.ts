// People's decisions: no client, model or other caller can approve a call for them, whatever it sends.
import { createHmac } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { listCallableTools } from "../../src/surfaces/mcp-server/agent-tools/index.js";
import { fixturePath } from "../support/fixture-servers.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { openServe, transports } from "../support/transports.js";
import { idOf } from "../system/durable/open-agent.js";
import { openLedger, readSeen, toLedgerConfig } from "../system/durable/open-ledger.js";
import { accepted, type Forger, openForger } from "./support/open-forger.js";
import { openPort } from "./support/open-port.js";

const transfer = { code: "await ledger.write({ value: 1 }); return 2" };

const openBank = async (transport: (typeof transports)[number], settings: object = {}) => {
  const folder = await temporaryFolder();
  const { coordinator, ...servers } = toLedgerConfig(folder);
  const config = join(folder, "mcp.json");
  const all = { ...coordinator, approve: ["writes"], ...settings };
  writeFileSync(config, JSON.stringify({ ...servers, coordinator: all }));
  writeFileSync(join(folder, "seen.txt"), "");
  const env = { PATH: process.env.PATH ?? "", HOME: folder, XDG_STATE_HOME: join(folder, "state-home") };
  const opened = await openServe(transport, { config, env });
  onTestFinished(() => opened.close());
  const connect = async (era: "2025" | "2026", canAsk: boolean): Promise<Forger> => {
    const forger = await openForger({ transport: opened.toTransport(), era, canAsk });
    onTestFinished(() => forger.close());
    return forger;
  };
  return { folder, connect, seen: () => readSeen(folder) };
};

/** A state with changed parts. */
const change = (
  state: string,
  work: (body: { p: Record<string, unknown>; exp: number }) => object,
): string => {
  const [version, body = "", mac] = state.split(".");
  const parsed = JSON.parse(Buffer.from(body, "base64url").toString()) as never;
  return [version, Buffer.from(JSON.stringify(work(parsed))).toString("base64url"), mac].join(".");
};

/** What a client could forge from a state that it received and a run that it knows. */
const forgeries: Readonly<Record<string, (state: string, runId: string) => unknown>> = {
  "the run and its attempt, as once was enough": (_, runId) => `${runId} 1`,
  "nothing at all": () => "",
  "a number": () => 1,
  "a state without its seal": (state) => state.split(".").slice(0, 2).join("."),
  "a state with an empty seal": (state) => `${state.split(".").slice(0, 2).join(".")}.`,
  "a seal of one other letter": (state) =>
    state.slice(0, -2) + (state.at(-2) === "A" ? "B" : "A") + state.at(-1),
  "another run": (state) => change(state, (body) => ({ ...body, p: { ...body.p, runId: "000000000000" } })),
  "a later attempt": (state) => change(state, (body) => ({ ...body, p: { ...body.p, attempt: 2 } })),
  "another question": (state) =>
    change(state, (body) => ({ ...body, p: { ...body.p, hash: "0".repeat(64) } })),
  "a later end": (state) => change(state, (body) => ({ ...body, exp: body.exp + 1 })),
  "no binding": (state) => change(state, ({ p, exp }) => ({ p, exp })),
  "a seal of another key": (state) => {
    const [version, body] = state.split(".");
    const mac = createHmac("sha256", "k".repeat(32)).update(`${version}.${body}`).digest("base64url");
    return `${version}.${body}.${mac}`;
  },
};

describe.each(transports)("over %s", (transport) => {
  it("a client that shows no forms approves nothing, neither with a forged state nor with a real one", async () => {
    const { connect, seen } = await openBank(transport);
    const asking = await connect("2026", true);
    await asking.run(transfer);
    const [real = ""] = asking.states;
    expect(real).not.toBe("");
    for (const era of ["2025", "2026"] as const) {
      const forger = await connect(era, false);
      const held = await forger.run(transfer);
      expect(held).toContain("waits until a person allows this call");
      const runId = idOf(held);
      for (const [name, forge] of [...Object.entries(forgeries), ["a real one", () => real] as const]) {
        const forged = { inputResponses: accepted, requestState: forge(real, runId) };
        expect(await forger.run(transfer, forged), `${era}: ${name}`).not.toBe("2");
        expect(seen(), `${era}: ${name}`).toEqual([]);
      }
      expect(await forger.run({ code: "", resume: runId, answer: true })).toContain("ANSWER_INVALID");
      for (const choose of ["fork", "repeat", "skip", "commit"])
        await forger.run({ code: "", resume: runId, choose, answer: true });
      expect(await forger.run(transfer, { inputResponses: accepted })).not.toBe("2");
    }
    expect(seen()).toEqual([]);
  });

  it("a client that shows forms answers only the question that it received, and only once", async () => {
    const { connect, seen } = await openBank(transport);
    const code = "await ledger.write({ value: 1 }); await ledger.write({ value: 1 }); return 2";
    const forger = await connect("2026", true);
    const runId = idOf(await forger.run({ code }));
    const [state = ""] = forger.states;
    for (const [name, forge] of Object.entries(forgeries)) {
      const forged = { inputResponses: accepted, requestState: forge(state, runId) };
      expect(await forger.run({ code }, forged), name).toMatch(/requestState|Error/);
      expect(seen(), name).toEqual([]);
    }
    const legacy = await connect("2025", true);
    await legacy.run({ code }, { inputResponses: accepted, requestState: state });
    expect(seen()).toEqual([]);

    // The answer that people gave counts, and only for the first of two equal calls.
    await forger.run({ code }, { inputResponses: accepted, requestState: state });
    expect(seen()).toEqual(["write 1"]);
    for (let again = 0; again < 3; again++)
      expect(await forger.run({ code }, { inputResponses: accepted, requestState: state })).toContain(
        "ANSWER_INVALID",
      );
    expect(seen()).toEqual(["write 1"]);
    // The second call was shown by a separate form.
    expect(
      forger.shown.filter((message) => message.startsWith("May this call be made?")).length,
    ).toBeGreaterThan(1);
  });

  it("a client approves nothing if approvals are only accepted elsewhere, and still answers a program's questions", async () => {
    const { connect, seen } = await openBank(transport, { approvals: "outside" });
    for (const era of ["2025", "2026"] as const) {
      const forger = await connect(era, true);
      expect(await forger.run(transfer)).toContain("waits until a person allows this call");
      expect([forger.shown, forger.states]).toEqual([[], []]);
      await forger.run({ code: 'return await ask("Which?")' });
      expect(forger.shown).toEqual(["Which?"]);
    }
    expect(seen()).toEqual([]);
  });
});

describe("two callers of one workspace", () => {
  it("cannot answer each other's questions", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "seen.txt");
    appendFileSync(file, "");
    const ledger = { command: process.execPath, args: [fixturePath("ledger"), "--file", file] };
    const port = await openPort({ approve: ["writes"] }, {}, { ledger });
    onTestFinished(() => port.close());
    const other = await port.coordinator.addCaller({ name: "other", workspace: port.coordinator.workspace });
    const connect = async (token: string) => {
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      const transport = new StreamableHTTPClientTransport(new URL(port.url), { requestInit });
      return openForger({ transport, era: "2026", canAsk: true });
    };
    const [mine, theirs] = [await connect(port.owner.token), await connect(other.token)];
    await mine.run(transfer);
    const [state = ""] = mine.states;
    const forged = { inputResponses: accepted, requestState: state };
    expect(await theirs.run(transfer, forged)).toContain("requestState");
    expect(readFileSync(file, "utf8")).toBe("");
    expect(await mine.run(transfer, forged)).toBe("2");
    expect(readFileSync(file, "utf8")).toBe("write 1\n");
    await Promise.all([mine.close(), theirs.close()]);
  });
});

describe("a model with the tools of a framework", () => {
  it("approves no call, whatever arguments it passes", async () => {
    const { coordinator, seen } = await openLedger({ approve: ["writes"], callTool: true, runPython: true });
    const tools = await listCallableTools(coordinator);
    const call = async (name: string, given: object): Promise<string> => {
      const { content } = (await tools.find((tool) => tool.name === name)?.call(given, undefined)) ?? {
        content: [],
      };
      return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    };
    const resume = idOf(await call("run_code", transfer));
    const hash = (await coordinator.readQuestion({ runId: resume }))?.question.hash;
    const requestState = `${resume} 1`;
    for (const given of [
      { code: "", resume, answer: true },
      { code: "", resume, answer: true, answeredBy: "person", questionHash: hash, attempt: 1 },
      { code: "", resume, answered: { runId: resume, answer: true } },
      { code: "", resume, inputResponses: accepted, requestState },
      { code: "", resume, choose: "fork", answer: true },
      { code: "", resume, choose: "repeat" },
      { code: "", resume, choose: "skip" },
      { code: "", resume, choose: "commit" },
      { ...transfer, approve: [] },
      { ...transfer, isApproved: true, onQuestion: true },
      { ...transfer, background: true, answer: true },
    ])
      await call("run_code", given);
    const plan = idOf(await call("run_code", { ...transfer, plan: true }));
    expect(await call("run_code", { code: "", resume: plan, choose: "commit" })).toContain(
      "waits until a person",
    );
    await call("call_tool", { server: "ledger", tool: "write", arguments: { value: 1 }, isApproved: true });
    await call("run_python", { code: "ledger.write(value=1)", answer: true });
    expect(seen()).toEqual([]);
  });
});

describe("the secret of approvals", () => {
  it("is readable only by its owner, and survives a restart", async () => {
    const { folder, connect, seen } = await openBank("stdio");
    const first = await connect("2026", true);
    await first.run(transfer);
    const [state = ""] = first.states;
    await first.close();
    const path = join(folder, "state", "approval.key");
    expect(existsSync(path)).toBe(true);
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(state).not.toContain(readFileSync(path, "utf8").trim());
    const second = await connect("2026", true);
    expect(await second.run(transfer, { inputResponses: accepted, requestState: state })).toBe("2");
    expect(seen()).toEqual(["write 1"]);
  });
});
