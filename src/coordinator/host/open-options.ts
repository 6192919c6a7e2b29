// What whoever opens a coordinator can say.
import type { ConfigurationDocument, SettingsInput } from "../../config/index.js";
import type { Hooks, HostTools, Plugin, TrustRecord } from "../../contracts/index.js";

export interface OpenOptions {
  /** A path, several paths, or a document of the same form; without it the usual places are looked at. */
  readonly config?: string | readonly string[] | ConfigurationDocument | undefined;
  /** Settings that win over every file and the environment. */
  readonly settings?: SettingsInput | undefined;
  /** Where relative paths and project files are looked for. @default process.cwd() */
  readonly workingFolder?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Functions of this process as tools: `{ server: { tool: defineTool({ … }) } }`. */
  readonly tools?: HostTools | undefined;
  /** What is asked before and after runs and calls. */
  readonly hooks?: Hooks | undefined;
  /** Hooks and tools under a name, in the order in which they are asked; `hooks` come before them. */
  readonly plugins?: readonly Plugin[] | undefined;
  /**
   * `true`: use everything as it is now, also what came with the working folder. `false`: only what a person has trusted, also of the files
   * that `config` names. A list, another coordinator's `trusted`: that and no more. @default what `config` names is trusted as it is now
   */
  readonly trust?: boolean | readonly TrustRecord[] | undefined;
  /** The files that `config` names need no record of trust. @default true if `trust` is not given */
  readonly trustsNamed?: boolean | undefined;
}

export const knownOptions: Record<keyof OpenOptions, true> = {
  config: true,
  settings: true,
  workingFolder: true,
  environment: true,
  tools: true,
  hooks: true,
  plugins: true,
  trust: true,
  trustsNamed: true,
};
