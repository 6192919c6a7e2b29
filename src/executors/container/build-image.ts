// Makes the container executor's image out of what this machine has: Node, Python when it is there, the libraries they link.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CoordinatorError } from "../../contracts/index.js";
import { findLibraries } from "./find-libraries.js";
import { findPython } from "./find-python.js";
import { findRuntime } from "./find-runtime.js";
import { builtImage } from "./plan-containers.js";
import { runCommand, runtimeEnvironment } from "./run-command.js";

export interface BuildImageOptions {
  /** "podman", "docker", or the path of one of them. @default the first that answers */
  readonly runtime?: string;
  /** @default the name under which the executor looks for it */
  readonly image?: string;
  /** The interpreter to take; its libraries come with it. False: none. @default "python3" */
  readonly python?: string | false;
}

export interface BuiltImage {
  readonly image: string;
  readonly node: string;
  /** Absent when there is no interpreter here, or none was wanted. */
  readonly python?: string;
}

const nodeFile = "/usr/local/bin/node";
/** Where the runtime mounts what is not in the image. */
const emptyFolders = ["proc", "sys", "dev", "tmp", "etc", "run", "coordinator"];
/** What data libraries look for outside their own folders. */
const sharedFolders = ["/usr/share/zoneinfo"].filter(existsSync);
const systemPath = "/usr/local/bin:/usr/bin:/bin";

/** Builds it anew and replaces the one before. Nothing is downloaded. */
export const buildImage = async (options: BuildImageOptions = {}): Promise<BuiltImage> => {
  const { image = builtImage, python = "python3" } = options;
  if (process.platform !== "linux")
    throw new CoordinatorError(
      "SANDBOX_UNAVAILABLE",
      `Cannot build the image "${image}": the programs of this machine are for ${process.platform}, wanted linux`,
      { hint: 'Use an image that exists, e.g. "node:24-slim", as the executor\'s image.' },
    );
  const runtime = await findRuntime(options);
  const interpreter = python === false ? undefined : await findPython(python);
  const taken = [...(interpreter?.files ?? []), ...(interpreter === undefined ? [] : sharedFolders)];
  const libraries = await findLibraries([process.execPath, ...taken]);
  const before = await readImageId(runtime.command, image);
  const folder = await mkdtemp(join(tmpdir(), "mcp-coordinator-image-"));
  try {
    await mkdir(join(folder, dirname(nodeFile)), { recursive: true });
    await copyFile(process.execPath, join(folder, nodeFile));
    for (const name of emptyFolders) await mkdir(join(folder, name));
    // A runtime gives what it mounts there the mode of the folder in the image.
    await chmod(join(folder, "tmp"), 0o1777);
    const path = interpreter === undefined ? systemPath : `${dirname(interpreter.command)}:${systemPath}`;
    await importImage({
      command: runtime.command,
      folder,
      paths: [...taken, ...libraries],
      image,
      changes: [`ENV PATH=${path}`],
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  if (before !== "" && before !== (await readImageId(runtime.command, image)))
    await runCommand(runtime.command, ["image", "rm", before]);
  return {
    image,
    node: process.versions.node,
    ...(interpreter === undefined ? {} : { python: interpreter.version }),
  };
};

const readImageId = async (command: string, image: string): Promise<string> =>
  (await runCommand(command, ["image", "inspect", "--format", "{{.Id}}", image])).output.trim();

interface ImportOptions {
  readonly command: string;
  /** What the machine has elsewhere or not at all. */
  readonly folder: string;
  /** What the machine has in the same place. */
  readonly paths: readonly string[];
  readonly image: string;
  readonly changes: readonly string[];
}

/** Packs it all, links as what they point to, owned by root and readable by everybody, straight into the runtime. */
const importImage = ({ command, folder, paths, image, changes }: ImportOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const environment = runtimeEnvironment();
    const ownership = ["--owner=0", "--group=0", "--mode=a+rX"];
    const members = ["-C", folder, ".", "-C", "/", ...paths.map((path) => path.slice(1))];
    const pack = spawn("tar", ["--dereference", "--exclude=tests", ...ownership, "-c", ...members], {
      env: environment,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const changeWords = changes.flatMap((change) => ["--change", change]);
    const load = spawn(command, ["import", ...changeWords, "-", image], {
      env: environment,
      stdio: [pack.stdout, "ignore", "pipe"],
    });
    let words = "";
    load.stderr.on("data", (chunk) => {
      words += String(chunk);
    });
    const fail = (complaint: string): void =>
      reject(
        new CoordinatorError("SANDBOX_UNAVAILABLE", `Cannot build the image "${image}": ${complaint}`, {
          hint: `Look whether "${command} info" shows a storage that works and has room.`,
        }),
      );
    pack.on("error", (error) => fail(error.message));
    load.on("error", (error) => fail(error.message));
    load.on("exit", (code) => {
      if (code === 0) resolve();
      else fail(words.trim().split("\n").at(-1) ?? "no output");
    });
  });
