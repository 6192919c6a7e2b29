// Which libraries a program finds imported.
import { describe, expect, it } from "vitest";
import { openPreloadLevels } from "../../../../src/executors/python/preload-levels.js";

const open = () => openPreloadLevels(["numpy", "pandas", "sklearn"], (imported) => imported.join(" "));
const python = { language: "python" } as const;

describe("openPreloadLevels()", () => {
  it("imports nothing for a program that imports nothing", () => {
    expect(open().choose({ ...python, libraries: [] })).toBe("");
  });

  it("imports what a program needs, and what stands before it", () => {
    expect(open().choose({ ...python, libraries: ["pandas"] })).toBe("numpy pandas");
    expect(open().choose({ ...python, libraries: ["sklearn", "numpy"] })).toBe("numpy pandas sklearn");
  });

  it("imports all where it cannot be told what is needed", () => {
    expect(open().choose(python)).toBe("numpy pandas sklearn");
    expect(open().choose({ ...python, libraries: ["seaborn"] })).toBe("numpy pandas sklearn");
    expect(open().choose({ ...python, libraries: [], session: "one" })).toBe("numpy pandas sklearn");
  });

  it("opens a level once, and only those that are needed", () => {
    const opened: string[] = [];
    const levels = openPreloadLevels(["numpy", "pandas"], (imported) => {
      opened.push(imported.join(" "));
      return { imported };
    });

    const first = levels.choose({ ...python, libraries: ["pandas"] });
    const second = levels.choose({ ...python, libraries: ["numpy", "pandas"] });
    levels.choose({ ...python, libraries: [] });

    expect(second).toBe(first);
    expect(opened).toEqual(["numpy pandas", ""]);
    expect(levels.opened()).toHaveLength(2);
  });
});
