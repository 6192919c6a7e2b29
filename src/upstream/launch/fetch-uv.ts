// Installs a Python tool into its own environment, with uv itself.
import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { FetchJob } from "./fetch-job.js";
import type { Fetched } from "./fetch-npm.js";
import { runInstallerOrThrow } from "./run-installer.js";

/** `Name[extra]==1.2` is `Name`. */
const toToolName = (spec: string): string => /^[\w.-]*/.exec(spec)?.[0] ?? spec;

const normalize = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, "-");

/** The version is part of a folder's name: `mcp_server_git-1.2.3.dist-info`. */
const readVersion = async (environment: string, name: string): Promise<string> => {
  const libraries =
    process.platform === "win32"
      ? [join(environment, "Lib", "site-packages")]
      : (await readdir(join(environment, "lib"))).map((one) =>
          join(environment, "lib", one, "site-packages"),
        );
  const found = (await Promise.all(libraries.map((one) => readdir(one).catch(() => [])))).flat();
  const versions = found.flatMap((one) => {
    const parts = /^([^-]+)-([^-]+)\.dist-info$/.exec(one);
    return parts !== null && normalize(parts[1] ?? "") === normalize(name) ? [parts[2] ?? ""] : [];
  });
  return versions[0] ?? "";
};

export const fetchUv = async (job: FetchJob, folder: string): Promise<Fetched> => {
  const [spec = "", ...extras] = job.specs;
  const name = toToolName(spec);
  const tools = join(folder, "tools");
  const env = { ...job.env, UV_TOOL_DIR: tools, UV_TOOL_BIN_DIR: join(folder, "bin"), UV_NO_PROGRESS: "1" };
  const withExtras = extras.flatMap((extra) => ["--with", extra]);
  await runInstallerOrThrow(job, ["tool", "install", ...job.flags, ...withExtras, "--", spec], env);
  const made = (await readdir(tools, { withFileTypes: true })).find((entry) => entry.isDirectory());
  const environment = join(tools, made?.name ?? name);
  const isWindows = process.platform === "win32";
  const program = join(
    environment,
    isWindows ? "Scripts" : "bin",
    `${job.bin ?? name}${isWindows ? ".exe" : ""}`,
  );
  const isThere = (await stat(program).catch(() => undefined))?.isFile() === true;
  return {
    name,
    version: await readVersion(environment, name),
    folder,
    // Without a program, leave it to the runner.
    ...(isThere
      ? { file: relative(folder, program) }
      : { obstacle: "the package has no program of that name" }),
  };
};
