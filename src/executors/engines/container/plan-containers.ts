// How to start containers on this machine: determined once, by starting one without a guest, and then cached.
import { CoordinatorError, type Language, type Limits } from "../../../contracts/index.js";
import { type ContainerVariant, toContainerArguments } from "./container-arguments.js";
import type { ContainerNames } from "./container-names.js";
import { type ContainerRuntime, findRuntime } from "./find-runtime.js";
import { guestMounts, probeCommand } from "./guest-files.js";
import { type ContainerFacts, probedPaths, readWalls, type Walls } from "./read-walls.js";
import { runCommand } from "./run-command.js";

/** The image that `setup container` builds. */
export const builtImage = "localhost/mcp-coordinator-guest:latest";

export interface ContainerPlan extends Walls {
  readonly runtime: ContainerRuntime;
  readonly image: string;
  readonly variant: ContainerVariant;
  readonly ociRuntime?: string | undefined;
  /** For the whole container: a guest within its own limit never reaches it. */
  readonly memoryMb: number;
  /** Languages that the image can run. */
  readonly languages: readonly Language[];
}

export interface PlanContainersOptions {
  readonly limits: Limits;
  readonly names: ContainerNames;
  readonly runtime?: string | undefined;
  readonly ociRuntime?: string | undefined;
  readonly image?: string | undefined;
}

/** Strongest first. A machine that cannot map a second user or limit by cgroups gets the next one, and its gaps are reported. */
const variants: readonly ContainerVariant[] = [
  { hasOwnUser: true, hasControlGroups: true },
  { hasOwnUser: false, hasControlGroups: true },
  { hasOwnUser: true, hasControlGroups: false },
  { hasOwnUser: false, hasControlGroups: false },
];

/** Memory of the engine itself, plus possible growth between two memory checks. */
const memoryAboveLimitMb = 256;

/** Throws SANDBOX_UNAVAILABLE, with the next step, if no container can be started. */
export const planContainers = async (options: PlanContainersOptions): Promise<ContainerPlan> => {
  const { limits, image = builtImage, ociRuntime } = options;
  const runtime = await findRuntime(options);
  await requireImage(runtime, image);
  const base = { runtime, image, memoryMb: memoryAboveLimitMb + 3 * limits.memoryMb, ociRuntime };
  const complaints: string[] = [];
  for (const variant of variants) {
    for (const language of ["typescript", "python"] as const) {
      const probe = await runProbe({ ...base, variant, language, name: options.names.next() });
      if (typeof probe === "string") {
        complaints.push(probe);
        continue;
      }
      const { facts, languages } = probe;
      const { walls, gaps } = readWalls({ ...base, facts, isRootless: runtime.isRootless });
      const engine = languages.includes("typescript") ? ["V8 isolate (TypeScript)"] : [];
      return { ...base, variant, languages, walls: [...engine, ...walls], gaps };
    }
  }
  throw new CoordinatorError(
    "SANDBOX_UNAVAILABLE",
    `Cannot start the sandbox "container": "${runtime.command}" starts none from "${image}": ${complaints[0]}`,
    { hint: `Start one manually for details: ${runtime.command} run --rm ${image} node --version` },
  );
};

const requireImage = async ({ command }: ContainerRuntime, image: string): Promise<void> => {
  const { isDone } = await runCommand(command, ["image", "inspect", "--format", "{{.Id}}", image]);
  if (isDone) return;
  throw new CoordinatorError(
    "SANDBOX_UNAVAILABLE",
    `Cannot start the sandbox "container": there is no image "${image}"`,
    { hint: image === builtImage ? toImageFix(image) : `Run "${command} pull ${image}".` },
  );
};

/** How to get an image with everything in it. */
export const toImageFix = (image: string): string =>
  image === builtImage
    ? 'Run "mcp-coordinator setup container", or configure an image with Node and Python: "coordinator": { "container": { "image" } }.'
    : 'Configure an image with Node and Python: "coordinator": { "container": { "image" } }.';

interface ProbeOptions extends Omit<ContainerPlan, keyof Walls | "languages"> {
  readonly language: Language;
  readonly name: string;
}

interface Probe {
  readonly languages: readonly Language[];
  readonly facts: ContainerFacts;
}

/** What the kernel says inside, or why the container did not start. */
const runProbe = async ({ language, ...options }: ProbeOptions): Promise<Probe | string> => {
  const { isDone, output, complaint } = await runCommand(
    options.runtime.command,
    toContainerArguments({
      ...options,
      mounts: guestMounts(),
      command: probeCommand(language, probedPaths),
    }),
  );
  return isDone ? (parseProbe(output) ?? "its output does not come from our probe") : complaint;
};

/** An image's own entry point may have printed something else. */
const parseProbe = (output: string): Probe | undefined => {
  try {
    const { languages, facts } = JSON.parse(output) as Partial<Probe>;
    return Array.isArray(languages) && typeof facts === "object" ? { languages, facts } : undefined;
  } catch {
    return undefined;
  }
};
