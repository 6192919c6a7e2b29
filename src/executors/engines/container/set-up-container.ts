// `setup container`: builds an image of this machine's Node and Python, and tests it before it replaces the previous one.
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readdir, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { CoordinatorError, type Limits } from "../../../contracts/index.js";
import { testRun } from "../../self-test.js";
import { defaultEnvironmentFolder, findInterpreter, type Interpreter } from "../python/interpreter.js";
import type { SetUpSandbox } from "../python/set-up-python.js";
import { openContainerExecutor } from "./container.js";
import { askRuntime, findRuntime, runtimeEnvironment } from "./container-runtime.js";
import { builtImage } from "./plan-containers.js";

export interface BuildImageOptions {
  /** The command of Podman or Docker. */
  readonly command: string;
  readonly image: string;
  /** Packed with its libraries. Without it the image has no Python. */
  readonly python?: Interpreter | undefined;
}

const nodeFile = "/usr/local/bin/node";
/** Where the runtime mounts what is not in the image. */
const emptyFolders = ["proc", "sys", "dev", "tmp", "etc", "run", "coordinator"];
/** Files that data libraries expect outside their own folders. */
const sharedFolders = ["/usr/share/zoneinfo"];
const systemPath = "/usr/local/bin:/usr/bin:/bin";

export interface PythonFiles {
  /** Files and folders. */
  readonly paths: readonly string[];
  /** What to leave out of them. */
  readonly excluded: readonly string[];
}

/** What a Python needs to run elsewhere under the same paths. */
export const listPythonFiles = ({ prefixes, executables, modules }: Interpreter): PythonFiles => ({
  paths: withoutNested(
    [`${prefixes[0]}/pyvenv.cfg`, ...executables, ...modules, ...sharedFolders].filter((path) =>
      existsSync(path),
    ),
  ),
  // An environment does not include its base Python's libraries, and Python's own tests are larger than Python.
  excluded: modules
    .flatMap((folder) => ["site-packages", "dist-packages", "test"].map((name) => `${folder}/${name}`))
    .filter((path) => !modules.includes(path) && existsSync(path)),
});

const noFiles: PythonFiles = { paths: [], excluded: [] };

/** Always builds from scratch. Nothing is downloaded. */
export const buildImage = async ({ command, image, python }: BuildImageOptions): Promise<void> => {
  if (process.platform !== "linux")
    throw new CoordinatorError(
      "SANDBOX_UNAVAILABLE",
      `Cannot build the image "${image}": this machine's programs are for ${process.platform}, but the image needs linux`,
      { hint: 'Use an image that exists: "coordinator": { "container": { "image": "node:24-slim" } }.' },
    );
  const { paths, excluded } = python === undefined ? noFiles : listPythonFiles(python);
  const hidden = paths.find(
    (path) => emptyFolders.includes(path.split("/")[1] ?? "") && !path.startsWith("/etc/"),
  );
  if (hidden !== undefined)
    throw new CoordinatorError(
      "SANDBOX_UNAVAILABLE",
      `Cannot build the image "${image}": "${hidden}" of this Python is hidden in a container, which has its own /${hidden.split("/")[1]}`,
      { hint: 'Configure a Python in another folder: "coordinator": { "python": { "interpreter" } }.' },
    );
  const libraries = await findLibraries([process.execPath, ...paths], excluded);
  const folder = await mkdtemp(join(tmpdir(), "mcp-coordinator-image-"));
  try {
    await mkdir(join(folder, dirname(nodeFile)), { recursive: true });
    await copyFile(process.execPath, join(folder, nodeFile));
    for (const name of emptyFolders) await mkdir(join(folder, name));
    // A runtime gives a mount the mode of the folder in the image.
    await chmod(join(folder, "tmp"), 0o1777);
    if (python !== undefined) await stagePython(folder, python);
    const path = python === undefined ? systemPath : `${dirname(python.executable)}:${systemPath}`;
    await importImage({ command, folder, paths: [...paths, ...libraries], excluded, image, path });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Guests start "python3"; its location decides which libraries it finds. */
const stagePython = async (folder: string, { executable }: Interpreter): Promise<void> => {
  const place = dirname(executable);
  if (existsSync(`${place}/python3`) && (await realpath(`${place}/python3`)) === (await realpath(executable)))
    return;
  await mkdir(join(folder, place), { recursive: true });
  await copyFile(await realpath(executable), join(folder, place, "python3"));
};

interface ImportOptions {
  readonly command: string;
  /** Files that the machine has elsewhere or not at all. */
  readonly folder: string;
  /** Files that the machine has in the same place. */
  readonly paths: readonly string[];
  readonly excluded: readonly string[];
  readonly image: string;
  /** The PATH inside. */
  readonly path: string;
}

/** Streams everything into the runtime: links followed, owned by root, readable by everybody. */
const importImage = (options: ImportOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const { command, folder, paths, excluded, image, path } = options;
    const environment = runtimeEnvironment();
    const ownership = ["--owner=0", "--group=0", "--mode=a+rX"];
    // The libraries' own tests are a third of them. A Python below a folder of that name is not a test.
    const tests = paths.some((one) => one.split("/").includes("tests")) ? [] : ["tests"];
    const names = [...tests, ...excluded.map((one) => one.slice(1))];
    const left = ["--no-wildcards", ...names.map((one) => `--exclude=${one}`)];
    const members = ["-C", folder, ".", "-C", "/", ...paths.map((one) => one.slice(1))];
    const pack = spawn("tar", ["--dereference", ...left, ...ownership, "-c", ...members], {
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const load = spawn(command, ["import", "--change", `ENV PATH="${path}"`, "-", image], {
      env: environment,
      stdio: [pack.stdout, "ignore", "pipe"],
    });
    const fail = (complaint: string): void =>
      reject(
        new CoordinatorError("SANDBOX_UNAVAILABLE", `Cannot build the image "${image}": ${complaint}`, {
          hint: `Check with "${command} info" that its storage works and has space.`,
        }),
      );
    const endOf = (child: typeof pack | typeof load, worst: number): Promise<void> =>
      new Promise((ended) => {
        let words = "";
        child.stderr?.on("data", (chunk) => {
          words = (words + String(chunk)).slice(-4000);
        });
        child.on("error", (error) => fail(error.message));
        // Not "close": the packer's output belongs to the loader, and this process never sees its end.
        child.on("exit", (code) => {
          if (code === null || code > worst) fail(words.trim().split("\n").at(-1) || `it ended with ${code}`);
          else ended();
        });
      });
    // tar exits with 1 if a file changed while it was read.
    void Promise.all([endOf(pack, 1), endOf(load, 0)]).then(() => resolve());
  });

const batchSize = 100;

/** Paths of all libraries that these files, or the files in these folders, need, without those inside the folders. */
export const findLibraries = async (
  paths: readonly string[],
  excluded: readonly string[] = [],
): Promise<readonly string[]> => {
  const found = new Set<string>();
  const programs = (await Promise.all(paths.map(listPrograms)))
    .flat()
    .filter((path) => !excluded.some((folder) => path.startsWith(`${folder}/`)));
  for (let at = 0; at < programs.length; at += batchSize) {
    for (const line of (await askLinker(programs.slice(at, at + batchSize))).split("\n")) {
      const path = readPath(line);
      if (path !== undefined) found.add(path);
    }
  }
  return withoutNested([...paths, ...found]).filter((path) => !paths.includes(path));
};

/** `\tlibm.so.6 => /lib/libm.so.6 (0x…)`; wheels name their own libraries by `…/numpy/../numpy.libs/…`. */
const readPath = (line: string): string | undefined => {
  const end = line.lastIndexOf(" (0x");
  const start = line.indexOf("=> ");
  const path = line.slice(start < 0 ? 0 : start + 3, Math.max(end, 0)).trim();
  return path.startsWith("/") ? normalize(path) : undefined;
};

/** Removes duplicates and paths that lie inside another one. */
export const withoutNested = (paths: readonly string[]): readonly string[] => {
  const unique = [...new Set(paths.map((path) => normalize(path)))];
  return unique.filter((path) => !unique.some((other) => path !== other && path.startsWith(`${other}/`)));
};

const listPrograms = async (path: string): Promise<readonly string[]> => {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true });
  return entries.filter((name) => /\.so(\.\d+)*$/.test(name)).map((name) => join(path, name));
};

/** If a file is no program for this linker, it complains about that file only. */
const askLinker = (paths: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile("ldd", [...paths], { maxBuffer: 1 << 26 }, (_error, stdout) => resolve(stdout));
  });

export interface SetUpContainerOptions {
  readonly limits: Limits;
  /** "podman", "docker", or the path of one of them. @default the first that answers */
  readonly runtime?: string | undefined;
  readonly ociRuntime?: string | undefined;
  /** The name under which the executor looks for it. @default `builtImage` */
  readonly image?: string | undefined;
  /** The Python to pack. @default the one that Python programs run on */
  readonly interpreter?: string | undefined;
  /** @default the folder of `setup python` */
  readonly environmentFolder?: string | undefined;
  /** Receives progress lines. */
  readonly say?: ((line: string) => void) | undefined;
}

export const setUpContainer = async (options: SetUpContainerOptions): Promise<SetUpSandbox> => {
  const { limits, ociRuntime, image = builtImage, say = () => {} } = options;
  const { command } = await findRuntime(options);
  const python = await findPython(options);
  const packed =
    python === undefined
      ? "no Python: none was found"
      : `Python ${python.version.join(".")} (${python.executable})`;
  say(`Packing Node ${process.versions.node} and ${packed}`);
  const next = `${image.replace(/:[^:/]*$/, "")}:new`;
  const run = (...words: readonly string[]) => askRuntime(command, words);
  // Left by an interrupted setup.
  await run("image", "rm", next);
  try {
    await buildImage({ command, image: next, python });
    say("Running a program in a container");
    const executor = openContainerExecutor({ limits, runtime: command, ociRuntime, image: next });
    const languages = python === undefined ? (["typescript"] as const) : undefined;
    const runs = await testRun(executor, limits, languages).finally(executor.close);
    const before = await run("image", "inspect", "--format", "{{.Id}}", image);
    const { isDone, complaint } = await run("tag", next, image);
    if (!isDone)
      throw new CoordinatorError("SANDBOX_UNAVAILABLE", `Cannot name the image "${image}": ${complaint}`);
    if (before.isDone) await run("image", "rm", before.output.trim());
    return { made: image, holds: [`Node ${process.versions.node}`, ...runs.flatMap(({ found }) => found)] };
  } finally {
    // Removes only the name; the image has its final one by now, or failed.
    await run("image", "rm", next);
  }
};

/** A Python named in the settings must exist; without any, the image is for TypeScript only. */
const findPython = async ({
  interpreter,
  environmentFolder = defaultEnvironmentFolder(),
}: SetUpContainerOptions): Promise<Interpreter | undefined> => {
  const found = findInterpreter({ interpreter, environmentFolder });
  return interpreter === undefined ? found.catch(() => undefined) : found;
};
