// Durable runs for an agent, through the official client, over stdio and over HTTP.
import { afterEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { transports } from "../../support/transports.js";
import { idOf, type OpenAgent, openAgent } from "./open-agent.js";
import { readSeen, releaseWaiting } from "./open-ledger.js";

let open: OpenAgent | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

describe.each(transports)("run_code over %s", (transport) => {
  const connect = async (folder: string, settings: object = {}): Promise<OpenAgent> => {
    open = await openAgent(transport, folder, { settings });
    return open;
  };

  it("says how to resume a failed run, and resumes it without repeating its calls", async () => {
    const folder = await temporaryFolder();
    const agent = await connect(folder);
    const failed = await agent.run({ code: 'await ledger.write({ value: 1 }); throw new Error("oh")' });
    expect(failed.isError).toBe(true);
    expect(failed.text).toContain("the calls it made are answered from the journal, not repeated");
    const resume = idOf(failed.text);

    const other = await agent.run({ code: "await ledger.write({ value: 2 })", resume });
    expect(other.text).toMatch(/RUN_DIVERGED: .* \(then \{"value":1\}, now \{"value":2\}\)/);
    expect(other.text).toContain('choose: "fork"');
    expect(readSeen(folder)).toEqual(["write 1"]);

    const code = "await ledger.write({ value: 1 }); return (await ledger.write({ value: 3 })).id";
    expect(await agent.run({ code, resume })).toEqual({ text: "entry-3" });
    expect(readSeen(folder)).toEqual(["write 1", "write 3"]);

    expect(
      (await agent.run({ code: "return (await ledger.write({ value: 4 })).id", resume, choose: "fork" }))
        .text,
    ).toBe("entry-4");
  });

  it("answers with a run's id when it takes longer than the client waits, and with its result later", async () => {
    const folder = await temporaryFolder();
    const agent = await connect(folder, { answerWithinMs: 300 });
    const code = 'console.log("begun"); await ledger.wait({ value: "release" }); return "rested"';
    const first = await agent.run({ code });
    expect(first.text).toMatch(/^The run "[0-9a-f]{12}" is running, \d calls so far\./);
    const resume = idOf(first.text);
    releaseWaiting(folder);
    await expect.poll(async () => (await agent.run({ code: "", resume })).text).toContain("rested");
    // Completed: the answer is repeated, and nothing runs.
    expect((await agent.run({ code: "", resume })).text).toContain("rested");
    expect(readSeen(folder)).toEqual(['wait "release"']);
  });

  it("starts runs in the background and cancels them", async () => {
    const folder = await temporaryFolder();
    const agent = await connect(folder);
    const begun = await agent.run({
      code: "await ledger.write({ value: 1 }); await ledger.wait({ value: 20000 })",
      background: true,
    });
    const resume = idOf(begun.text);
    await expect.poll(() => readSeen(folder).length).toBe(2);
    const cancelled = await agent.run({ code: "", resume, choose: "cancel" });
    expect(cancelled.text).toContain("RUN_CANCELLED");
    // It resumes from there: the write is not repeated.
    expect(
      (await agent.run({ code: "await ledger.write({ value: 1 }); return 7", resume, choose: "fork" })).text,
    ).toBe("7");
    expect(readSeen(folder).filter((line) => line === "write 1")).toHaveLength(1);
  });

  it("sends printed lines as progress before the program ends", async () => {
    const folder = await temporaryFolder();
    const agent = await connect(folder);
    const lines: (string | undefined)[] = [];
    await agent.client.callTool(
      {
        name: "run_code",
        arguments: {
          code: 'console.log("one"); await ledger.wait({ value: "release" }); console.log("two");',
        },
      },
      {
        onprogress: ({ message }) => {
          lines.push(message);
          // The program ends only after its first line has arrived.
          releaseWaiting(folder);
        },
      },
    );
    expect(lines).toEqual(["one", "two"]);
  });
});
