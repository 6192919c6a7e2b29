// Which fields of a request a resumed or committed run inherits.
import { describe, expect, it } from "vitest";
import type { RunRequest } from "../../../../src/contracts/index.js";
import {
  fromJournaledRights,
  requestKeys,
  toJournaledRights,
} from "../../../../src/coordinator/runs/run-rights.js";

/** A value for every key: a new one does not compile before it is here. */
const samples: Required<RunRequest> = {
  code: "return 1",
  language: "python",
  session: "work",
  workspace: "acme",
  servers: ["bank"],
  simulate: ["shop"],
  profile: "careful",
  isChecked: false,
  staysWithinManifest: true,
  limits: { timeoutMs: 5 },
  agentLimits: { timeoutMs: 3 },
  isCaller: true,
  caller: "ana",
  conversation: {},
  signal: new AbortController().signal,
  onLog: () => {},
  onCall: () => {},
  onQuestion: async () => undefined,
  approve: ["writes"],
  onProgress: () => {},
  output: "text",
  mode: "plan",
  undoes: { runId: "first", attempt: 1 },
  description: "pays the rent",
  countTokens: true,
  canSample: true,
  isBackground: true,
  onStart: () => {},
};

const continuations = ["resume", "commit", "replay", "undo"] as const;

describe("the rights that a journal keeps", () => {
  it("are decided for every key of a request", () => {
    expect(Object.keys(requestKeys).sort()).toEqual(Object.keys(samples).sort());
  });

  it.each(Object.keys(samples) as (keyof RunRequest)[])(
    "carry %s where the table says so, unchanged",
    (key) => {
      const carried = requestKeys[key];
      const rights = toJournaledRights(samples);
      for (const continuation of continuations) {
        const given = fromJournaledRights(rights, continuation) as Partial<RunRequest>;
        if (typeof carried !== "string" && carried[continuation] === true)
          expect(given[key]).toEqual(samples[key]);
        else expect(given).not.toHaveProperty(key);
      }
      if (typeof carried === "string") expect(rights).not.toHaveProperty(key);
    },
  );

  it("carry all restrictions into a resumed run, and approval rules into every continuation", () => {
    for (const key of [
      "servers",
      "approve",
      "profile",
      "limits",
      "agentLimits",
      "isCaller",
      "caller",
      "simulate",
      "mode",
    ] as const)
      expect(requestKeys[key]).toMatchObject({ resume: true });
    for (const key of ["servers", "approve"] as const)
      expect(requestKeys[key]).toEqual({ resume: true, commit: true, replay: true, undo: true });
    expect(requestKeys.limits).toMatchObject({ resume: true, commit: true, replay: true });
  });

  it("drop keys that somebody else wrote into a journal", () => {
    expect(fromJournaledRights({ onQuestion: true, code: "return 2", isApproved: true }, "resume")).toEqual(
      {},
    );
  });
});
