// One running container as a channel: the runtime's client carries the bytes; to stop it, the container itself is killed.
import { readFileSync } from "node:fs";
import { CoordinatorError } from "../../../contracts/index.js";
import { type GuestChannel, spawnChannel } from "../../host/guest-channel.js";
import { type GuestKind, guestCommand, guestMounts } from "../guest-files.js";
import { runCommand, runtimeEnvironment, toContainerArguments } from "./container-runtime.js";
import { type ContainerPlan, toImageFix } from "./plan-containers.js";

export interface OpenContainerOptions {
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
export const openContainer = ({
  plan,
  guest,
  name,
  folder,
  memoryMb,
}: OpenContainerOptions): GuestChannel => {
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
      void runCommand(command, ["rm", "--force", name]).then(() => client.kill("SIGKILL"));
    },
  });
  const startTimer = setTimeout(() => channel.kill(), startMs).unref();
  channel.onExit(() => clearTimeout(startTimer));
  channel.output.once("data", () => {
    clearTimeout(startTimer);
    void runCommand(command, ["inspect", "--format", "{{.State.Pid}}", name]).then(({ output }) => {
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
