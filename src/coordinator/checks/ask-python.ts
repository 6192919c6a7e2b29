// Runs a small program of ours in the sandbox's Python, without tools and with a short timeout.
import { defaultLimits, type GuestJob, type Json } from "../../contracts/index.js";
import type { Host } from "../host/host.js";
import type { RunRights } from "../runs/to-run-rights.js";

const timeoutMs = 10_000;

/** The program's result. Undefined if the sandbox cannot run, which is reported elsewhere. */
export const askPython = async (
  { executors }: Host,
  question: Pick<GuestJob, "code" | "libraries">,
  { profile }: RunRights,
): Promise<Json | undefined> => {
  try {
    const outcome = await executors.run(
      {
        ...question,
        language: "python",
        files: [],
        globals: {},
        host: { call: async () => ({ status: "failed", name: "Error", message: "No tools here", code: "" }) },
        limits: { ...defaultLimits, timeoutMs, calls: 1 },
      },
      profile.executor,
    );
    if (outcome.status !== "completed" || outcome.valueJson === undefined) return undefined;
    return JSON.parse(outcome.valueJson) as Json;
  } catch {
    return undefined;
  }
};
