// Runs attempts to escape: programs that return what they reached, in every sandbox that can run here.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  defaultLimits,
  type Executor,
  type GuestJob,
  type GuestOutcome,
  type Language,
  type Limits,
} from "../../../src/contracts/index.js";
import { executorsHere } from "./executors-here.js";

export interface Attempt {
  readonly name: string;
  /** The body of a TypeScript program (an async function) or a Python program. `PORT`, `FILE` and `FOLDER` stand for the planted ones. */
  readonly code: string;
  readonly limits?: Partial<Limits>;
  /** How it must end. Without it, any end is fine, as long as nothing was reached. */
  readonly ends?: "completed" | "failed" | "stopped";
  /** What it must answer when it completes. */
  readonly value?: unknown;
}

const secret = "planted-5f1c9a";

/** Runs every attempt of a threat in every executor of its language: none may reach what was planted, each must end, the next run must work. */
export const testAttempts = async (
  threat: string,
  language: Language,
  attempts: readonly Attempt[],
): Promise<void> => {
  describe.each(await executorsHere(language, defaultLimits))(`$name ${threat}:`, ({ open, reason }) => {
    let executor: Executor;
    let folder: string;
    let listener: Server;
    let hits = 0;

    beforeAll(async () => {
      if (reason !== undefined) return;
      folder = mkdtempSync(join(tmpdir(), "coordinator-secret-"));
      writeFileSync(join(folder, "secret.txt"), `file-${secret}`);
      process.env.PLANTED_SECRET = `env-${secret}`;
      listener = createServer((_request, response) => {
        hits++;
        response.end(`net-${secret}`);
      });
      await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
      executor = open(defaultLimits);
      await executor.run(toJob(language, "return 1"));
    });
    afterAll(async () => {
      if (reason !== undefined) return;
      delete process.env.PLANTED_SECRET;
      await executor.close();
      listener.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it.for(attempts)("$name", async ({ code, limits = {}, ends, value }, { skip }) => {
      skip(reason !== undefined, reason);
      const before = hits;
      const port = (listener.address() as { port: number }).port;
      const text = code
        .replaceAll("PORT", String(port))
        .replaceAll("FILE", join(folder, "secret.txt"))
        .replaceAll("FOLDER", folder);

      // Only programs that must or may be stopped reach their time limit.
      const mayBeStopped = ends === "stopped" || (ends === undefined && value === undefined);
      const timeoutMs = mayBeStopped ? 1500 : 60_000;
      const outcome = await executor.run(toJob(language, text, { timeoutMs, memoryMb: 96, ...limits }));

      expect(JSON.stringify(outcome)).not.toContain(secret);
      expect(hits).toBe(before);
      if (ends !== undefined) expect(outcome.status).toBe(ends);
      if (value !== undefined) expect(readValue(outcome)).toEqual(value);
      // Every Python program has its own interpreter: one that completed leaves nothing behind for the next.
      if (language !== "python" || outcome.status !== "completed")
        expect(readValue(await executor.run(toJob(language, "return 1 + 1")))).toBe(2);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    });
  });
};

const readValue = (outcome: GuestOutcome): unknown =>
  outcome.status === "completed" && outcome.valueJson !== undefined ? JSON.parse(outcome.valueJson) : outcome;

const host: GuestJob["host"] = {
  call: async ({ tool, argumentsJson }) => {
    if (tool === "fail")
      return { status: "failed", name: "ToolError", message: "failed", code: "TOOL_FAILED" };
    if (tool === "slow") await new Promise((resolve) => setTimeout(resolve, 100));
    return { status: "answered", format: "json", body: argumentsJson };
  },
};

const toJob = (language: Language, code: string, limits: Partial<Limits> = {}): GuestJob => ({
  language,
  code: language === "typescript" ? `export default async function program() {\n${code}\n}` : code,
  files: [],
  globals: { tools: "tools" },
  host,
  limits: { ...defaultLimits, ...limits },
});
