// Installs servers that are not part of a checkout: once, pinned, without install scripts. An example whose server is not available is skipped.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { Skip } from "./example.mjs";

const isWindows = process.platform === "win32";
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "mcp-coordinator-examples");

const run = (command, words) =>
  spawnSync(command, words, {
    encoding: "utf8",
    shell: isWindows,
    timeout: 180_000,
    // Fail soon if there is no registry.
    env: { ...process.env, npm_config_ignore_scripts: "true", npm_config_fetch_retries: "0" },
  });

const findReason = ({ error, stderr = "" }) =>
  error?.message ??
  stderr
    .trim()
    .split("\n")
    .find((line) => /error/i.test(line)) ??
  "no reason given";

/** Fetches packages into npx's own cache, so that the `npx -y NAME` of a configuration starts at once and needs no registry. */
export const needPackage = (...names) => {
  for (const name of names) {
    const done = run("npx", ["-y", "--prefer-offline", `--package=${name}`, "--", "node", "--version"]);
    if (done.status !== 0) throw new Skip(`npx cannot install "${name}" (${findReason(done)})`);
  }
};

const findPython = () => {
  const found = ["python3", "python"].find(
    (name) => run(name, ["-c", "import venv, ensurepip"]).status === 0,
  );
  if (found === undefined) throw new Skip("there is no Python with venv");
  return found;
};

/** Adds a Python environment with these packages at the front of PATH, and returns its interpreter. */
export const needPython = (name, ...packages) => {
  const folder = join(cache, name);
  const programs = join(folder, isWindows ? "Scripts" : "bin");
  const python = join(programs, isWindows ? "python.exe" : "python");
  if (!existsSync(python)) {
    mkdirSync(cache, { recursive: true });
    const created = run(findPython(), ["-m", "venv", folder]);
    if (created.status !== 0) throw new Skip(`Python cannot create an environment (${findReason(created)})`);
  }
  const stamp = join(folder, "installed.txt");
  const wanted = packages.join("\n");
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
    const done = run(python, [
      "-m",
      "pip",
      "install",
      "--quiet",
      "--disable-pip-version-check",
      "--retries=0",
      ...packages,
    ]);
    if (done.status !== 0) throw new Skip(`pip cannot install ${packages.join(", ")} (${findReason(done)})`);
    writeFileSync(stamp, wanted);
  }
  process.env.PATH = `${programs}${delimiter}${process.env.PATH}`;
  return python;
};

const browsers = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** The path of a Chromium: `CHROMIUM` in the environment, else the first on PATH. */
export const needChromium = () => {
  const { CHROMIUM, PATH = "" } = process.env;
  if (CHROMIUM) return CHROMIUM;
  const places = PATH.split(delimiter).flatMap((folder) => browsers.map((name) => join(folder, name)));
  const found = places.find((path) => existsSync(path));
  if (found === undefined) throw new Skip(`there is no Chromium (looked for ${browsers.join(", ")} on PATH)`);
  return found;
};
