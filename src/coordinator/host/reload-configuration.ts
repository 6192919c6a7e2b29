// Applies a configuration that was edited while the coordinator runs: servers come, go and change; most settings hold from the next run on.
import { isAbsolute, relative, resolve } from "node:path";
import type { Configuration, ServerDefinition, Settings } from "../../contracts/index.js";

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** Read with every run or request. All others were used to open something, and hold from the next start on. */
const liveSettings = [
  "approve",
  "limits",
  "network",
  "output",
  "packages",
  "profiles",
  "proposeSkills",
  "surface",
  "callTool",
  "runPython",
  "addServers",
] as const satisfies readonly (keyof Settings)[];

/** Whether an argument of a server names a folder that a configuration file is in: a program could then edit that file. */
export const isWithinReach = (
  { servers, sources }: Pick<Configuration, "servers" | "sources">,
  workingFolder = ".",
): boolean =>
  servers.some(({ target }) => {
    if (target.kind !== "stdio") return false;
    const folders = target.args.map((word) => resolve(workingFolder, target.cwd ?? ".", word));
    return sources.some((file) =>
      folders.some((folder) => {
        const way = relative(folder, resolve(workingFolder, file));
        return way !== "" && !way.startsWith("..") && !isAbsolute(way);
      }),
    );
  });

export interface ReloadOptions {
  /** The one that everything reads; it is changed in place. */
  readonly configuration: Configuration & { readonly servers: ServerDefinition[] };
  /** Reads the files again. What was not there at the start is trusted only where a person has looked at it. */
  readonly load: () => Promise<Configuration>;
  /** Servers that were registered in code. */
  readonly embedded: readonly ServerDefinition[];
}

export interface Reloaded {
  /** Servers that came, went or changed. */
  readonly servers: readonly string[];
  /** What a person should know. */
  readonly notes: readonly string[];
}

const toKey = ({ problem, ...definition }: ServerDefinition): string =>
  JSON.stringify([definition, problem?.message]);

export const openReloading = ({
  configuration,
  load,
  embedded,
}: ReloadOptions): (() => Promise<Reloaded>) => {
  const writable: Writable<Configuration> = configuration;
  let configured = configuration.servers.filter((server) => !embedded.includes(server));

  const applyServers = (next: readonly ServerDefinition[]): readonly string[] => {
    const others = configuration.servers.filter((server) => !configured.includes(server));
    const before = new Map(configured.map((server) => [server.name, server]));
    const taken = new Set(embedded.map(({ name }) => name));
    const current = next
      .filter(({ name }) => !taken.has(name))
      .map((server) => {
        const known = before.get(server.name);
        return known !== undefined && toKey(known) === toKey(server) ? known : server;
      });
    const names = new Set(current.map(({ name }) => name));
    const changed = [
      ...current.filter((server) => before.get(server.name) !== server),
      ...configured.filter(({ name }) => !names.has(name)),
    ];
    configured = current;
    configuration.servers.splice(
      0,
      configuration.servers.length,
      ...current,
      // Those that an agent added stay, unless they are configured by now.
      ...others.filter(({ name }) => !names.has(name)),
    );
    return changed.map(({ name }) => name);
  };

  const applySettings = (next: Settings): readonly string[] => {
    const live: readonly string[] = liveSettings;
    const changed = (Object.keys(next) as (keyof Settings)[]).filter(
      (name) => JSON.stringify(next[name]) !== JSON.stringify(configuration.settings[name]),
    );
    const applied = changed.filter((name) => live.includes(name));
    const later = changed.filter((name) => !live.includes(name));
    writable.settings = {
      ...configuration.settings,
      ...Object.fromEntries(applied.map((name) => [name, next[name]])),
    };
    return later.length === 0 ? [] : [`These settings take effect at the next start: ${later.join(", ")}`];
  };

  return async () => {
    const next = await load();
    const servers = applyServers(next.servers);
    const notes = applySettings(next.settings);
    const warnings = next.warnings.filter((text) => !configuration.warnings.includes(text));
    const { addable, sources, untrusted } = next;
    Object.assign(writable, { addable, sources, untrusted, warnings: next.warnings });
    return { servers, notes: [...warnings, ...notes] };
  };
};
