// Looks for what makes npx run something else than the registry's package: a project's own, a global one, a project's settings.
import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { toPackageName } from "./fetch-npm.js";
import type { RunnerCommand } from "./parse-runner.js";

const isThere = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined)) !== undefined;

const listParents = (folder: string): readonly string[] => {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...listParents(parent)];
};

/** Whether a project's package.json could stand for the package. */
const namesIt = async (folder: string, name: string, word: string): Promise<boolean> => {
  try {
    const { name: own, bin } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
      readonly name?: unknown;
      readonly bin?: unknown;
    };
    return own === name || (typeof bin === "object" && bin !== null && Object.hasOwn(bin, word));
  } catch {
    return false;
  }
};

export interface ObstacleRequest {
  readonly runner: RunnerCommand;
  /** The folder that the server starts in. */
  readonly cwd: string;
  readonly home: string | undefined;
  /** The full path of the installer. */
  readonly installer: string;
}

/** Undefined where npx would take the package from its registry, by the user's own settings. */
export const findNpmObstacle = async (request: ObstacleRequest): Promise<string | undefined> => {
  const { runner, cwd, home, installer } = request;
  const parents = listParents(cwd);
  for (const spec of runner.specs) {
    const name = toPackageName(spec);
    const words = spec === name ? [spec] : [];
    for (const folder of parents) {
      const modules = join(folder, "node_modules");
      const places = [join(modules, name), ...words.map((word) => join(modules, ".bin", word))];
      for (const place of places)
        if (await isThere(place)) return `"${place}" is there: npx may start that one`;
    }
    const bins = dirname(installer);
    const globals = [
      ...[join(bins, "..", "lib", "node_modules", name), join(bins, "node_modules", name)],
      ...words.filter((word) => !word.includes("/")).map((word) => join(bins, word)),
    ];
    for (const place of globals)
      if (await isThere(place)) return `"${place}" is there: npx may start that one`;
  }
  // Where npm looks for a project's settings: the nearest folder that is a project, else the one it is started in.
  const project = await findProject(parents);
  const [spec = ""] = runner.specs;
  if (await namesIt(project, toPackageName(spec), spec)) return `"${project}" is a package of that name`;
  const hasSettings = project !== home && (await isThere(join(project, ".npmrc")));
  return hasSettings ? `"${join(project, ".npmrc")}" may say where packages come from` : undefined;
};

const findProject = async (parents: readonly string[]): Promise<string> => {
  for (const folder of parents)
    if ((await isThere(join(folder, "package.json"))) || (await isThere(join(folder, "node_modules"))))
      return folder;
  return parents[0] ?? ".";
};
