// The options of `openCoordinator`.
import type { ConfigurationDocument, SettingsInput } from "../../config/index.js";
import {
  CoordinatorError,
  type Hooks,
  type HostTools,
  type Plugin,
  type TrustRecord,
} from "../../contracts/index.js";
import { nearestNames } from "../../schema/index.js";

export interface OpenOptions {
  /** A path, several paths, or a document of the same form. @default the usual places */
  readonly config?: string | readonly string[] | ConfigurationDocument | undefined;
  /** Settings that override every file and the environment. */
  readonly settings?: SettingsInput | undefined;
  /** Relative paths and project files are resolved from here. @default process.cwd() */
  readonly workingFolder?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Functions of this process as tools: `{ server: { tool: defineTool({ … }) } }`. */
  readonly tools?: HostTools | undefined;
  /** Hooks before and after runs and calls. */
  readonly hooks?: Hooks | undefined;
  /** Named hooks and tools, in the order in which they run. `hooks` run before them. */
  readonly plugins?: readonly Plugin[] | undefined;
  /**
   * `true`: use everything as it is now, including what came with the working folder. `false`: use only what a person has trusted, also in the
   * files that `config` names. A list, e.g. another coordinator's `trusted`: exactly that. @default trust what `config` names as it is now
   */
  readonly trust?: boolean | readonly TrustRecord[] | undefined;
  /** The files that `config` names need no trust record. @default true if `trust` is not given */
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

/** Names that people try instead of `config`. */
const servers = new Set(["mcpServers", "servers", "configuration", "configPath", "configFile"]);

export const refuseOption = (name: string, known: readonly string[]): CoordinatorError => {
  const [near] = nearestNames(name, known, 1);
  const hint = servers.has(name)
    ? "Pass servers as config: a path, or { config: { mcpServers: { … } } }"
    : near === undefined
      ? `There are: ${known.join(", ")}`
      : `Did you mean ${JSON.stringify(near)}?`;
  const shown = JSON.stringify(name.slice(0, 80));
  return new CoordinatorError("USAGE", `Cannot open the coordinator: unknown option ${shown}`, { hint });
};
