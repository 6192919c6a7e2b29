// Fuzzes every parser and decoder of untrusted input for a bounded number of inputs. `npm run fuzz` runs longer.
import { describe, expect, it } from "vitest";
import { fuzzTarget, targetNames } from "../fuzz/run-target.mjs";
import { rounds } from "../support/rounds.js";

/** The same inputs each time, so that a failure can be repeated. `npm run fuzz` uses new ones. */
const seed = 1;
const count = rounds(60, 500);

describe("mutated input", () => {
  it.each(targetNames)(
    "never kills, blocks or confuses the host: %s",
    { timeout: 300_000 },
    async (target) => {
      const { inputs, findings } = await fuzzTarget({ target, seed, count });
      expect(findings).toEqual([]);
      expect(inputs).toBe(count);
    },
  );
});
