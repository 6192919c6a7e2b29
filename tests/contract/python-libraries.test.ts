// The data libraries work in the sandbox, preloaded, and their values are returned as JSON.
import { afterAll, describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/contracts/index.js";
import { findInterpreter } from "../../src/executors/engines/python/interpreter.js";
import { openPythonExecutor } from "../../src/executors/engines/python/python.js";
import { runPython } from "./python-run.js";

const executor = openPythonExecutor({ limits: defaultLimits });
afterAll(() => executor.close());
const { isAvailable, reason } = await executor.inspect();
const libraries = isAvailable ? (await findInterpreter({})).libraries : [];
const has = (name: string): boolean => libraries.includes(name);
const titled = (name: string): string =>
  has(name) ? name : `${name} (skipped: ${isAvailable ? `${name} is not installed` : reason})`;

describe.skipIf(!has("numpy"))(titled("numpy"), () => {
  it("computes and returns values", async () => {
    const { value } = await runPython({
      executor,
      code: "import numpy as np\na = np.arange(6).reshape(2, 3)\n[a, a.sum(), np.float32(0.5), np.bool_(True), np.array([1.0, np.nan]), np.datetime64('2026-01-02')]",
    });

    expect(value).toEqual([
      [
        [0, 1, 2],
        [3, 4, 5],
      ],
      15,
      0.5,
      true,
      [1, null],
      "2026-01-02",
    ]);
  });

  it("draws other random numbers in each run", async () => {
    const code = "import numpy as np\nnp.random.rand()";

    expect((await runPython({ executor, code })).value).not.toBe((await runPython({ executor, code })).value);
  });

  it("is stopped at the memory limit", async () => {
    const { outcome } = await runPython({
      executor,
      code: "import numpy as np\nnp.ones(200_000_000)",
      limits: { memoryMb: 128 },
    });

    expect(outcome).toMatchObject({ status: "stopped", reason: "memory" });
  });
});

describe.skipIf(!has("pandas"))(titled("pandas"), () => {
  it("returns a frame as records, with missing values as null and times as text", async () => {
    const { value } = await runPython({
      executor,
      code: "import pandas as pd\npd.DataFrame({'a': [1, None], 't': pd.to_datetime(['2026-01-02', None]), 'n': ['x', None]})",
    });

    expect(value).toEqual([
      { a: 1, t: "2026-01-02T00:00:00", n: "x" },
      { a: null, t: null, n: null },
    ]);
  });

  it("keeps the keys of a grouping", async () => {
    const { value } = await runPython({
      executor,
      code: "import pandas as pd\ndf = pd.DataFrame({'k': ['a', 'b', 'a'], 'v': [1, 2, 3]})\n[df.groupby('k').sum(), df.groupby('k')['v'].sum(), df['v'], df.columns]",
    });

    expect(value).toEqual([
      [
        { k: "a", v: 4 },
        { k: "b", v: 2 },
      ],
      { a: 4, b: 2 },
      [1, 2, 3],
      ["k", "v"],
    ]);
  });

  it("reads answers of tools and passes results to tools", async () => {
    const { value, calls } = await runPython({
      executor,
      code: "import pandas as pd\ndf = pd.DataFrame([server.echo(i=i) for i in range(3)])\nserver.echo(total=df['i'].sum(), mean=df['i'].mean())",
    });

    expect(value).toEqual({ total: 3, mean: 1 });
    expect(calls).toHaveLength(4);
  });
});

describe.skipIf(!has("sklearn"))(titled("sklearn"), () => {
  it("fits a model", async () => {
    const { value } = await runPython({
      executor,
      code: "from sklearn.linear_model import LinearRegression\nmodel = LinearRegression().fit([[1], [2], [3]], [2, 4, 6])\nround(float(model.predict([[4]])[0]), 6)",
    });

    expect(value).toBe(8);
  });
});

describe.skipIf(!has("pandas") || !has("sklearn"))(titled("sklearn"), () => {
  const code = "import sys\n[name for name in ('csv', 'numpy', 'pandas', 'sklearn') if name in sys.modules]";
  const findImported = async (libraries?: readonly string[]): Promise<unknown> =>
    (await runPython({ executor, code, ...(libraries === undefined ? {} : { libraries }) })).value;

  it("is preloaded only for programs that need it", async () => {
    expect(await findImported([])).toEqual(["csv"]);
    expect(await findImported(["pandas"])).toEqual(["csv", "numpy", "pandas"]);
    expect(await findImported(["sklearn"])).toEqual(["csv", "numpy", "pandas", "sklearn"]);
    expect(await findImported()).toEqual(["csv", "numpy", "pandas", "sklearn"]);
  });

  it("leaves other libraries to the program's own import", async () => {
    const { value } = await runPython({ executor, libraries: [], code: "import pandas\npandas.__name__" });

    expect(value).toBe("pandas");
  });

  it("shares the limit of concurrent runs with programs that need other libraries", async () => {
    const limits = { ...defaultLimits, concurrentRuns: 1 };
    const one = openPythonExecutor({ limits });
    const needs = [[], ["pandas"], [], ["pandas"], ["numpy"]];
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, one.statistics().activeRuns);
    }, 5);
    const runs = await Promise.all(
      needs.map((libraries, at) =>
        runPython({ executor: one, libraries, code: `import time\ntime.sleep(0.1)\nreturn ${at}` }),
      ),
    );
    clearInterval(watch);
    await one.close();

    expect(runs.map(({ value }) => value)).toEqual([0, 1, 2, 3, 4]);
    expect(most).toBe(1);
  });
});
