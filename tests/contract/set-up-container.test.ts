// `setup container` as people run it: with a Python in a home that only its owner can enter, and with a wrong one.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { defaultLimits } from "../../src/contracts/index.js";
import { openContainerExecutor } from "../../src/executors/engines/container/container.js";
import { findRuntime } from "../../src/executors/engines/container/container-runtime.js";
import { buildImage, setUpContainer } from "../../src/executors/engines/container/set-up-container.js";
import { openExecutors } from "../../src/executors/open-executors.js";
import { selfTest } from "../../src/executors/self-test.js";
import { copyPython } from "../support/copy-python.js";
import { runPython } from "./python-run.js";

const runtime = await findRuntime().catch(() => undefined);
// A container has its own /tmp.
const home = mkdtempSync("/var/tmp/mcp-coordinator-home-");
afterAll(() => rmSync(home, { recursive: true, force: true }));
const python = runtime === undefined ? undefined : copyPython(join(home, ".pyenv", "versions", "3"));
const obstacle =
  runtime === undefined
    ? " (skipped: needs Podman or Docker)"
    : python === undefined
      ? " (skipped: needs a Python that can be copied)"
      : "";
// If all tests are skipped, nothing runs after them.
if (obstacle !== "") rmSync(home, { recursive: true });
const image = `localhost/mcp-coordinator-test-${process.pid}:latest`;
const listImages = (): string =>
  spawnSync(runtime?.command ?? "", ["images", "--format", "{{.Repository}}:{{.Tag}}"], { encoding: "utf8" })
    .stdout;
afterAll(() => {
  if (runtime !== undefined) spawnSync(runtime.command, ["image", "rm", "--force", image]);
});

describe.skipIf(obstacle !== "")(`setup container${obstacle}`, { timeout: 300_000 }, () => {
  it("packs the given Python, runs a program with it, and reports its version", async () => {
    chmodSync(home, 0o700);
    const environment = join(home, "environment");
    expect(spawnSync(python ?? "", ["-I", "-m", "venv", "--without-pip", environment]).status).toBe(0);
    const lines: string[] = [];

    const result = await setUpContainer({
      limits: defaultLimits,
      image,
      interpreter: environment,
      say: (line) => lines.push(line),
    });

    const version = spawnSync(python ?? "", ["--version"], { encoding: "utf8" }).stdout.trim();
    expect(result).toEqual({ made: image, holds: [`Node ${process.versions.node}`, version] });
    expect(lines[0]).toContain(`${version} (${environment}/bin/python3)`);
    expect(listImages()).toContain(image);
    expect(listImages()).not.toContain(image.replace(":latest", ":new"));
    const executor = openContainerExecutor({ limits: defaultLimits, image });
    const { value } = await runPython({ executor, code: "import sys\nsys.prefix" }).finally(executor.close);
    expect(value).toBe(environment);
  });

  it("packs the environment of setup python if no interpreter is named", async () => {
    const lines: string[] = [];
    const say = (line: string): void => {
      lines.push(line);
      throw new Error("that is enough");
    };

    const work = setUpContainer({
      limits: defaultLimits,
      image,
      environmentFolder: join(home, "environment"),
      say,
    });

    await expect(work).rejects.toThrow("that is enough");
    expect(lines[0]).toContain(`(${home}/environment/bin/python3)`);
  });

  it("builds an image without Python that runs TypeScript, and reports that Python is missing", async () => {
    const other = image.replace("test", "plain");
    onTestFinished(() => void spawnSync(runtime?.command ?? "", ["image", "rm", "--force", other]));
    await buildImage({ command: runtime?.command ?? "", image: other });
    const executors = openExecutors({
      limits: defaultLimits,
      settings: {
        executor: "container",
        jitless: false,
        python: { preload: [], deny: [], checker: "off" },
        container: { image: other, idleMs: 1000 },
        cacheFolder: "",
      },
    });
    onTestFinished(() => executors.close());

    const { executor } = await executors.choose("typescript");
    expect(await executor.inspect()).toMatchObject({ isAvailable: true, languages: ["typescript"] });
    expect((await selfTest(executor, defaultLimits)).map(({ language }) => language)).not.toContain("python");
    await expect(executors.choose("python")).rejects.toMatchObject({
      message: `Cannot use the sandbox "container": the image "${other}" has no Python`,
    });
  });

  it("refuses a file that is not an interpreter, and builds no image", async () => {
    const other = image.replace("test", "wrong");

    const work = setUpContainer({ limits: defaultLimits, image: other, interpreter: "/bin/true" });

    await expect(work).rejects.toMatchObject({ code: "SANDBOX_UNAVAILABLE" });
    expect(listImages()).not.toContain(other.split(":")[0]);
  });
});
