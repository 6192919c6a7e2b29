// Runs the official conformance suite and reads what it found, scenario by scenario: its own totals count passes that need no server.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OtherProgram, openOtherProgram } from "../support/other-program.js";

export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

export interface Suite {
  readonly problem?: string;
  /** Every scenario that was run, with its checks. */
  readonly run: (words: readonly string[]) => Promise<{
    readonly code: number | null;
    readonly output: string;
    readonly scenarios: ReadonlyMap<string, readonly Check[]>;
    /** What the tested client printed. */
    readonly printed: string;
  }>;
}

export const openSuite = async (): Promise<Suite> => {
  const program: OtherProgram = await openOtherProgram({
    package: "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    file: "dist/index.js",
    node: 22,
  });
  return {
    ...(program.problem === undefined ? {} : { problem: program.problem }),
    run: async (words) => {
      const folder = mkdtempSync(join(tmpdir(), "coordinator-suite-"));
      try {
        const { code, stdout, stderr } = await program.run([...words, "-o", folder], {
          env: { HOME: folder },
          folder,
        });
        const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
        const printed = files
          .filter((path) => path.endsWith("stdout.txt"))
          .map((path) => readFileSync(join(folder, path), "utf8"))
          .join("\n");
        const scenarios = files
          .filter((path) => path.endsWith("checks.json"))
          .map(
            (path) =>
              [toScenario(path), JSON.parse(readFileSync(join(folder, path), "utf8")) as Check[]] as const,
          );
        return { code, output: stdout + stderr, scenarios: new Map(scenarios), printed };
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
};

/** `server-tools-list-2026-11-15T17-41-48-278Z/checks.json` → `tools-list`. */
const toScenario = (path: string): string =>
  path.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z[/\\]checks\.json$/, "");

export const failuresOf = (checks: readonly Check[] = []): readonly Check[] =>
  checks.filter(({ status }) => status === "FAILURE");

export const isPassed = (checks: readonly Check[] = []): boolean =>
  failuresOf(checks).length === 0 &&
  checks.some(({ status, id }) => status === "SUCCESS" && id !== "wire-schema-valid");
