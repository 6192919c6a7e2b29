// Installs one package into a folder with npm, uv or a container runtime, so that the user's registry, token and script settings apply.
import { open, readdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import spawn from "cross-spawn";
import { CoordinatorError } from "../../contracts/index.js";
import { withFirstPaths } from "../child-environment.js";
import { diagnoseStart, isInstallerNoise } from "../diagnose-start.js";
import { createTextTail } from "../transport/incoming-limits.js";
import type { FetchJob } from "./fetch-queue.js";
import { chooseNode, type PackageRecord, toMajor } from "./package-record.js";
import { toPackageName } from "./parse-runner.js";

const maxTextLength = 64 * 1024;

interface InstallerEnd {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns the installer's exit and output. Throws if it cannot be started or exceeds the timeout. */
const runInstaller = (
  { command, cwd, timeoutMs, specs }: FetchJob,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<InstallerEnd> =>
  new Promise((resolve, reject) => {
    const isGroupLeader = process.platform !== "win32";
    const child = spawn(command, [...args], {
      env: { ...env },
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
      detached: isGroupLeader,
    });
    const fail = (state: string, cause?: unknown): void =>
      reject(
        new CoordinatorError("UPSTREAM_UNREACHABLE", `Cannot install "${specs[0]}": ${state}`, {
          cause,
          details: { phase: "fetch", stderr: stderr.read() },
        }),
      );
    const stdout = createTextTail(maxTextLength);
    const stderr = createTextTail(maxTextLength);
    child.stdout?.setEncoding("utf8").on("data", stdout.add);
    child.stderr?.setEncoding("utf8").on("data", stderr.add);
    const timer = setTimeout(() => {
      try {
        if (isGroupLeader && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
        else child.kill("SIGKILL");
      } catch {
        // It has already ended.
      }
      fail(`it takes longer than ${timeoutMs} ms, the limit "fetchTimeoutMs"`);
    }, timeoutMs);
    child.on("error", (error) => {
      clearTimeout(timer);
      fail(`"${command}" cannot be started`, error);
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ exitCode: code ?? undefined, stdout: stdout.read(), stderr: stderr.read() });
    });
  });

/** npm prints the reason after lines with its code, path and command; others print it last. */
const toReason = (stderr: string): string => {
  const lines = stderr
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !isInstallerNoise(line));
  const errors = lines.filter((line) => /^npm (?:error|ERR!)/.test(line));
  const reasons = errors.filter(
    (line) => !/^npm (?:error|ERR!) (?:code|path|command|errno|syscall|dest|A complete log)\b/.test(line),
  );
  const reason = reasons[0] ?? errors[0] ?? lines.at(-1) ?? "";
  return reason.replace(/^npm (?:error|ERR!) /, "").slice(0, 300);
};

/** The same, but throws if the installer fails. */
const runInstallerOrThrow = async (
  job: FetchJob,
  args: readonly string[],
  env: Readonly<Record<string, string>> = job.env,
): Promise<InstallerEnd> => {
  const end = await runInstaller(job, args, env);
  if (end.exitCode === 0) return end;
  const { command, specs, installer } = job;
  const diagnosis = diagnoseStart({ command, package: specs[0], exitCode: end.exitCode, stderr: end.stderr });
  const details = { phase: "fetch", exitCode: end.exitCode, stderr: end.stderr.slice(-8 * 1024) };
  if (diagnosis !== undefined) {
    const { state, hint, reason } = diagnosis;
    throw new CoordinatorError("UPSTREAM_UNREACHABLE", `Cannot install "${specs[0]}": ${state}`, {
      hint,
      details: { ...details, reason },
    });
  }
  const said = toReason(end.stderr);
  const state = end.exitCode === undefined ? "was ended" : `exited with code ${end.exitCode}`;
  throw new CoordinatorError(
    "UPSTREAM_UNREACHABLE",
    `Cannot install "${specs[0]}": ${installer === "container" ? "the container runtime" : installer} ${state}${said === "" ? "" : `; it said "${said}"`}`,
    {
      hint: "Check the package's name and the network, then try again; nothing incomplete was left behind.",
      details,
    },
  );
};

export type Fetched = Omit<PackageRecord, "resolvedAtMs" | "before">;

interface LockedPackage {
  readonly version?: string | undefined;
  readonly integrity?: string | undefined;
  readonly engines?: { readonly node?: unknown } | undefined;
  readonly bin?: Readonly<Record<string, string>> | undefined;
  readonly hasInstallScript?: boolean | undefined;
  readonly optional?: boolean | undefined;
}

const modules = "node_modules";
const noProgram = "the package has no program of that name";

/** The program that npx would choose. */
const findBin = (name: string, bins: Readonly<Record<string, string>> = {}): string | undefined => {
  const names = Object.keys(bins);
  if (new Set(Object.values(bins)).size === 1) return names[0];
  const short = name.replace(/^@[^/]*\//, "");
  return Object.hasOwn(bins, short) ? short : undefined;
};

/** The flags of a Node shebang line; undefined if the file starts something else. */
const readNodeFlags = async (file: string): Promise<readonly string[] | undefined> => {
  // A link to it has no ending.
  const path = await realpath(file);
  const handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0).finally(() => handle.close());
  const line = buffer.toString("latin1", 0, bytesRead).split(/\r?\n/, 1)[0] ?? "";
  if (!line.startsWith("#!")) return /\.[cm]?js$/.test(path) ? [] : undefined;
  const words = line.slice(2).trim().split(/\s+/);
  const [program = "", ...others] =
    words[0]?.endsWith("/env") === true ? words.slice(words[1] === "-S" ? 2 : 1) : words;
  return /(?:^|\/)node$/.test(program) ? others : undefined;
};

const installNpm = async (job: FetchJob, folder: string, nodePath: string | undefined) => {
  const flags = "--no-audit --no-fund --no-progress --loglevel=error --package-lock --no-global".split(" ");
  // Run npm and install scripts with the Node that will start the package: native modules are built for one version.
  const env = nodePath === undefined ? job.env : withFirstPaths({ ...job.env }, [dirname(nodePath)]);
  await runInstallerOrThrow(
    job,
    ["install", "--prefix", folder, ...flags, ...job.flags, "--", ...job.specs],
    env,
  );
  const lock = JSON.parse(await readFile(join(folder, "package-lock.json"), "utf8")) as {
    readonly packages?: Readonly<Record<string, LockedPackage>> | undefined;
  };
  return lock.packages ?? {};
};

const listEngines = (packages: Readonly<Record<string, LockedPackage>>, own: string): readonly string[] => {
  const rangeOf = ({ engines }: LockedPackage): readonly string[] =>
    typeof engines?.node === "string" && engines.node.length <= 256 ? [engines.node] : [];
  const others = Object.entries(packages).filter(([path, { optional }]) => path !== own && optional !== true);
  const [first = "*"] = rangeOf(packages[own] ?? {});
  return [...new Set([first, ...others.flatMap(([, one]) => rangeOf(one))])];
};

/** The program's file: the link that npx starts; on Windows the target of its script. */
const findFile = (folder: string, bin: string, packages: Readonly<Record<string, LockedPackage>>): string => {
  if (process.platform !== "win32") return join(folder, modules, ".bin", bin);
  const [path = "", found] =
    Object.entries(packages).find(([, { bin: bins }]) => bins?.[bin] !== undefined) ?? [];
  return join(folder, path, found?.bin?.[bin] ?? "");
};

const fetchNpm = async (job: FetchJob, folder: string): Promise<Fetched> => {
  const [spec = ""] = job.specs;
  const name = toPackageName(spec);
  const own = `${modules}/${name}`;
  let packages = await installNpm(job, folder, undefined);
  const engines = listEngines(packages, own);
  const isBuilt = Object.values(packages).some(({ hasInstallScript }) => hasInstallScript === true);
  const { version = "", integrity, bin: bins } = packages[own] ?? {};
  const found = { name, version, integrity, engines, folder };
  if (isBuilt && job.leavesScripts === true)
    return { ...found, obstacle: "its packages have install scripts" };
  const { nodes } = job;
  const chosen = nodes === undefined ? undefined : await chooseNode(engines, nodes);
  if (isBuilt && chosen !== undefined && toMajor(chosen.version) !== toMajor(nodes?.machine?.version ?? "")) {
    await rm(join(folder, modules), { recursive: true, force: true });
    packages = await installNpm(job, folder, chosen.path);
  }
  const bin = job.bin ?? findBin(name, bins);
  const file = bin === undefined ? undefined : findFile(folder, bin, packages);
  const nodeFlags = file === undefined ? undefined : await readNodeFlags(file).catch(() => null);
  // Without a file, leave it to the runner.
  if (file === undefined || nodeFlags === null) return { ...found, obstacle: noProgram };
  return {
    ...found,
    file: relative(folder, file),
    nodeFlags,
    builtFor: isBuilt && chosen !== undefined ? toMajor(chosen.version) : undefined,
  };
};

/** Whether the registry still resolves to the installed version. Only a clear yes counts. */
export const isNpmCurrent = async (job: FetchJob, { version }: PackageRecord): Promise<boolean> => {
  if (job.specs.length !== 1) return false;
  const flags = job.flags.filter(
    (_, at) => job.flags[at] === "--registry" || job.flags[at - 1] === "--registry",
  );
  const { exitCode, stdout } = await runInstaller(
    job,
    ["view", "--json", ...flags, "--", job.specs[0] ?? "", "version"],
    job.env,
  );
  try {
    return exitCode === 0 && JSON.parse(stdout) === version;
  } catch {
    return false;
  }
};

/** `Name[extra]==1.2` is `Name`. */
const toToolName = (spec: string): string => /^[\w.-]*/.exec(spec)?.[0] ?? spec;

const normalize = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, "-");

/** The version is part of a folder's name: `mcp_server_git-1.2.3.dist-info`. */
const readVersion = async (environment: string, name: string): Promise<string> => {
  const libraries =
    process.platform === "win32"
      ? [join(environment, "Lib", "site-packages")]
      : (await readdir(join(environment, "lib"))).map((one) =>
          join(environment, "lib", one, "site-packages"),
        );
  const found = (await Promise.all(libraries.map((one) => readdir(one).catch(() => [])))).flat();
  const versions = found.flatMap((one) => {
    const parts = /^([^-]+)-([^-]+)\.dist-info$/.exec(one);
    return parts !== null && normalize(parts[1] ?? "") === normalize(name) ? [parts[2] ?? ""] : [];
  });
  return versions[0] ?? "";
};

const fetchUv = async (job: FetchJob, folder: string): Promise<Fetched> => {
  const [spec = "", ...extras] = job.specs;
  const name = toToolName(spec);
  const tools = join(folder, "tools");
  const env = { ...job.env, UV_TOOL_DIR: tools, UV_TOOL_BIN_DIR: join(folder, "bin"), UV_NO_PROGRESS: "1" };
  const withExtras = extras.flatMap((extra) => ["--with", extra]);
  await runInstallerOrThrow(job, ["tool", "install", ...job.flags, ...withExtras, "--", spec], env);
  const created = (await readdir(tools, { withFileTypes: true })).find((entry) => entry.isDirectory());
  const environment = join(tools, created?.name ?? name);
  const isWindows = process.platform === "win32";
  const program = join(
    environment,
    isWindows ? "Scripts" : "bin",
    `${job.bin ?? name}${isWindows ? ".exe" : ""}`,
  );
  const isThere = (await stat(program).catch(() => undefined))?.isFile() === true;
  const found = { name, version: await readVersion(environment, name), folder };
  // Without a program, leave it to the runner.
  return isThere ? { ...found, file: relative(folder, program) } : { ...found, obstacle: noProgram };
};

/** Pulls a container image if missing. The container itself is started as written. */
const fetchImage = async (job: FetchJob): Promise<Fetched> => {
  const [image = ""] = job.specs;
  const inspect = () => runInstaller(job, ["image", "inspect", "--format", "{{.Id}}", image], job.env);
  let found = await inspect();
  if (found.exitCode !== 0 || job.refreshBeforeMs !== undefined) {
    await runInstallerOrThrow(job, ["pull", "--quiet", ...job.flags, image]);
    found = await inspect();
  }
  return {
    name: image,
    obstacle: "a container is started by its own command",
    version: found.stdout
      .trim()
      .replace(/^sha256:/, "")
      .slice(0, 12),
  };
};

/** Installs a job's package with its installer. */
export const installPackage = (job: FetchJob, folder: string): Promise<Fetched> =>
  job.installer === "npm"
    ? fetchNpm(job, folder)
    : job.installer === "uv"
      ? fetchUv(job, folder)
      : fetchImage(job);
