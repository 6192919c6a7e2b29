// Fetches one package into its own folder, and writes its record when complete. An interruption breaks nothing.
import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { CoordinatorError } from "../../contracts/index.js";
import { type Fetched, fetchNpm, isNpmCurrent } from "./fetch-npm.js";
import type { FetchJob } from "./fetch-queue.js";
import { type PackageRecord, readRecord, removeRecord, writeRecord } from "./package-record.js";
import { runInstaller, runInstallerOrThrow } from "./run-installer.js";

/** A folder without a record may still be in use by a running server. */
const unusedAfterMs = 7 * 24 * 60 * 60 * 1000;

/** A package that was not used for this long is removed. */
const forgottenAfterMs = 30 * 24 * 60 * 60 * 1000;

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

const install = (job: FetchJob, folder: string): Promise<Fetched> =>
  job.installer === "npm"
    ? fetchNpm(job, folder)
    : job.installer === "uv"
      ? fetchUv(job, folder)
      : fetchImage(job);

/** Removes the folders of earlier versions and interrupted fetches. */
const removeUnused = async ({ folder }: FetchJob, inUse: readonly (string | undefined)[]): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() || inUse.includes(path)) continue;
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > unusedAfterMs) await rm(path, { recursive: true, force: true });
  }
};

/** Removes unused packages of the job's installer, which nobody else can be fetching now. */
export const removeForgotten = async ({ folder, installer }: FetchJob): Promise<void> => {
  const packages = dirname(folder);
  for (const name of await readdir(packages)) {
    const path = join(packages, name);
    if (path === folder || !name.startsWith(`${installer}-`)) continue;
    const places = [path, ...(await readdir(path)).map((entry) => join(path, entry))];
    const times = await Promise.all(places.map(async (place) => (await stat(place)).mtimeMs));
    if (Date.now() - Math.max(...times) < forgottenAfterMs) continue;
    // Remove the record first: other processes then see the package as missing and fetch it.
    await removeRecord(path);
    await rm(path, { recursive: true, force: true });
  }
};

/** The same version with different content is not an update: someone tampered with it, or the registry changed. */
const refuseTampered = (known: PackageRecord | undefined, { name, version, integrity }: Fetched): void => {
  if (known?.version !== version || known.integrity === integrity || integrity === undefined) return;
  throw new CoordinatorError(
    "UPSTREAM_UNREACHABLE",
    `Cannot install "${name}": version ${version} has different content than before, expected ${known.integrity}, got ${integrity}`,
    {
      hint: "Find out why before you use it; the copy fetched before stays in use",
      details: { phase: "fetch" },
    },
  );
};

const isEnough = ({ refreshBeforeMs }: FetchJob, { resolvedAtMs }: PackageRecord): boolean =>
  refreshBeforeMs === undefined || resolvedAtMs >= refreshBeforeMs;

/** Call it only while nobody else fetches with the same installer. */
export const fetchPackage = async (job: FetchJob): Promise<PackageRecord> => {
  const known = await readRecord(job.folder);
  // Another process has fetched it meanwhile.
  if (known !== undefined && isEnough(job, known)) return known;
  const resolvedAtMs = Date.now();
  const keep = async (record: PackageRecord): Promise<PackageRecord> => {
    await writeRecord(job.folder, record);
    return record;
  };
  const mayStay = known !== undefined && job.isRebuilt !== true;
  if (mayStay && job.installer === "npm" && (await isNpmCurrent(job, known)))
    return keep({ ...known, resolvedAtMs });
  const folder = join(job.folder, randomBytes(6).toString("hex"));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const fetched = await install(job, folder);
    refuseTampered(known, fetched);
    if (mayStay && known.version === fetched.version) {
      await rm(folder, { recursive: true, force: true });
      return await keep({ ...known, resolvedAtMs });
    }
    const isUpdate = known !== undefined && known.version !== fetched.version;
    const before = isUpdate
      ? { name: known.name, version: known.version, integrity: known.integrity, replacedAtMs: resolvedAtMs }
      : known?.before;
    const record = await keep({ ...fetched, resolvedAtMs, before });
    await removeUnused(job, [folder, known?.folder]).catch(() => {});
    return record;
  } catch (error) {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    throw error;
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
  const made = (await readdir(tools, { withFileTypes: true })).find((entry) => entry.isDirectory());
  const environment = join(tools, made?.name ?? name);
  const isWindows = process.platform === "win32";
  const program = join(
    environment,
    isWindows ? "Scripts" : "bin",
    `${job.bin ?? name}${isWindows ? ".exe" : ""}`,
  );
  const isThere = (await stat(program).catch(() => undefined))?.isFile() === true;
  return {
    name,
    version: await readVersion(environment, name),
    folder,
    // Without a program, leave it to the runner.
    ...(isThere
      ? { file: relative(folder, program) }
      : { obstacle: "the package has no program of that name" }),
  };
};
