// Finds the container runtime: Podman before Docker, because it needs neither root nor a daemon.
import { basename } from "node:path";
import { CoordinatorError } from "../../../contracts/index.js";
import { runCommand } from "./run-command.js";

export interface ContainerRuntime {
  readonly kind: "podman" | "docker";
  readonly command: string;
  /** It runs without root: an escape from a container ends as an ordinary user. */
  readonly isRootless: boolean;
  /** It can pass a descriptor of ours to a container, past its own client. */
  readonly canPassDescriptors: boolean;
}

export interface FindRuntimeOptions {
  /** "podman", "docker", or the path of one of them. @default the first that answers */
  readonly runtime?: string | undefined;
}

const infoFormats = {
  podman: "rootless={{.Host.Security.Rootless}} remote={{.Host.ServiceIsRemote}}",
  docker: "{{.ServerVersion}} {{json .SecurityOptions}}",
};

/** Asks each candidate. If none can run containers, throws SANDBOX_UNAVAILABLE with their answers. */
export const findRuntime = async ({ runtime }: FindRuntimeOptions = {}): Promise<ContainerRuntime> => {
  /** Answer → the commands that gave it. */
  const complaints = new Map<string, string[]>();
  for (const command of runtime === undefined ? ["podman", "docker"] : [runtime]) {
    const kind = basename(command).startsWith("docker") ? "docker" : "podman";
    const info = await runCommand(command, ["info", "--format", infoFormats[kind]]);
    // A Docker client without its daemon exits with 0 and prints nothing.
    if (info.isDone && info.output.trim() !== "")
      return {
        kind,
        command,
        isRootless: /rootless=true|name=rootless/.test(info.output),
        canPassDescriptors: info.output.includes("remote=false"),
      };
    const complaint = info.complaint || "no answer";
    complaints.set(complaint, [...(complaints.get(complaint) ?? []), command]);
  }
  const answers = [...complaints].map(([complaint, commands]) => `${commands.join(", ")}: ${complaint}`);
  throw new CoordinatorError(
    "SANDBOX_UNAVAILABLE",
    `Cannot start the sandbox "container": no container runtime answers (${answers.join("; ")})`,
    { hint: "Install Podman (it needs no daemon and no root), or start Docker." },
  );
};
