// The first hour of a new person, played in a real terminal: every screen is as stored in tests/golden/first-hour.
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

interface Size {
  readonly columns: number;
  readonly rows: number;
}

interface Difference {
  readonly name: string;
  readonly expected?: string | undefined;
  readonly found?: string | undefined;
}

const { compareFirstHour, sizes } = (await import(
  new URL("../../scripts/first-hour.mjs", import.meta.url).href
)) as {
  readonly sizes: readonly Size[];
  readonly compareFirstHour: (options: {
    readonly played: readonly Size[];
  }) => Promise<readonly Difference[]>;
};

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

it.for(sizes)(
  "every screen of the first hour is as stored at $columns columns",
  { timeout: 400_000 },
  async (size, { skip }) => {
    skip(!hasTmux, "tmux is not installed");
    const differences = await compareFirstHour({ played: [size] });
    // To accept new screens: npm run first-hour -- --update
    for (const { name, expected, found } of differences) expect(found, name).toBe(expected);
  },
);
