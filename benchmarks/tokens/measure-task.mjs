// Runs one task both ways and sets the figures side by side.
import { runCode } from "./run-code.mjs";
import { runDirect } from "./run-direct.mjs";

const saved = (direct, code) => 1 - code / direct;

const compare = (direct, code) => ({
  largest: saved(direct.largest, code.largest),
  total: saved(direct.total, code.total),
  // As if the model had been shown no tool at all on the direct side.
  withoutDefinitions: saved(direct.total - direct.definitions * direct.turns, code.total),
});

/** `surfaces` are the settings that the code side is run with, by name. All ways must come to the same answer, or nothing was measured. */
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
    answer: direct.answer,
    direct: direct.figures,
    code,
  };
};
