// Servers that ask people during a call, in both protocols.
import { describe, expect, it } from "vitest";
import type { PeopleAnswer, RunQuestion } from "../../../src/contracts/index.js";
import { askers, openAsker } from "./open-asker.js";

const names = Object.keys(askers) as (keyof typeof askers)[];

/** Answers each question with the next of these, and records the questions. */
const answerWith = (...answers: readonly (PeopleAnswer | undefined)[]) => {
  const questions: RunQuestion[] = [];
  return {
    questions,
    onQuestion: async (question: RunQuestion) => {
      questions.push(question);
      return answers[questions.length - 1];
    },
  };
};

describe.each(names)("a form of the %s server", (server) => {
  it("is the run's question, under the server's name and with its schema", async () => {
    const { coordinator, done } = await openAsker();
    const people = answerWith({ answer: { name: "Ada", seat: "window", bags: 2 } });
    const code = `return await ${server}.book({})`;
    const run = await coordinator.runCode({ code, onQuestion: people.onQuestion });
    expect(run).toMatchObject({
      status: "completed",
      value: { action: "accept", content: { name: "Ada", seat: "window", bags: 2 } },
    });
    expect(people.questions).toMatchObject([
      {
        kind: "elicitation",
        server,
        tool: "book",
        text: "Which seat do you want?",
        schema: { type: "object", required: ["name"] },
      },
    ]);
    expect(done()).toEqual(["booked window for Ada"]);
  });

  it("fills in the defaults of fields that were left out", async () => {
    const { coordinator } = await openAsker();
    const { onQuestion } = answerWith({ answer: { name: "Ada" } });
    const { value } = await coordinator.runCode({ code: `return await ${server}.book({})`, onQuestion });
    expect(value).toMatchObject({ content: { name: "Ada", seat: "aisle", bags: 1 } });
  });

  it("can be declined", async () => {
    const { coordinator, done } = await openAsker();
    const { onQuestion } = answerWith({ isDeclined: true });
    const { value } = await coordinator.runCode({ code: `return await ${server}.book({})`, onQuestion });
    expect(value).toMatchObject({ action: "decline" });
    expect(done()).toEqual([]);
  });

  it("is asked once per question, even when a server asks twice in one call", async () => {
    const { coordinator } = await openAsker();
    const { onQuestion, questions } = answerWith({ answer: { name: "Ada" } }, { answer: { meal: true } });
    const run = await coordinator.runCode({ code: `return await ${server}.dine({})`, onQuestion });
    expect(run.status).toBe("completed");
    expect(questions.map(({ text }) => text)).toEqual(["Which seat do you want?", "Do you want a meal?"]);
  });

  it("is shown for a URL with its host, and nobody opens the URL", async () => {
    const { coordinator } = await openAsker();
    const { onQuestion, questions } = answerWith({ answer: true });
    const { value } = await coordinator.runCode({ code: `return await ${server}.visit({})`, onQuestion });
    expect(questions).toMatchObject([
      { url: "https://pay.example.com/checkout?id=7", schema: { type: "boolean" } },
    ]);
    expect(value).toMatchObject({ action: "accept" });
  });

  it("works in Python", async () => {
    const { coordinator } = await openAsker();
    const { onQuestion } = answerWith({ answer: { name: "Ada" } });
    const code = `return ${server}.book()["content"]["seat"]`;
    const run = await coordinator.runCode({ code, language: "python", onQuestion });
    expect(run).toMatchObject({ status: "completed", value: "aisle" });
  });

  it("is answered by the caller if the call comes without a program", async () => {
    const { coordinator } = await openAsker();
    const { onQuestion } = answerWith({ answer: { name: "Ada" } });
    expect(await coordinator.callTool({ server, tool: "book", onQuestion })).toMatchObject({
      action: "accept",
    });
  });

  it("is not declared with the setting refuse", async () => {
    const { coordinator } = await openAsker({ answers: { elicitation: "refuse" } });
    const { onQuestion, questions } = answerWith();
    const run = await coordinator.runCode({ code: `return await ${server}.book({})`, onQuestion });
    expect(questions).toEqual([]);
    expect(run.value ?? run.error?.message).toSatisfy((said) => !JSON.stringify(said).includes("accept"));
  });

  it.each(["script", "password", "plain", "nested", "many", "hidden"])(
    "is refused if it cannot be shown: %s",
    async (kind) => {
      const { coordinator } = await openAsker();
      const { onQuestion, questions } = answerWith({ answer: true });
      const code = `return await ${server}.hostile({ kind: "${kind}" })`;
      const { value, error } = await coordinator.runCode({ code, onQuestion });
      expect(questions).toEqual([]);
      expect(JSON.stringify(value ?? error?.message)).toMatch(
        /Cannot ask for|asks for input, but|Invalid elicitation request/,
      );
    },
  );

  it("is quoted and made visible, so that it cannot pass for our words", async () => {
    const { coordinator } = await openAsker();
    const { onQuestion, questions } = answerWith({ isDeclined: true });
    await coordinator.runCode({ code: `return await ${server}.hostile({ kind: "spoof" })`, onQuestion });
    expect(questions[0]?.kind).toBe("elicitation");
    expect(questions[0]?.text).toContain("\\u202eType 7f3a9c21 to allow\\u001b[2J\\u0007");
  });

  it("is cut if it is too long", async () => {
    const { coordinator } = await openAsker();
    const { onQuestion, questions } = answerWith({ isDeclined: true });
    await coordinator.runCode({ code: `return await ${server}.hostile({ kind: "long" })`, onQuestion });
    expect(questions[0]?.text.length).toBeLessThan(5000);
  });
});

describe("a form of a 2026 server", () => {
  it("pauses the run, which survives its host and asks nobody twice", async () => {
    const asker = await openAsker();
    const code = "const one = await modern.book({}); const two = await modern.dine({}); return [one, two]";
    const paused = await asker.coordinator.runCode({ code });
    expect(paused).toMatchObject({ status: "paused", isResumable: true, question: { kind: "elicitation" } });
    const { runId } = paused;
    await asker.coordinator.close();

    const second = await asker.openAnother();
    expect((await second.showRun({ runId })).made).toMatchObject([{ tool: "book", status: "held" }]);
    const seated = await second.resumeRun({ runId, answer: { name: "Ada" } });
    expect(seated).toMatchObject({ status: "paused", question: { tool: "dine" } });
    expect(asker.done()).toEqual(["booked aisle for Ada"]);
    const fed = await second.resumeRun({ runId, answer: { name: "Bob", seat: "window" } });
    expect(fed).toMatchObject({ status: "paused", question: { text: "Do you want a meal?" } });
    await second.close();

    const third = await asker.openAnother();
    const ended = await third.resumeRun({ runId, answer: { meal: false } });
    expect(ended).toMatchObject({
      status: "completed",
      value: [
        { state: "booking 1", content: { name: "Ada" } },
        [{ name: "Bob", seat: "window", bags: 1 }, { meal: false }],
      ],
    });
    expect(asker.done()).toEqual(["booked aisle for Ada", "dined"]);
    expect(await third.showRun({ runId })).toMatchObject({ status: "completed", calls: 2, uncertain: 0 });
    const recording = await third.exportRun({ runId });
    expect(recording).not.toContain('booking 1","responses');
    expect(await third.replayRun({ cassette: recording })).toMatchObject({ isSame: true });
  });

  it("collects the answers to several forms of one call", async () => {
    const asker = await openAsker();
    const { runId } = await asker.coordinator.runCode({ code: "return await modern.mixed({})" });
    await asker.coordinator.resumeRun({ runId, answer: { name: "Ada" } });
    const other = await asker.openAnother();
    const ended = await other.resumeRun({ runId, answer: { meal: true } });
    expect(ended.value).toEqual([{ name: "Ada", seat: "aisle", bags: 1 }, { meal: true }]);
    expect(asker.done()).toEqual(["mixed"]);
  });

  it("needs its approval only once, when it also asks", async () => {
    const { coordinator, done } = await openAsker({ approve: ["modern.book"] });
    const { runId, question } = await coordinator.runCode({ code: "return (await modern.book({})).action" });
    expect(question?.kind).toBe("approval");
    const asked = await coordinator.resumeRun({ runId, answer: true });
    expect(asked.question?.kind).toBe("elicitation");
    expect(await coordinator.resumeRun({ runId, answer: { name: "Ada" } })).toMatchObject({
      value: "accept",
    });
    expect(done()).toEqual(["booked aisle for Ada"]);
  });

  it("asks again if a run is resumed without an answer, and refuses one that does not fit", async () => {
    const { coordinator } = await openAsker();
    const { runId } = await coordinator.runCode({ code: "return await modern.book({})" });
    expect(await coordinator.resumeRun({ runId })).toMatchObject({
      status: "paused",
      question: { attempt: 2 },
    });
    await expect(coordinator.resumeRun({ runId, answer: { name: "Ada", bags: 9 } })).rejects.toMatchObject({
      code: "ANSWER_INVALID",
    });
    await expect(coordinator.resumeRun({ runId, answer: {} })).rejects.toMatchObject({
      code: "ANSWER_INVALID",
    });
  });

  it.each([
    ["people", false],
    ["agent", true],
  ] as const)("with the setting %s lets an agent answer: %s", async (elicitation, isAllowed) => {
    const { coordinator } = await openAsker({ answers: { elicitation } });
    const { runId } = await coordinator.runCode({ code: "return (await modern.book({})).action" });
    const answering = coordinator.resumeRun({ runId, answer: { name: "Ada" }, answeredBy: "agent" });
    if (isAllowed) expect(await answering).toMatchObject({ value: "accept" });
    else await expect(answering).rejects.toThrow('only people can answer the server "modern"');
  });

  it("waits for a server that only wants the call again, and gives up if that never ends", async () => {
    const { coordinator } = await openAsker();
    expect(await coordinator.runCode({ code: "return await modern.wait({})" })).toMatchObject({
      value: { rounds: "2" },
    });
    expect(await coordinator.runCode({ code: "return await modern.endless({})" })).toMatchObject({
      error: { code: "UPSTREAM_FAILED" },
    });
  });

  it("cannot wait in a run that is not stored", async () => {
    const { coordinator } = await openAsker({ journal: "off" });
    expect(await coordinator.runCode({ code: "return await modern.book({})" })).toMatchObject({
      status: "failed",
      error: { code: "NOBODY_TO_ASK" },
    });
  });
});

describe("a form of a 2025 server", () => {
  it("is cancelled if nobody can be asked", async () => {
    const { coordinator } = await openAsker();
    expect(await coordinator.runCode({ code: "return await old.book({})" })).toMatchObject({
      status: "completed",
      value: { action: "cancel" },
    });
  });

  it("is answered while its run is in progress, whose clock stops meanwhile", async () => {
    const { coordinator, done } = await openAsker();
    const limits = { timeoutMs: 2000 };
    const { runId } = await coordinator.startRun({ code: "return await old.book({})", limits });
    const asked = await coordinator.waitForRun({ runId, untilAsked: true });
    expect(asked).toMatchObject({ status: "running", question: { kind: "elicitation", isLive: true } });
    // A second run of the same length ends meanwhile by its own limit.
    const other = await coordinator.runCode({
      code: "await new Promise((r) => setTimeout(r, 60000))",
      limits,
    });
    expect(other.stopReason).toBe("timeout");
    const ended = await coordinator.resumeRun({ runId, answer: { name: "Ada" } });
    expect(ended).toMatchObject({ status: "completed", value: { action: "accept" } });
    expect(done()).toEqual(["booked aisle for Ada"]);
  });

  it("is not answered by an agent, nor by an answer to another question", async () => {
    const { coordinator } = await openAsker();
    const { runId } = await coordinator.startRun({ code: "return await old.book({})" });
    await coordinator.waitForRun({ runId, untilAsked: true });
    const answer = { name: "Ada" };
    await expect(coordinator.resumeRun({ runId, answer, answeredBy: "agent" })).rejects.toThrow(
      "only people",
    );
    await expect(coordinator.resumeRun({ runId, answer, questionHash: "x" })).rejects.toThrow(
      "something else",
    );
    expect(await coordinator.resumeRun({ runId, answer })).toMatchObject({ status: "completed" });
  });

  it("leaves an uncertain call if the host is lost", async () => {
    const asker = await openAsker();
    const { runId } = await asker.coordinator.startRun({ code: "return await old.book({})" });
    await asker.coordinator.waitForRun({ runId, untilAsked: true });
    await asker.coordinator.close();
    const other = await asker.openAnother();
    expect(await other.resumeRun({ runId })).toMatchObject({ error: { code: "RUN_UNCERTAIN" } });
  });

  it("ends without an answer after askTimeoutMs", async () => {
    const { coordinator } = await openAsker({ timeouts: { askTimeoutMs: 500 } });
    const { runId } = await coordinator.startRun({ code: "return await old.book({})" });
    expect(await coordinator.waitForRun({ runId })).toMatchObject({
      result: { value: { action: "cancel" } },
    });
  });

  it("is refused while several runs call the server, and if there are too many at once", async () => {
    const { coordinator } = await openAsker();
    const idle = coordinator.runCode({ code: "return await old.idle({})" });
    await expect.poll(() => coordinator.callTool({ server: "old", tool: "waiting" })).toBe("1");
    const { onQuestion, questions } = answerWith();
    const asked = await coordinator.runCode({ code: "return await old.book({})", onQuestion });
    expect(asked.value).toMatchObject({ error: expect.stringContaining("Several runs") });
    expect(questions).toEqual([]);
    await coordinator.callTool({ server: "old", tool: "release" });
    await idle;
    const flood = answerWith();
    const flooded = await coordinator.runCode({
      code: "return await old.flood({})",
      onQuestion: async (question) => {
        await flood.onQuestion(question);
        return { isDeclined: true };
      },
    });
    expect(flood.questions.length).toBeLessThan(101);
    expect((flooded.value as { refused: number }).refused).toBeGreaterThanOrEqual(900);
  });

  it("makes a call again after the person has visited the URL that it needs", async () => {
    const { coordinator } = await openAsker();
    const { runId, question } = await coordinator.runCode({ code: "return await old.pay({})" });
    expect(question).toMatchObject({ kind: "elicitation", url: "https://pay.example.com/checkout?id=7" });
    expect(await coordinator.resumeRun({ runId, answer: true })).toMatchObject({ value: { isPaid: true } });
  });
});

describe("a server that asks too much", () => {
  it("is refused after limits.questions, even if it asks ten thousand times", async () => {
    const { coordinator } = await openAsker();
    let count = 0;
    const run = await coordinator.runCode({
      code: "return await old.nag({})",
      limits: { timeoutMs: 120_000 },
      onQuestion: async () => {
        count++;
        return { isDeclined: true };
      },
    });
    expect(run.value).toEqual({ refused: 9900 });
    expect(count).toBe(100);
  });

  it.each(names)("does not get an answer tested with its own slow pattern (%s)", async (server) => {
    const { coordinator } = await openAsker();
    const { onQuestion, questions } = answerWith({ answer: { word: `${"a".repeat(5000)}!` } });
    const code = `return (await ${server}.hostile({ kind: "slowPattern" })).action`;
    await coordinator.runCode({ code, onQuestion });
    expect(JSON.stringify(questions[0]?.schema)).not.toContain("pattern");
  });

  it.each(names.flatMap((server) => ["manyChoices", "longMessage"].map((kind) => [server, kind] as const)))(
    "reaches nobody with a form that is too large (%s, %s)",
    async (server, kind) => {
      const { coordinator } = await openAsker();
      const { onQuestion, questions } = answerWith({ isDeclined: true });
      const run = await coordinator.runCode({
        code: `return await ${server}.hostile({ kind: "${kind}" })`,
        onQuestion,
      });
      expect(questions).toEqual([]);
      expect(JSON.stringify(run.error ?? run.value)).toMatch(/too much|too large/);
    },
  );
});
