// The options of `openCoordinator`.
import { resolve } from "node:path";
import type { ConfigurationDocument, SettingsInput } from "../../config/index.js";
import {
  CoordinatorError,
  type Hooks,
  type HostTools,
  type Plugin,
  type RunOrigin,
  type TrustRecord,
} from "../../contracts/index.js";
import { nearestNames } from "../../schema/index.js";
import type { OnAudit } from "../audit/open-audit.js";
import type { Detect } from "../policies/external-detector.js";
import { checkObject } from "./bind-verbs.js";

/** How to open a coordinator: its configuration, settings, tools and hooks. All are optional. */
export interface OpenOptions {
  /** A path, several paths, or a document of the same form. @default the usual places */
  readonly config?: string | readonly string[] | ConfigurationDocument | undefined;
  /** Instead of `config`: this folder's `mcp-coordinator.json`, as far as a person has trusted it, and the person's own files. */
  readonly project?: string | undefined;
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
  /** Who starts its runs: `stats` counts what people run at a terminal separately. @default "agent" */
  readonly origin?: RunOrigin | undefined;
  /** Gets every line of the audit. With it, the setting `audit` is at least `on`. */
  readonly onAudit?: OnAudit | undefined;
  /** Finds personal values that our own detectors do not, if the policy hides any. A wrong or late answer withholds the text. */
  readonly detect?: Detect | undefined;
}

const knownOptions: Record<keyof OpenOptions, true> = {
  config: true,
  project: true,
  settings: true,
  workingFolder: true,
  environment: true,
  tools: true,
  hooks: true,
  plugins: true,
  trust: true,
  trustsNamed: true,
  origin: true,
  onAudit: true,
  detect: true,
};

/** Names that people try instead of `config`. */
const servers = new Set(["mcpServers", "servers", "configuration", "configPath", "configFile"]);

const refuseOption = (name: string, known: readonly string[]): CoordinatorError => {
  const [near] = nearestNames(name, known, 1);
  const hint = servers.has(name)
    ? "Pass servers as config: a path, or { config: { mcpServers: { … } } }"
    : near === undefined
      ? `There are: ${known.join(", ")}`
      : `Did you mean ${JSON.stringify(near)}?`;
  const shown = JSON.stringify(name.slice(0, 80));
  return new CoordinatorError("USAGE", `Cannot open the coordinator: unknown option ${shown}`, { hint });
};

/** Throws for a Node whose sandboxes cannot start: npm only warns when it installs the package there. */
export const checkNode = (version: string): void => {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) return;
  throw new CoordinatorError(
    "SANDBOX_UNAVAILABLE",
    `Cannot open the coordinator: this is Node ${version}, expected 22.13 or newer`,
    { hint: "Run your program with a newer Node, from https://nodejs.org." },
  );
};

/** Checks the names of the options. A project's folder is the working folder. */
export const readOptions = (given: OpenOptions): OpenOptions => {
  checkNode(process.versions.node);
  checkObject(given);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(knownOptions, name));
  if (unknown !== undefined) throw refuseOption(unknown, Object.keys(knownOptions));
  const { project, config } = given;
  if (project === undefined) return given;
  if (config !== undefined)
    throw new CoordinatorError(
      "USAGE",
      'Cannot open the coordinator: both "config" and "project" are given',
      {
        hint: "A project's configuration is its mcp-coordinator.json. Name other files with config only.",
      },
    );
  const folder = resolve(given.workingFolder ?? ".", project);
  return { ...given, project: folder, workingFolder: folder };
};
