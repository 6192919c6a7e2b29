// The process that fetches packages: reads jobs from stdin, and finishes them even if the host is gone.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { CoordinatorError, toCoordinatorError, toJsonLine } from "../../contracts/index.js";
import { fetchPackage, removeForgotten } from "./fetch-package.js";
import type { FetchJob, FetchReply, FetchRequest } from "./fetch-queue.js";

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
              hint: 'Free some disk space, or give your user write access. Or set another folder with "coordinator": { "cacheFolder" }. "launch": "as written" needs none',
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
    const take = (request: FetchRequest): void => {
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
    createInterface({ input: process.stdin }).on("line", (line) => take(JSON.parse(line) as FetchRequest));
    settle();
  });
