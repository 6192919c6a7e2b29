// A coordinator whose policy asks once for a whole program, over a server that records every call.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type OpenedCoordinator, openCoordinator, type RunQuestion } from "../../src/index.js";
import { fixturePath } from "./fixture-servers.js";
import { temporaryFolder } from "./temporary-folder.js";

export interface Approvals {
  readonly folder: string;
  readonly coordinator: OpenedCoordinator;
  /** What the server has seen, "TOOL VALUE". */
  readonly seen: () => readonly string[];
  /** Another coordinator over the same state, with another policy if one is given. */
  readonly reopen: (policy?: object) => Promise<OpenedCoordinator>;
  /** What people were asked, and their answers. */
  readonly asked: RunQuestion[];
  /** Answers every question with yes, up to `max`. */
  readonly say: (max?: number) => (question: RunQuestion) => Promise<{ answer: boolean } | undefined>;
}

export const byProgram = { allow: ["reads"], ask: ["writes"], askBy: "program" };

export const openApprovals = async (
  policy: object = byProgram,
  settings: object = {},
): Promise<Approvals> => {
  const folder = await temporaryFolder();
  const file = join(folder, "seen.txt");
  writeFileSync(file, "");
  const asked: RunQuestion[] = [];
  const reopen = async (own: object = policy): Promise<OpenedCoordinator> => {
    const config = join(folder, "mcp.json");
    writeFileSync(
      config,
      JSON.stringify({
        mcpServers: {
          ledger: { command: process.execPath, args: [fixturePath("ledger"), "--file", file] },
        },
        coordinator: { policy: own, ...settings },
      }),
    );
    const coordinator = await openCoordinator({
      config,
      settings: { stateFolder: join(folder, "state"), cacheFolder: join(folder, "cache") },
    });
    onTestFinished(() => coordinator.close());
    return coordinator;
  };
  return {
    folder,
    coordinator: await reopen(),
    seen: () => readFileSync(file, "utf8").split("\n").slice(0, -1),
    reopen,
    asked,
    say: (max = Number.POSITIVE_INFINITY) => {
      let left = max;
      return async (question) => {
        asked.push(question);
        return left-- > 0 ? { answer: true } : undefined;
      };
    },
  };
};
