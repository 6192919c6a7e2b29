// The executors that can run on this machine; the others are listed with the reason why they are skipped.
import type { Executor, Language, Limits } from "../../../src/contracts/index.js";
import { openIsolateExecutor } from "../../../src/executors/index.js";

export interface ExecutorHere {
  readonly name: string;
  readonly open: (limits: Limits) => Executor;
  /** Why it is skipped. */
  readonly reason?: string;
}

const typescript: readonly ExecutorHere[] = [
  { name: "isolate", open: (limits) => openIsolateExecutor({ limits }) },
];

export const executorsHere = (language: Language): readonly ExecutorHere[] =>
  language === "typescript" ? typescript : [];
