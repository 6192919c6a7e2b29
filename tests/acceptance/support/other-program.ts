// Another project's program, installed for the test: pinned, without scripts, outside the checkout.
import { spawn } from "node:child_process";
import { once } from "node:events";

const { installPackages, toPackageDoors } = (await import(
  new URL("../../../scripts/install-packages.mjs", import.meta.url).href
)) as {
  readonly installPackages: (packages: readonly string[]) => Promise<void>;
  readonly toPackageDoors: (packages: readonly string[]) => {
    readonly findFile: (...path: string[]) => string;
  };
};

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface OtherProgram {
  /** Why the tests with it are skipped; undefined when they can run. */
  readonly problem?: string;
  readonly run: (
    words: readonly string[],
    options: { readonly env: Record<string, string>; readonly folder: string },
  ) => Promise<Ended>;
}

export interface Wanted {
  /** With its exact version. */
  readonly package: string;
  /** The file that is run, in the package. */
  readonly file: string;
  /** The oldest Node that it works with. */
  readonly node: number;
}

/** If the registry is certain to be reachable, a missing program is a failure. */
const isRequired = process.env.CI !== undefined;

export const openOtherProgram = async (wanted: Wanted): Promise<OtherProgram> => {
  const packages = [wanted.package];
  const name = wanted.package.slice(0, wanted.package.lastIndexOf("@"));
  const major = Number(process.versions.node.split(".")[0]);
  const problem =
    major < wanted.node
      ? `(skipped: ${wanted.package} needs Node ${wanted.node})`
      : await installPackages(packages).then(
          () => undefined,
          (error: Error) => {
            if (isRequired) throw error;
            return `(skipped: ${wanted.package} cannot be installed here: ${error.message.slice(0, 200)})`;
          },
        );
  const file = toPackageDoors(packages).findFile(...name.split("/"), ...wanted.file.split("/"));
  return {
    ...(problem === undefined ? {} : { problem }),
    run: async (words, { env, folder }) => {
      const child = spawn(process.execPath, [file, ...words], {
        cwd: folder,
        env: { PATH: process.env.PATH, ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const output = { stdout: "", stderr: "" };
      for (const stream of ["stdout", "stderr"] as const)
        child[stream].setEncoding("utf8").on("data", (text: string) => {
          output[stream] += text;
        });
      const [code] = (await once(child, "close")) as [number | null];
      return { code, ...output };
    },
  };
};
