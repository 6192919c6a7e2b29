// The question of a paused run and its approval code, for surfaces that show it to a person, never to a model.
import { createHmac } from "node:crypto";
import type { Host } from "../host/host.js";
import type { RunReference, WaitingQuestion } from "./durable-verbs.js";
import { toAnswering } from "./record.js";
import { readRun } from "./resume-run.js";
import { deriveKey } from "./sealed-approvals.js";
import { hashQuestion, readAsked } from "./take-answer.js";

/** Short enough to type. Each guess costs a process start, and every answer changes the code. */
const codeLength = 8;

/** The key that seals questions on their way through a client. */
export const readStateKey = (host: Host): Promise<Uint8Array> => deriveKey(host, "request state");

export const readQuestion = async (
  host: Host,
  request: RunReference,
): Promise<WaitingQuestion | undefined> => {
  const { recorded } = await readRun(host, request);
  const question = readAsked(recorded);
  if (question === undefined || recorded.status !== "paused") return undefined;
  const { runId, attempt } = recorded;
  const hash = hashQuestion({ runId, attempt, question });
  const key = await deriveKey(host, "approval code");
  return {
    question: {
      ...question,
      attempt,
      hash,
      command: host.toCommand(toAnswering(runId, question), request.workspace),
    },
    code: createHmac("sha256", key).update(hash).digest("hex").slice(0, codeLength),
  };
};
