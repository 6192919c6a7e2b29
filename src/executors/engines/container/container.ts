// The container sandbox, for both languages: the usual guests, behind the walls of Podman or Docker.
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CoordinatorError,
  type Executor,
  type ExecutorReport,
  type Limits,
} from "../../../contracts/index.js";
import { deferChannel, type GuestChannel, spawnChannel } from "../../host/guest-channel.js";
import { openProcessExecutor } from "../../host/process-executor.js";
import { type GuestKind, guestCommand, guestMounts } from "../guest-files.js";
import { dataLibraries, openPreloadLevels } from "../python/interpreter.js";
import { createContainerNames, removeOrphans, removeOwn, startReaper } from "./container-names.js";
import { askRuntime, runtimeEnvironment, toContainerArguments } from "./container-runtime.js";
import { type ContainerPlan, planContainers, toImageFix } from "./plan-containers.js";

interface OpenContainerOptions {
  readonly plan: ContainerPlan;
  readonly guest: GuestKind;
  readonly name: string;
  /** Working folder of the runtime's client: some write files there. */
  readonly folder: string;
  /** Limit of one run, as passed to the guest's engine. */
  readonly memoryMb: number;
}

/** A container that has sent nothing by then never will. */
const startMs = 60_000;

/** Starts a container with a guest in it. */
const openContainer = ({ plan, guest, name, folder, memoryMb }: OpenContainerOptions): GuestChannel => {
  const { language } = guest;
  if (!plan.languages.includes(language))
    throw new CoordinatorError(
      "LANGUAGE_UNAVAILABLE",
      `Cannot run ${language} in a container: the image "${plan.image}" has no ${language === "python" ? "Python" : "Node"}`,
      { hint: toImageFix(plan.image) },
    );
  const { command } = plan.runtime;
  const hasOwnWire = plan.runtime.canPassDescriptors;
  let processId: number | undefined;
  const channel = spawnChannel({
    command,
    args: toContainerArguments({
      ...plan,
      name,
      hasOwnWire,
      mounts: guestMounts(),
      command: guestCommand(guest, memoryMb, name),
    }),
    environment: runtimeEnvironment(),
    folder,
    hasOwnWire,
    kill: (client) => {
      // Killing the client would leave the container running.
      if (isGuest(processId, name) && trySignal(processId)) return;
      void askRuntime(command, ["rm", "--force", name]).then(() => client.kill("SIGKILL"));
    },
  });
  const startTimer = setTimeout(() => channel.kill(), startMs).unref();
  channel.onExit(() => clearTimeout(startTimer));
  channel.output.once("data", () => {
    clearTimeout(startTimer);
    void askRuntime(command, ["inspect", "--format", "{{.State.Pid}}", name]).then(({ output }) => {
      processId = Number(output.trim());
    });
  });
  return { ...channel, processId: () => (isGuest(processId, name) ? processId : undefined) };
};

/** Whether that process is the container's first: a runtime in a virtual machine has its own pids. */
const isGuest = (processId: number | undefined, name: string): processId is number => {
  if (processId === undefined || !(processId > 1)) return false;
  try {
    return readFileSync(`/proc/${processId}/cmdline`, "utf8").split("\0").includes(name);
  } catch {
    return false;
  }
};

/** False if the container's user is not ours: then the runtime has to kill it. */
const trySignal = (processId: number): boolean => {
  try {
    process.kill(processId, "SIGKILL");
    return true;
  } catch {
    return false;
  }
};

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
