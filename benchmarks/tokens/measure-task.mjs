// Runs one task both ways and sets the figures side by side.
import { runCode } from "./run-code.mjs";
import { runDirect } from "./run-direct.mjs";

const saved = (direct, code) => 1 - code / direct;

/** Both ways must come to the same answer, or nothing was measured. */
export const measureTask = async (task, { servers, coordinator }) => {
  const direct = await runDirect(task, servers);
  const code = await runCode(task, coordinator);
  if (direct.answer !== code.answer)
    throw new Error(
      `Cannot compare "${task.name}": direct calls say "${direct.answer.slice(0, 300)}", the program "${code.answer.slice(0, 300)}"`,
    );
  return {
    name: task.name,
    title: task.title,
    isOfSeeds: task.isOfSeeds === true,
    answer: direct.answer,
    direct: direct.figures,
    code: code.figures,
    saved: {
      largest: saved(direct.figures.largest, code.figures.largest),
      total: saved(direct.figures.total, code.figures.total),
      // As if the model had been shown no tool at all on the direct side.
      withoutDefinitions: saved(
        direct.figures.total - direct.figures.definitions * direct.figures.turns,
        code.figures.total,
      ),
    },
  };
};
