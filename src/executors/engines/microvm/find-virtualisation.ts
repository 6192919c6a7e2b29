// Experimental: checks whether this machine can start a virtual machine, without trying: a trial takes ten seconds.
import { accessSync, constants, readFileSync } from "node:fs";

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
