// Experimental: this sandbox has never run on real hardware. Each guest process has its own virtual machine, through microsandbox.
import { accessSync, constants, readFileSync } from "node:fs";
import {
  CoordinatorError,
  type Executor,
  type ExecutorReport,
  type Language,
  type Limits,
} from "../../../contracts/index.js";
import { deferChannel, type GuestChannel } from "../../host/guest-channel.js";
import { openProcessExecutor } from "../../host/process-executor.js";
import { createContainerNames } from "../container/container-names.js";
import { findMicrosandbox, loadMicrosandbox, openVirtualMachine } from "./microsandbox.js";

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
  return openProcessExecutor({
    limits,
    engine: {
      name: "microvm",
      languages: ["typescript", "python"],
      idleMs,
      checkAfterMs,
      kindOf: ({ language }) => language,
      start: (language) => deferChannel(open(language)),
      inspect: () => inspect(options),
    },
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

export interface VirtualisationObstacle {
  readonly reason: string;
  readonly fix: string;
}

/** Facts about a machine; all but the platform are read only where they matter. */
export interface MachineFacts {
  readonly platform: NodeJS.Platform;
  readonly architecture: string;
  /** "missing", "denied", or "usable". */
  readonly readKvm: () => "missing" | "denied" | "usable";
  /** The processor's features, as Linux lists them. */
  readonly readProcessor: () => string;
}

const kvmDevice = "/dev/kvm";

const thisMachine: MachineFacts = {
  platform: process.platform,
  architecture: process.arch,
  readKvm: () => {
    try {
      accessSync(kvmDevice, constants.R_OK | constants.W_OK);
      return "usable";
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "ENOENT" ? "missing" : "denied";
    }
  },
  readProcessor: () => {
    try {
      return readFileSync("/proc/cpuinfo", "utf8");
    } catch {
      return "";
    }
  },
};

/** Why no virtual machine can be started here; undefined if one can. */
export const findVirtualisationObstacle = (
  machine: MachineFacts = thisMachine,
): VirtualisationObstacle | undefined => {
  const { platform, architecture } = machine;
  if (platform === "darwin" && architecture === "arm64") return undefined;
  if (platform !== "linux" || (architecture !== "x64" && architecture !== "arm64"))
    return {
      reason: `no virtual machines of this kind on ${platform}-${architecture}`,
      fix: 'Use Linux with KVM or a Mac with Apple silicon, or the executor "container".',
    };
  const kvm = machine.readKvm();
  if (kvm === "missing")
    return {
      reason: `there is no ${kvmDevice}`,
      fix: "Enable virtualization in the firmware, or use a machine that supports nested virtualization.",
    };
  if (kvm === "denied")
    return {
      reason: `this user may not open ${kvmDevice}`,
      fix: 'Run "sudo usermod -aG kvm $USER" and log in again.',
    };
  // A KVM emulated in software answers but cannot run a guest kernel.
  if (architecture === "x64" && !/^flags\s*:.*\b(vmx|svm)\b/m.test(machine.readProcessor()))
    return {
      reason: `${kvmDevice} exists, but the processor has neither vmx nor svm: it is a KVM in software`,
      fix: "Use a machine with hardware virtualization, or one that supports nested virtualization.",
    };
  return undefined;
};
