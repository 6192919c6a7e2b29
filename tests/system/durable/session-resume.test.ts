// Runs of a session that pause or fail are resumed without repeating their effects.
import { describe, expect, it } from "vitest";
import { openLedger } from "./open-ledger.js";

const session = "notes";

const programs = [
  [
    "typescript",
    {
      first: "let n = 10; const seen = [];",
      counting:
        'n += 1; seen.push(1); await ledger.write({ value: n }); const place = await ask("Where to?"); n += 1; return [n, seen, place];',
      failing: 'n += 1; seen.push(1); await ledger.write({ value: n }); throw new Error("mine")',
      mended: "n += 1; seen.push(1); await ledger.write({ value: n }); n += 1; return [n, seen];",
      other: "n = 100; return n",
      read: "return [n, seen]",
    },
  ],
  [
    "python",
    {
      first: "n = 10\nseen = []",
      counting:
        'n += 1\nseen.append(1)\nledger.write(value=n)\nplace = ask("Where to?")\nn += 1\nreturn [n, seen, place]',
      failing: 'n += 1\nseen.append(1)\nledger.write(value=n)\nraise ValueError("mine")',
      mended: "n += 1\nseen.append(1)\nledger.write(value=n)\nn += 1\nreturn [n, seen]",
      other: "n = 100\nreturn n",
      read: "return [n, seen]",
    },
  ],
] as const;

// Two guests are started one after the other, which takes a loaded machine a while.
const patience = { timeout: 120_000 };

describe.each(programs)("a run of a session in %s", patience, (language, code) => {
  it("that pauses and is answered changes the session's variables once", async () => {
    const { coordinator, seen } = await openLedger();
    await coordinator.runCode({ session, language, code: code.first });
    const paused = await coordinator.runCode({ session, language, code: code.counting });
    expect(paused.status).toBe("paused");
    const { value, error } = await coordinator.resumeRun({ runId: paused.runId, answer: "north" });
    expect(error).toBeUndefined();
    expect(value).toEqual([12, [1], "north"]);
    expect((await coordinator.runCode({ session, language, code: code.read })).value).toEqual([12, [1]]);
    expect(seen()).toEqual(["write 11"]);
  });

  it("whose caller answers at once changes the session's variables once", async () => {
    const { coordinator } = await openLedger();
    await coordinator.runCode({ session, language, code: code.first });
    const { value } = await coordinator.runCode({
      session,
      language,
      code: code.counting,
      onQuestion: async () => ({ answer: "south" }),
    });
    expect(value).toEqual([12, [1], "south"]);
  });

  it("that pauses can be answered in another process without its variables", async () => {
    const ledger = await openLedger();
    await ledger.coordinator.runCode({ session, language, code: code.first });
    const { runId } = await ledger.coordinator.runCode({ session, language, code: code.counting });
    await ledger.coordinator.close();
    const another = await ledger.openAnother();
    const { value, error } = await another.resumeRun({ runId, answer: "north" });
    expect(error).toBeUndefined();
    expect(value).toEqual([12, [1], "north"]);
    expect((await another.runCode({ session, language, code: code.read })).value).toEqual([12, [1]]);
    expect(ledger.seen()).toEqual(["write 11"]);
  });

  it("that failed is resumed, corrected, with the variables that it started with", async () => {
    const { coordinator, seen } = await openLedger();
    await coordinator.runCode({ session, language, code: code.first });
    const { runId, error } = await coordinator.runCode({ session, language, code: code.failing });
    expect(error?.message).toContain("mine");
    const resumed = await coordinator.resumeRun({ runId, code: code.mended });
    expect(resumed.value).toEqual([12, [1]]);
    expect(seen()).toEqual(["write 11"]);
  });

  it("that failed keeps its changes if its correction is refused by the check", async () => {
    const { coordinator } = await openLedger();
    await coordinator.runCode({ session, language, code: code.first });
    const { runId } = await coordinator.runCode({ session, language, code: code.failing });
    const refused = await coordinator.resumeRun({ runId, code: code.mended.replace(".write(", ".wriite(") });
    expect(refused.error?.code).toBe("PROGRAM_INVALID");
    expect((await coordinator.runCode({ session, language, code: code.read })).value).toEqual([11, [1]]);
  });

  it("that is answered after other programs keeps their changes and its own variables", async () => {
    const { coordinator, seen } = await openLedger();
    await coordinator.runCode({ session, language, code: code.first });
    const { runId } = await coordinator.runCode({ session, language, code: code.counting });
    await coordinator.runCode({ session, language, code: code.other });
    const { value } = await coordinator.resumeRun({ runId, answer: "north" });
    expect(value).toEqual([12, [1], "north"]);
    expect((await coordinator.runCode({ session, language, code: "return n" })).value).toBe(100);
    expect(seen()).toEqual(["write 11"]);
  });
});

it("a run whose session cannot be restored is refused with a code and a reason, and never with a ReferenceError", async () => {
  const ledger = await openLedger();
  const asks = 'await ledger.write({ value: 1 }); const first = await ask("One?"); return first;';
  await ledger.coordinator.runCode({ session, code: asks });
  const { runId } = await ledger.coordinator.runCode({
    session,
    code: 'await ledger.write({ value: 2 }); const second = await ask("Two?"); return second;',
  });
  await expect(ledger.coordinator.resumeRun({ runId, answer: "yes" })).rejects.toMatchObject({
    code: "SESSION_LOST",
    message: expect.stringContaining("is paused, and cannot be repeated"),
  });
});
