// Experimental: this sandbox has never run on real hardware. Each guest process has its own virtual machine, through microsandbox.
import type { Executor, ExecutorReport, Language, Limits } from "../../../contracts/index.js";
import { CoordinatorError } from "../../../contracts/index.js";
import { deferChannel } from "../../host/deferred-channel.js";
import type { GuestChannel } from "../../host/guest-channel.js";
import { openPooledExecutor } from "../../host/process-executor.js";
import { createContainerNames } from "../container/container-names.js";
import { findVirtualisationObstacle, type VirtualisationObstacle } from "./find-virtualisation.js";
import { findMicrosandbox, loadMicrosandbox } from "./microsandbox.js";
import { openVirtualMachine } from "./open-virtual-machine.js";

export interface MicrovmExecutorOptions {
  readonly limits: Limits;
  /** Images with Node or Python; microsandbox fetches them on first use. @default official slim images */
  readonly images?: Partial<Record<Language, string>> | undefined;
  /** Where to look for the package "microsandbox" after our own folder. @default the working folder */
  readonly packageFolder?: string | undefined;
  /** After this idle time the last machine is ended too. @default 5 minutes */
  readonly idleMs?: number | undefined;
}

const defaultImages: Record<Language, string> = { typescript: "node:24-slim", python: "python:3.13-slim" };
const defaultIdleMs = 5 * 60_000;
const checkAfterMs = 10_000;

/** Nothing is looked for or started before `inspect`, `warm` or the first run. */
export const openMicrovmExecutor = (options: MicrovmExecutorOptions): Executor => {
  const { limits, idleMs = defaultIdleMs } = options;
  const names = createContainerNames();
  const open = async (language: Language): Promise<GuestChannel> => {
    const obstacle = findObstacle(options);
    if (obstacle !== undefined)
      throw new CoordinatorError(
        "SANDBOX_UNAVAILABLE",
        `Cannot start the sandbox "microvm": ${obstacle.reason}`,
        { hint: obstacle.fix },
      );
    return openVirtualMachine({
      microsandbox: loadMicrosandbox(options),
      name: names.next(),
      image: options.images?.[language] ?? defaultImages[language],
      language,
      memoryMb: limits.memoryMb,
    });
  };
  return openPooledExecutor({
    name: "microvm",
    languages: ["typescript", "python"],
    limits,
    idleMs,
    checkAfterMs,
    kindOf: ({ language }) => language,
    openChannel: (language) => deferChannel(open(language)),
    inspect: async () => inspect(options),
  });
};

const findObstacle = (options: MicrovmExecutorOptions): VirtualisationObstacle | undefined => {
  const obstacle =
    findVirtualisationObstacle() ??
    (findMicrosandbox(options) === undefined
      ? { reason: 'the package "microsandbox" is not installed', fix: 'Run "npm install microsandbox@0.6".' }
      : undefined);
  return obstacle && { ...obstacle, reason: `${obstacle.reason} (this executor is experimental)` };
};

const inspect = (options: MicrovmExecutorOptions): ExecutorReport => {
  const obstacle = findObstacle(options);
  if (obstacle !== undefined) return { isAvailable: false, ...obstacle, walls: [], gaps: [] };
  return {
    isAvailable: true,
    walls: [
      "own kernel in a virtual machine (experimental: never tested by this project)",
      "no network",
      "fixed memory",
      "our files read-only",
    ],
    gaps: ["bugs of the package's own virtual machine monitor"],
  };
};
