// The question of a paused run and its approval code, for surfaces that show it to a person, never to a model.
import { createHmac, hkdfSync } from "node:crypto";
import { type ApprovalSecret, openApprovalSecret } from "../../store/index.js";
import type { Host } from "../host/host.js";
import type { RunReference, WaitingQuestion } from "./durable-verbs.js";
import { readRun } from "./resume-run.js";
import { hashQuestion, readAsked } from "./take-answer.js";

/** Short enough to type. Each guess costs a process start, and every answer changes the code. */
const codeLength = 8;

const opened = new WeakMap<Host["configuration"], ApprovalSecret>();

const deriveKey = async ({ configuration }: Host, purpose: string): Promise<Buffer> => {
  const secret = opened.get(configuration) ?? openApprovalSecret(configuration.settings.stateFolder);
  opened.set(configuration, secret);
  return Buffer.from(hkdfSync("sha256", await secret.read(), "", `mcp-coordinator ${purpose}`, 32));
};

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
      command: host.toCommand(["resume", runId], request.workspace),
    },
    code: createHmac("sha256", key).update(hash).digest("hex").slice(0, codeLength),
  };
};
