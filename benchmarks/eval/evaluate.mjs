// Runs tasks in both modes and stores one result per task and mode. Tasks with a stored result are not run again.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { modes as allModes, canPlay, runTask } from "./run-task.mjs";

const toFile = (folder, task, mode) => join(folder, "results", `${task}.${mode}.json`);

/** Stored results, in the order of their names. */
export const readResults = (folder) => {
  const place = join(folder, "results");
  return (existsSync(place) ? readdirSync(place) : [])
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(place, name), "utf8")));
};

/** After so many failures in a row, the next one would most likely fail too. */
const maxFailures = 3;

const findStop = ({ code }, inARow) => {
  if (code === "MODEL_REFUSED" || code === "MODEL_NOT_CONFIGURED")
    return "the endpoint does not accept the key or the model";
  return inARow < maxFailures ? undefined : `${inARow} failures in a row`;
};

/**
 * An endpoint or server that fails leaves no result, so the next start tries again. Returns how many could not be run, and
 * stops early if the others would fail in the same way.
 */
export const evaluate = async (tasks, { folder, modes = allModes, isScripted = false, say, ...options }) => {
  mkdirSync(join(folder, "results"), { recursive: true });
  let failed = 0;
  let inARow = 0;
  for (const task of tasks)
    for (const mode of modes) {
      const file = toFile(folder, task.name, mode);
      if (existsSync(file) || (isScripted && !canPlay(task, mode))) continue;
      try {
        const result = await runTask(task, mode, options);
        writeFileSync(`${file}.draft`, `${JSON.stringify(result, undefined, 2)}\n`);
        renameSync(`${file}.draft`, file);
        inARow = 0;
        const { isSuccess, reason, turns, inputTokens } = result;
        say(
          `${task.name}, ${mode}: ${isSuccess ? "solved" : `NOT solved (${reason})`}, ${turns} turns, ${inputTokens} tokens read`,
        );
      } catch (error) {
        failed += 1;
        inARow += 1;
        say(`${task.name}, ${mode}: could not be run: ${error.message}`);
        const stop = findStop(error, inARow);
        if (stop === undefined) continue;
        say(`stopped: ${stop}; the next start continues here`);
        return failed;
      }
    }
  return failed;
};
