// Which libraries are already imported for a program.
import { describe, expect, it } from "vitest";
import { openPreloadLevels } from "../../../../src/executors/engines/python/interpreter.js";

const open = () => openPreloadLevels(["numpy", "pandas", "sklearn"], (imported) => imported.join(" "));
const python = { language: "python" } as const;

describe("openPreloadLevels()", () => {
  it("imports nothing for a program that imports nothing", () => {
    expect(open().choose({ ...python, libraries: [] })).toBe("");
  });

  it("imports what a program needs, and everything before it in the list", () => {
    expect(open().choose({ ...python, libraries: ["pandas"] })).toBe("numpy pandas");
    expect(open().choose({ ...python, libraries: ["sklearn", "numpy"] })).toBe("numpy pandas sklearn");
  });

  it("imports everything if the needs are unknown", () => {
    expect(open().choose(python)).toBe("numpy pandas sklearn");
    expect(open().choose({ ...python, libraries: ["seaborn"] })).toBe("numpy pandas sklearn");
    expect(open().choose({ ...python, libraries: [], session: "one" })).toBe("numpy pandas sklearn");
  });

  it("opens each level once, and only if it is needed", () => {
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
