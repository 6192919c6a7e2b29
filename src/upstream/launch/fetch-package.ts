// Fetches one package: into a folder of its own, named by a record when it is whole. Whatever ends us in the middle breaks nothing.
import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CoordinatorError } from "../../contracts/index.js";
import { fetchImage } from "./fetch-image.js";
import type { FetchJob } from "./fetch-job.js";
import { type Fetched, fetchNpm, isNpmCurrent } from "./fetch-npm.js";
import { fetchUv } from "./fetch-uv.js";
import { type PackageRecord, readRecord, removeRecord, writeRecord } from "./package-record.js";

/** A folder that no record names may still be in use by a server that was started from it. */
const unusedAfterMs = 7 * 24 * 60 * 60 * 1000;

/** A package that no server was started from for so long is removed. */
const forgottenAfterMs = 30 * 24 * 60 * 60 * 1000;

const install = (job: FetchJob, folder: string): Promise<Fetched> =>
  job.installer === "npm"
    ? fetchNpm(job, folder)
    : job.installer === "uv"
      ? fetchUv(job, folder)
      : fetchImage(job);

/** Removes what earlier versions, and fetches that were killed, left behind. */
const removeUnused = async ({ folder }: FetchJob, kept: readonly (string | undefined)[]): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() || kept.includes(path)) continue;
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > unusedAfterMs) await rm(path, { recursive: true, force: true });
  }
};

/** Removes packages that are no longer used. Only those of the job's installer: nobody else fetches one of them now. */
export const removeForgotten = async ({ folder, installer }: FetchJob): Promise<void> => {
  const packages = dirname(folder);
  for (const name of await readdir(packages)) {
    const path = join(packages, name);
    if (path === folder || !name.startsWith(`${installer}-`)) continue;
    const places = [path, ...(await readdir(path)).map((entry) => join(path, entry))];
    const times = await Promise.all(places.map(async (place) => (await stat(place)).mtimeMs));
    if (Date.now() - Math.max(...times) < forgottenAfterMs) continue;
    // First what names it: whoever looks meanwhile finds nothing, and fetches it.
    await removeRecord(path);
    await rm(path, { recursive: true, force: true });
  }
};

/** The same version with other content is not an update: somebody has tampered with it, or the registry is another one. */
const refuseTampered = (known: PackageRecord | undefined, { name, version, integrity }: Fetched): void => {
  if (known?.version !== version || known.integrity === integrity || integrity === undefined) return;
  throw new CoordinatorError(
    "UPSTREAM_UNREACHABLE",
    `Cannot install "${name}": version ${version} has other content than before, expected ${known.integrity}, got ${integrity}`,
    {
      hint: "Find out why before you use it; the version that was fetched before stays in use",
      details: { phase: "fetch" },
    },
  );
};

const isEnough = ({ refreshBeforeMs }: FetchJob, { resolvedAtMs }: PackageRecord): boolean =>
  refreshBeforeMs === undefined || resolvedAtMs >= refreshBeforeMs;

/** Call it while nobody else fetches with the same installer. */
export const fetchPackage = async (job: FetchJob): Promise<PackageRecord> => {
  const known = await readRecord(job.folder);
  // Another process was faster.
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
