// The container sandbox, for both languages: the usual guests, behind the walls of Podman or Docker.
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Executor, ExecutorReport, Limits } from "../../../contracts/index.js";
import type { GuestChannel } from "../../host/guest-channel.js";
import { deferChannel } from "../../host/guest-channel.js";
import { openProcessExecutor } from "../../host/process-executor.js";
import type { GuestKind } from "../guest-files.js";
import { dataLibraries, openPreloadLevels } from "../python/interpreter.js";
import { createContainerNames, removeOrphans, removeOwn, startReaper } from "./container-names.js";
import { openContainer } from "./open-container.js";
import { type ContainerPlan, planContainers, toImageFix } from "./plan-containers.js";

export interface ContainerExecutorOptions {
  readonly limits: Limits;
  /** "podman", "docker", or the path of one of them. @default the first that answers */
  readonly runtime?: string | undefined;
  /** An OCI runtime other than the default one, e.g. "runsc" for gVisor. */
  readonly ociRuntime?: string | undefined;
  /** An image with Node 22, 24 or 26, or Python 3. @default the one that `setup container` built */
  readonly image?: string | undefined;
  /** After this idle time the last container is ended too. @default 5 minutes */
  readonly idleMs?: number | undefined;
  /** After this idle time a container must pass a health check before it takes a run. @default 10 seconds */
  readonly checkAfterMs?: number | undefined;
}

const defaultIdleMs = 5 * 60_000;
/** A container can be paused or starved while idle. */
const defaultCheckAfterMs = 10_000;

/** Nothing is looked for or started before `inspect`, `warm` or the first run. */
export const openContainerExecutor = (options: ContainerExecutorOptions): Executor => {
  const { limits, idleMs = defaultIdleMs, checkAfterMs = defaultCheckAfterMs } = options;
  const names = createContainerNames();
  let planned: Promise<ContainerPlan> | undefined;
  let reaper: ChildProcess | undefined;
  /** Podman's monitor writes an empty "oom" file into its working folder: keep it out of the user's project. */
  let folder: string | undefined;
  const plan = (): Promise<ContainerPlan> => {
    planned ??= planContainers({ ...options, names }).catch((thrown: unknown) => {
      // A runtime may be installed or started later, so only success is cached.
      planned = undefined;
      throw thrown;
    });
    return planned;
  };
  const open = async (guest: GuestKind): Promise<GuestChannel> => {
    const found = await plan();
    if (folder === undefined) {
      folder = mkdtempSync(join(tmpdir(), names.prefix));
      reaper = startReaper(found.runtime, names.prefix, folder);
      void removeOrphans(found.runtime);
    }
    return openContainer({ plan: found, guest, name: names.next(), folder, memoryMb: limits.memoryMb });
  };
  const typescript: GuestKind = { language: "typescript", imported: [] };
  const python = openPreloadLevels<GuestKind>(dataLibraries, (imported) => ({
    language: "python",
    imported,
  }));
  return openProcessExecutor({
    limits,
    engine: {
      name: "container",
      languages: allLanguages,
      idleMs,
      checkAfterMs,
      kindOf: (needs) => (needs.language === "python" ? python.choose(needs) : typescript),
      start: (guest) => deferChannel(open(guest)),
      inspect: async () => toReport(await plan()),
      close: async () => {
        const found = await planned?.catch(() => undefined);
        if (found !== undefined) await removeOwn(found.runtime, names.prefix);
        reaper?.kill("SIGKILL");
        if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
      },
    },
  });
};

const allLanguages = ["typescript", "python"] as const;

const toReport = ({ walls, gaps, languages, image }: ContainerPlan): ExecutorReport => {
  const lacking = allLanguages.filter((language) => !languages.includes(language));
  if (lacking.length === 0) return { isAvailable: true, walls, gaps };
  const reason = `the image "${image}" has no ${lacking.includes("python") ? "Python" : "Node"}`;
  return { isAvailable: true, languages, reason, fix: toImageFix(image), walls, gaps };
};
