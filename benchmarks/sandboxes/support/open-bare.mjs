// Makes an engine of something that can only open a fresh world: one world a run, a spare made in pauses, a clock, the tools.

/**
 * @param {() => Promise<World>} openWorld a world is `start(program)`, `answer(id, isAnswer, text)`, `close()`, and says
 *   "call", "done" and "failed" to `onMessage`
 * @param {{ readonly timeoutMs: number }} limits
 */
export const openBare = (openWorld, { timeoutMs }) => {
  let spare;
  let spareTimer;
  // Runs back to back pay for their world; one that comes after a pause finds it made.
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
