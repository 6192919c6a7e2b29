// Installs an npm package into a folder, with npm itself, so that the user's registry, token and script settings apply.
import { open, readFile, realpath, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { withFirstPaths } from "../child-environment.js";
import { chooseNode, toMajor } from "./choose-node.js";
import type { FetchJob } from "./fetch-queue.js";
import type { PackageRecord } from "./package-record.js";
import { runInstaller, runInstallerOrThrow } from "./run-installer.js";

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

/** `@scope/name@1.2` is `@scope/name`. */
export const toPackageName = (spec: string): string => {
  const end = spec.indexOf("@", 1);
  return end < 0 ? spec : spec.slice(0, end);
};

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

const install = async (job: FetchJob, folder: string, nodePath: string | undefined) => {
  const flags = [
    "--no-audit",
    "--no-fund",
    "--no-progress",
    "--loglevel=error",
    "--package-lock",
    "--no-global",
  ];
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

export const fetchNpm = async (job: FetchJob, folder: string): Promise<Fetched> => {
  const [spec = ""] = job.specs;
  const name = toPackageName(spec);
  const own = `${modules}/${name}`;
  let packages = await install(job, folder, undefined);
  const engines = listEngines(packages, own);
  const isBuilt = Object.values(packages).some(({ hasInstallScript }) => hasInstallScript === true);
  const { version = "", integrity, bin: bins } = packages[own] ?? {};
  if (isBuilt && job.leavesScripts === true)
    return { name, version, integrity, engines, folder, obstacle: "its packages have install scripts" };
  const { nodes } = job;
  const chosen = nodes === undefined ? undefined : await chooseNode(engines, nodes);
  if (isBuilt && chosen !== undefined && toMajor(chosen.version) !== toMajor(nodes?.machine?.version ?? "")) {
    await rm(join(folder, modules), { recursive: true, force: true });
    packages = await install(job, folder, chosen.path);
  }
  const bin = job.bin ?? findBin(name, bins);
  const file = bin === undefined ? undefined : findFile(folder, bin, packages);
  const nodeFlags = file === undefined ? undefined : await readNodeFlags(file).catch(() => null);
  // Without a file, leave it to the runner.
  if (file === undefined || nodeFlags === null)
    return { name, version, integrity, engines, folder, obstacle: "the package has no program of that name" };
  return {
    name,
    version,
    integrity,
    folder,
    file: relative(folder, file),
    nodeFlags: nodeFlags ?? undefined,
    engines,
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
