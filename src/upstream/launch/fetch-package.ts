// The process that fetches packages, one at a time per installer. It finishes even if the host is gone, and an interruption breaks nothing.
import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { CoordinatorError, toCoordinatorError, toJsonLine } from "../../contracts/index.js";
import type { FetchJob, FetchReply, FetchRequest } from "./fetch-queue.js";
import { type Fetched, installPackage, isNpmCurrent } from "./install-package.js";
import { type PackageRecord, readRecord, removeRecord, writeRecord } from "./package-record.js";

/** A folder without a record may still be in use by a running server. */
const unusedAfterMs = 7 * 24 * 60 * 60 * 1000;

/** A package that was not used for this long is removed. */
const forgottenAfterMs = 30 * 24 * 60 * 60 * 1000;

/** Removes the folders of earlier versions and interrupted fetches. */
const removeUnused = async ({ folder }: FetchJob, inUse: readonly (string | undefined)[]): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() || inUse.includes(path)) continue;
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > unusedAfterMs) await rm(path, { recursive: true, force: true });
  }
};

/** Removes unused packages of the job's installer, which no other process can be fetching now. */
const removeForgotten = async ({ folder, installer }: FetchJob): Promise<void> => {
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
      hint: "Find out why before you use it; the copy fetched before stays in use.",
      details: { phase: "fetch" },
    },
  );
};

const isEnough = ({ refreshBeforeMs }: FetchJob, { resolvedAtMs }: PackageRecord): boolean =>
  refreshBeforeMs === undefined || resolvedAtMs >= refreshBeforeMs;

/** Call it under the installer's lock. */
const fetchPackage = async (job: FetchJob): Promise<PackageRecord> => {
  const known = await readRecord(job.folder);
  // Another process has fetched it meanwhile.
  if (known !== undefined && isEnough(job, known)) return known;
  const resolvedAtMs = Date.now();
  const store = async (record: PackageRecord): Promise<PackageRecord> => {
    await writeRecord(job.folder, record);
    return record;
  };
  const mayStay = known !== undefined && job.isRebuilt !== true;
  if (mayStay && job.installer === "npm" && (await isNpmCurrent(job, known)))
    return store({ ...known, resolvedAtMs });
  const folder = join(job.folder, randomBytes(6).toString("hex"));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const fetched = await installPackage(job, folder);
    refuseTampered(known, fetched);
    if (mayStay && known.version === fetched.version) {
      await rm(folder, { recursive: true, force: true });
      return await store({ ...known, resolvedAtMs });
    }
    const isUpdate = known !== undefined && known.version !== fetched.version;
    const before = isUpdate
      ? { name: known.name, version: known.version, integrity: known.integrity, replacedAtMs: resolvedAtMs }
      : known?.before;
    const record = await store({ ...fetched, resolvedAtMs, before });
    await removeUnused(job, [folder, known?.folder]).catch(() => {});
    return record;
  } catch (error) {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
};

/** Runs work under a lock across processes. */
export type Exclusively = <Result>(folder: string, work: () => Promise<Result>) => Promise<Result>;

/** How long to wait for another job. */
const idleMs = 2000;

interface Task {
  readonly id: number;
  readonly job: FetchJob;
}

/** Serves jobs. Resolves when there is nothing left to do. */
export const serveFetches = (exclusively: Exclusively): Promise<void> =>
  new Promise((resolve) => {
    const queues = new Map<string, Task[]>();
    const busy = new Set<string>();
    let idle: NodeJS.Timeout | undefined;
    // The host may be gone.
    process.stdout.on("error", () => {});
    const reply = (message: FetchReply): void => void process.stdout.write(toJsonLine(message));

    const fetchOne = async ({ id, job }: Task): Promise<void> => {
      try {
        await mkdir(job.folder, { recursive: true, mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
          throw new CoordinatorError(
            "UPSTREAM_UNREACHABLE",
            `Cannot install "${job.specs[0]}": "${job.folder}" cannot be written (${cause.code})`,
            {
              hint: 'Free some disk space, or give your user write access. Or set another folder with "coordinator": { "cacheFolder" }. "launch": "as written" needs none.',
              details: { phase: "fetch" },
            },
          );
        });
        const lock = join(job.folder, "..", `${job.installer}.lock`);
        await exclusively(lock, async () => {
          reply({ id, isBegun: true });
          reply({ id, record: await fetchPackage(job) });
          await removeForgotten(job).catch(() => {});
        });
      } catch (thrown) {
        const { code, message, hint, details } = toCoordinatorError(thrown);
        reply({ id, failure: { code, message, hint, details } });
      }
    };
    const settle = (): void => {
      clearTimeout(idle);
      if (busy.size === 0) idle = setTimeout(resolve, idleMs);
    };
    const pump = async (installer: string): Promise<void> => {
      if (busy.has(installer)) return;
      busy.add(installer);
      settle();
      for (let task = queues.get(installer)?.shift(); task !== undefined; ) {
        await fetchOne(task);
        task = queues.get(installer)?.shift();
      }
      busy.delete(installer);
      settle();
    };
    const receive = (request: FetchRequest): void => {
      if ("job" in request) {
        const queue = queues.get(request.job.installer) ?? [];
        queues.set(request.job.installer, queue);
        queue.push(request);
        void pump(request.job.installer);
        return;
      }
      for (const queue of queues.values()) {
        const at = queue.findIndex(({ id }) => id === request.id);
        if (at > 0) queue.unshift(...queue.splice(at, 1));
      }
    };
    createInterface({ input: process.stdin }).on("line", (line) => receive(JSON.parse(line) as FetchRequest));
    settle();
  });
