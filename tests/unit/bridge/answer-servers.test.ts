// What servers may ask of a client's model during one run.
import { expect, it } from "vitest";
import { openServerAnswers } from "../../../src/bridge/answer-servers.js";
import type { Json, Tool } from "../../../src/contracts/index.js";

const answers = () =>
  openServerAnswers({
    limits: { questions: 100, samplingTokens: 50 },
    settings: { elicitation: "people", sampling: "client", logs: "off", roots: [] },
    roots: { roots: [] },
    canSample: true,
    runId: "run",
    ask: async () => ({ answer: {} }),
    askLive: async () => ({ answer: { role: "assistant", content: {}, model: "m" } }),
  }).toAsker({ server: "shop", name: "buy" } as Tool);

const think = (asker: ReturnType<typeof answers>, maxTokens: Json) =>
  asker.answer(
    { method: "sampling/createMessage", params: { maxTokens } },
    new AbortController().signal,
    true,
  );

it("a server cannot request more tokens than the limit, over all its requests", async () => {
  const asker = answers();
  await think(asker, 30);
  await think(asker, 20);
  await expect(think(asker, 1)).rejects.toMatchObject({ code: "SAMPLING_REFUSED" });
});

it.each<Json>([-1000, 0, "many", {}, null])(
  "the number of tokens %j counts as the whole limit",
  async (wanted) => {
    const asker = answers();
    await think(asker, wanted);
    await expect(think(asker, 1)).rejects.toMatchObject({ code: "SAMPLING_REFUSED" });
  },
);
