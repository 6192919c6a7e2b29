// Builds an engine from a function that opens a fresh sandbox: one per run, a spare prepared in pauses, a time limit, the tools.

/**
 * @param {() => Promise<World>} openWorld a world is `start(program)`, `answer(id, isAnswer, text)`, `close()`, and says
 *   "call", "done" and "failed" to `onMessage`
 * @param {{ readonly timeoutMs: number }} limits
 */
export const openBare = (openWorld, { timeoutMs }) => {
  let spare;
  let spareTimer;
  // Consecutive runs pay for their sandbox; a run after a pause finds one prepared.
  const prepareLater = () => {
    clearTimeout(spareTimer);
    spareTimer = setTimeout(() => {
      spare ??= openWorld();
    }, 2);
  };
  const run = async (program, tools) => {
    clearTimeout(spareTimer);
    const taken = spare ?? openWorld();
    spare = undefined;
    const world = await taken;
    let clock;
    try {
      return await new Promise((resolve, reject) => {
        const tried = (work) => Promise.resolve().then(work).catch(reject);
        const answer = (...values) => tried(() => world.answer(...values));
        clock = setTimeout(() => reject(new Error("timed out")), timeoutMs);
        world.onMessage = (kind, text, id, tool) => {
          if (kind === "done") resolve(JSON.parse(text));
          else if (kind === "failed") reject(new Error(JSON.parse(text)));
          else
            Promise.resolve(tools[tool](JSON.parse(text))).then(
              (value) => answer(id, true, JSON.stringify(value)),
              (error) => answer(id, false, JSON.stringify(error.message)),
            );
        };
        tried(() => world.start(program));
      });
    } finally {
      clearTimeout(clock);
      world.onMessage = () => {};
      world.close();
      prepareLater();
    }
  };
  const close = async () => {
    clearTimeout(spareTimer);
    (await spare)?.close();
  };
  return { run, close };
};
