// `setup python`, and where it is suggested: in the error for a missing import, and by `doctor`.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { defaultLimits } from "../../../src/contracts/index.js";
import { openPythonExecutor } from "../../../src/executors/engines/python/python.js";
import { copyPython } from "../../support/copy-python.js";
import { shareSnapshots } from "../../support/share-snapshots.js";

const bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "mcp-coordinator-setup-"));
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));

/** As installed by a version manager, in a home folder that only its owner can enter. */
const openHome = (name: string) => {
  const home = join(root, name);
  mkdirSync(home);
  chmodSync(home, 0o700);
  shareSnapshots(join(home, ".cache", "mcp-coordinator"));
  const python = copyPython(join(home, ".pyenv", "versions", "3"));
  const environment = join(home, ".local", "share", "mcp-coordinator", "python");
  const run = async (words: readonly string[], variables: Record<string, string> = {}) => {
    const settings = Object.entries(process.env).filter(([key]) => /^(PIP_|SSL_)/.test(key));
    const child = spawn(process.execPath, [bin, ...words], {
      cwd: home,
      env: {
        ...Object.fromEntries(settings),
        PATH: `${join(home, ".pyenv", "versions", "3", "bin")}${delimiter}${process.env.PATH ?? ""}`,
        HOME: home,
        ...variables,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await ended, stdout, stderr };
  };
  return { python, environment, run };
};

const executor = openPythonExecutor({ limits: defaultLimits });
const { isAvailable, reason } = await executor.inspect();
await executor.close();
const bare = openHome("bare");
const because = !isAvailable
  ? reason
  : bare.python === undefined
    ? "needs a Python that can be copied"
    : undefined;
const titled = (title: string, obstacle = because): string =>
  obstacle === undefined ? title : `${title} (skipped: ${obstacle})`;

const sum = "import pandas as pd\npd.DataFrame({'a': [1, 2, 3]}).a.sum()";
const program = (code: string): readonly string[] => ["run", "--language", "python", "-e", code];

describe.skipIf(because !== undefined)(titled("where the sandbox has no data libraries"), () => {
  const command = `Run "node ${bin} setup python"`;

  test("importing one suggests the command that installs them, as it works from here", async () => {
    expect(spawnSync(bare.python ?? "", ["-I", "-m", "venv", "--without-pip", bare.environment]).status).toBe(
      0,
    );

    const refused = await bare.run(program(sum));
    expect(refused.stderr).toContain('Cannot import "pandas"');
    expect(refused.stderr).toContain(command);

    const failed = await bare.run(program("import importlib\nimportlib.import_module('pand' + 'as')"));
    expect(failed.stderr).toContain("No module named 'pandas'");
    expect(failed.stderr).toContain(command);
  });

  test("doctor reports it, and calls nothing unavailable while everything works", async () => {
    const { stdout, code } = await bare.run(["doctor"], { MCP_COORDINATOR_RUNTIME: "/nowhere/podman" });

    expect(code).toBe(0);
    expect(stdout).toContain("Python programs cannot import numpy, pandas, sklearn");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(command);
    expect(stdout).not.toContain("unavailable");
    expect(stdout).toMatch(
      /Everything that is needed works\. Not set up, and not needed by your settings: container/,
    );
  });

  test("doctor fails if the settings require a sandbox that is not set up", async () => {
    const wishes = { MCP_COORDINATOR_EXECUTOR: "container", MCP_COORDINATOR_RUNTIME: "/nowhere/podman" };
    const { stdout, code } = await bare.run(["doctor"], wishes);

    expect(code).toBe(1);
    expect(stdout).toMatch(/^One thing is wrong\nwrong {2}Cannot use the sandbox "container"/);
    expect(stdout).toContain("/nowhere/podman: not installed");
    expect(stdout).toMatch(/fix {4}Install Podman/);
    expect(stdout).not.toContain("Everything that is needed works");
  });

  test("setup container refuses to replace an image that the settings name", async () => {
    const { stderr, code } = await bare.run(["setup", "container"], {
      MCP_COORDINATOR_IMAGE: "node:24-slim",
    });

    expect(code).not.toBe(0);
    expect(stderr).toContain('the setting "container.image" names "node:24-slim"');
  });
});

const fetched = spawnSync(
  "python3",
  ["-m", "pip", "download", "-q", "--no-deps", "-d", join(root, "pip"), "six"],
  {
    timeout: 30_000,
  },
);
const network = because ?? (fetched.status === 0 ? undefined : "needs pip and PyPI");
// If all tests are skipped, nothing runs after them.
if (because !== undefined) rmSync(root, { recursive: true });

describe.skipIf(network !== undefined)(titled("setup python", network), { timeout: 600_000 }, () => {
  test("installs the libraries, tests them inside, and never replaces a working environment by a broken one", async () => {
    const home = openHome("home");
    const made = await home.run(["setup", "python"]);

    expect(made.stderr).not.toContain("error");
    expect(made.stdout).toMatch(
      /^Created .*; a program in it found Python 3\.\d+\.\d+, numpy \d.*, pandas \d.*, scikit-learn \d/,
    );
    expect(made.stdout).toContain(home.environment);
    expect((await home.run(program(sum))).stdout).toBe("6\n");

    const before = statSync(home.environment).ino;
    const nowhere = {
      PIP_CONFIG_FILE: "/dev/null",
      PIP_FIND_LINKS: "",
      PIP_INDEX_URL: "http://127.0.0.1:1/simple",
    };
    const failed = await home.run(["setup", "python"], {
      ...nowhere,
      PIP_RETRIES: "0",
      UV_OFFLINE: "1",
      UV_NO_CACHE: "1",
    });
    expect(failed.code).toBe(4);
    expect(failed.stderr).toContain("Cannot create the Python environment");
    expect(statSync(home.environment).ino).toBe(before);
    expect((await home.run(program(sum))).stdout).toBe("6\n");
  });
});
