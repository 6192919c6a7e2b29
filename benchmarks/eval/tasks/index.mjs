// All tasks of the evaluation.
import { databaseTasks } from "./database.mjs";
import { fileTasks } from "./files.mjs";
import { gitTasks } from "./git.mjs";
import { memoryTasks } from "./memory.mjs";
import { otherTasks } from "./others.mjs";

/**
 * A task has a `prompt` (FOLDER stands for its world), `prepare(world)`, `check(world, answer)`, which returns undefined or why it is not
 * solved, and `solution`, a program that solves it: it proves that task and check fit the servers. Some also have `direct`, the same as
 * calls, turn by turn.
 */
export const tasks = [...fileTasks, ...memoryTasks, ...databaseTasks, ...gitTasks, ...otherTasks];
