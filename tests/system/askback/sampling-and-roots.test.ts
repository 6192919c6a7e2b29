// Servers that ask for a model's answer or for folders.
import { describe, expect, it } from "vitest";
import type { RunQuestion } from "../../../src/contracts/index.js";
import { askers, openAsker } from "./open-asker.js";

const names = Object.keys(askers) as (keyof typeof askers)[];
const thought = { role: "assistant", content: { type: "text", text: "four" }, model: "test" };

describe.each(names)("sampling by the %s server", (server) => {
  const code = `return await ${server}.think({})`;

  it("is refused by default, with nobody asked", async () => {
    const { coordinator } = await openAsker();
    const questions: RunQuestion[] = [];
    const run = await coordinator.runCode({
      code,
      canSample: true,
      onQuestion: async (question) => {
        questions.push(question);
        return { answer: thought };
      },
    });
    expect(questions).toEqual([]);
    expect(JSON.stringify(run.value ?? run.error?.message)).not.toContain("four");
  });

  it("becomes a question to the client's model, with the setting client", async () => {
    const { coordinator } = await openAsker({ answers: { sampling: "client" } });
    const questions: RunQuestion[] = [];
    const run = await coordinator.runCode({
      code,
      canSample: true,
      onQuestion: async (question) => {
        questions.push(question);
        return { answer: thought };
      },
    });
    expect(run.value).toMatchObject({ content: { text: "four" } });
    // Not with the context of other servers, which the server asked for.
    const messages = [{ role: "user", content: { type: "text", text: "What is two and two?" } }];
    expect(questions).toMatchObject([{ kind: "sampling", server }]);
    expect(questions[0]?.sampling).toEqual({ messages, maxTokens: 100 });
  });

  it("is refused without such a caller, and beyond the limit of tokens", async () => {
    const { coordinator } = await openAsker({ answers: { sampling: "client" } });
    const onQuestion = async () => ({ answer: thought });
    const without = await coordinator.runCode({ code, onQuestion });
    expect(JSON.stringify(without.value ?? without.error)).toContain("SAMPLING_REFUSED");
    const limits = { samplingTokens: 50 };
    const tooMuch = await coordinator.runCode({ code, onQuestion, canSample: true, limits });
    expect(JSON.stringify(tooMuch.value ?? tooMuch.error)).toContain("samplingTokens");
  });
});

describe.each(names)("roots for the %s server", (server) => {
  it("are those of the configuration and no others", async () => {
    const { coordinator } = await openAsker({ answers: { roots: ["/srv/data", "https://example.com/x"] } });
    const { value } = await coordinator.runCode({ code: `return await ${server}.where({})` });
    expect(value).toMatchObject({ roots: [{ uri: "file:///srv/data" }, { uri: "https://example.com/x" }] });
  });

  it("are not offered without any", async () => {
    const { coordinator } = await openAsker();
    const run = await coordinator.runCode({ code: `return await ${server}.where({})` });
    expect(JSON.stringify(run.value ?? run.error?.message)).not.toContain("file:");
  });
});
