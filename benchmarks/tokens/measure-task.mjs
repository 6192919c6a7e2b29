// Runs one task both ways and compares the figures.
import { runCode } from "./run-code.mjs";
import { runDirect } from "./run-direct.mjs";

const saved = (direct, code) => 1 - code / direct;

const compare = (direct, code) => ({
  largest: saved(direct.largest, code.largest),
  total: saved(direct.total, code.total),
  // As if the model saw no definitions at all on the direct side.
  withoutDefinitions: saved(direct.total - direct.definitions * direct.turns, code.total),
});

/** `surfaces`: the settings for the code side, by name. All of them must return the same answer, or the measurement fails. */
export const measureTask = async (task, { servers, surfaces }) => {
  const direct = await runDirect(task, servers);
  const code = {};
  for (const [name, coordinator] of Object.entries(surfaces)) {
    const { figures, answer } = await runCode(task, coordinator);
    if (direct.answer !== answer)
      throw new Error(
        `Cannot compare "${task.name}": direct calls say "${direct.answer.slice(0, 300)}", the program "${answer.slice(0, 300)}"`,
      );
    code[name] = { ...figures, saved: compare(direct.figures, figures) };
  }
  return {
    name: task.name,
    title: task.title,
    isOfSeeds: task.isOfSeeds === true,
    tools: direct.tools,
    answer: direct.answer,
    direct: direct.figures,
    code,
  };
};
