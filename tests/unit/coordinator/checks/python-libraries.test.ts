// Third-party imports of Python programs.
import { describe, expect, it } from "vitest";
import { prepareProgram } from "../../../../src/checker/index.js";
import { findLibraries } from "../../../../src/coordinator/checks/python-libraries.js";

const find = async (...programs: readonly string[]) =>
  findLibraries(
    await Promise.all(programs.map((text) => prepareProgram(text, { language: "python", isSession: false }))),
  );

describe("findLibraries()", () => {
  it("finds nothing if a program imports only standard modules and ours", async () => {
    expect(await find("import json, asyncio\nfrom mcp_tools.github import create_issue\nreturn 1")).toEqual(
      [],
    );
    expect(await find("return 1")).toEqual([]);
  });

  it("finds every library once by its top-level name", async () => {
    const program =
      "import numpy as np, pandas as pd\ndef fit():\n    from sklearn.linear_model import Ridge\n";

    expect(await find(program, "import pandas.testing\n")).toEqual(["numpy", "pandas", "sklearn"]);
  });

  it.each([
    ["a call that imports", 'pandas = __import__("pandas")'],
    ["a module that imports", 'import importlib\nimportlib.import_module("pandas")'],
    ["code in a text", 'exec("import pandas")'],
    ["two statements in a line", "import json; import pandas"],
    ["a statement in the line of a condition", "if True: import pandas"],
    ["a value with its own imports", "import pickle\npickle.load(open('workspace/frame'))"],
  ])("returns undefined if it cannot know: %s", async (_, program) => {
    expect(await find(program)).toBeUndefined();
  });
});
