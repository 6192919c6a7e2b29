// The strongest sandbox, for both languages: each guest process in a virtual machine of its own, through microsandbox.
import type { Executor, ExecutorReport, Language, Limits } from "../../contracts/index.js";
import { CoordinatorError } from "../../contracts/index.js";
import { createContainerNames } from "../container/container-names.js";
import { deferChannel } from "../deferred-channel.js";
import type { GuestChannel } from "../guest-channel.js";
import { openPooledExecutor } from "../pooled-executor.js";
import { findVirtualisationObstacle, type VirtualisationObstacle } from "./find-virtualisation.js";
import { findMicrosandbox, loadMicrosandbox } from "./microsandbox.js";
import { openVirtualMachine } from "./open-virtual-machine.js";

export interface MicrovmExecutorOptions {
  readonly limits: Limits;
  /** Images with Node or Python in them; fetched by microsandbox at the first use. @default official slim images */
  readonly images?: Partial<Record<Language, string>> | undefined;
  /** Where the package "microsandbox" is looked for after our own folder. @default the working folder */
  readonly packageFolder?: string | undefined;
  /** Without a run for so long, the last machine is ended too. @default 5 minutes */
  readonly idleMs?: number | undefined;
}

const defaultImages: Record<Language, string> = { typescript: "node:24-slim", python: "python:3.13-slim" };
const defaultIdleMs = 5 * 60_000;
const checkAfterMs = 10_000;

/** Opens the executor; nothing is looked for or started before `inspect`, `warm` or the first run. */
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

const findObstacle = (options: MicrovmExecutorOptions): VirtualisationObstacle | undefined =>
  findVirtualisationObstacle() ??
  (findMicrosandbox(options) === undefined
    ? { reason: 'the package "microsandbox" is not installed', fix: 'Run "npm install microsandbox@0.6".' }
    : undefined);

const inspect = (options: MicrovmExecutorOptions): ExecutorReport => {
  const obstacle = findObstacle(options);
  if (obstacle !== undefined) return { isAvailable: false, ...obstacle, walls: [], gaps: [] };
  return {
    isAvailable: true,
    walls: ["own kernel in a virtual machine", "no network", "fixed memory", "our files read-only"],
    gaps: ["the package's own virtual machine monitor", "not tested on every platform by this project"],
  };
};
