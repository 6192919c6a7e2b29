// Use counts: summed over processes, bounded, and never a reason to fail.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openUseCounts } from "../../../../src/store/index.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

describe("openUseCounts()", () => {
  it("sums the counts of concurrent writers", async () => {
    const folder = await temporaryFolder();
    await Promise.all(
      Array.from({ length: 8 }, () =>
        openUseCounts(folder).add(
          new Map([
            ["a", 2],
            ["b", 1],
          ]),
        ),
      ),
    );
    expect(await openUseCounts(folder).read()).toEqual(
      new Map([
        ["a", 16],
        ["b", 8],
      ]),
    );
  });

  it("keeps the most used tools if there are too many", async () => {
    const counts = openUseCounts(await temporaryFolder());
    await counts.add(new Map(Array.from({ length: 2500 }, (_, at) => [`t${at}`, at + 1])));
    const kept = await counts.read();
    expect(kept.size).toBe(2000);
    expect(kept.has("t2499")).toBe(true);
    expect(kept.has("t0")).toBe(false);
  });

  it("ignores a damaged file and overwrites it", async () => {
    const folder = await temporaryFolder();
    await writeFile(
      join(folder, "uses.json"),
      '{"format":"mcp-coordinator/uses","version":1,"uses":{"a":-1,"b":"x"}}',
    );
    const counts = openUseCounts(folder);
    expect(await counts.read()).toEqual(new Map());
    await counts.add(new Map([["a", 1]]));
    expect(await counts.read()).toEqual(new Map([["a", 1]]));
  });
});
