// Keeps a long-running coordinator current: applies edited configuration files, and refreshes tool listings in the background.
import { resolve } from "node:path";
import { isWithin } from "../../config/index.js";
import {
  type Configuration,
  describeUpdate,
  type PolicyDocument,
  type ServerDefinition,
  type Settings,
} from "../../contracts/index.js";
import { checkApprovals } from "../policies/check-policies.js";
import { readPolicies } from "../policies/open-policies.js";
import { listWaiting } from "../servers/pinned-tools.js";
import { type Host, readCatalog } from "./host.js";

/** How often the files are checked. */
const pollEveryMs = 1000;
/** Answer the client's first requests before asking servers. */
const firstRefreshMs = 1500;
const refreshEveryMs = 60 * 60 * 1000;
/** A client that restarts often does not start every server each time. */
const freshForMs = 15 * 60 * 1000;

export interface StayCurrentOptions {
  /** Called with messages for a person. */
  readonly onNote?: ((text: string) => void) | undefined;
  /**
   * Trust edits of the files that `config` names, unless a server was given a folder that contains them: a program could then edit them.
   * Otherwise new or changed servers are not started, and looser settings do not apply, until a person has trusted them.
   */
  readonly trustsEdits?: boolean | undefined;
}

export interface StayCurrentParts extends StayCurrentOptions {
  readonly openHost: () => Promise<Host>;
  /** Changes when a configuration file changes. */
  readonly stamp: () => string;
  /** Reads the configuration again. Resolves with the servers that were added, removed or changed. */
  readonly reload: () => Promise<{ readonly servers: readonly string[]; readonly notes: readonly string[] }>;
}

/** Returns a function that stops it. */
export const stayCurrent = ({ openHost, stamp, reload, onNote = () => {} }: StayCurrentParts) => {
  let isOver = false;
  const reported = new Set<string>();
  const refresh = async (): Promise<void> => {
    const host = await openHost();
    const { servers } = host.configuration;
    const usable = servers.filter(({ isEnabled, problem }) => isEnabled && problem === undefined);
    await Promise.all(
      usable.map(async ({ name }) => {
        const isKnown = (await host.upstreams.peek(name)) !== undefined;
        if (isOver || (isKnown && !(await host.upstreams.isStale(name, freshForMs)))) return;
        // A search or a call reports why a server fails.
        await readCatalog(host, name, { refresh: true, priority: "background" }).catch(() => {});
      }),
    ).catch(() => {});
    const updates = usable.map(async ({ name }) =>
      describeUpdate(name, await host.upstreams.describeLaunch(name)),
    );
    const notes = [
      ...(await checkApprovals(host)),
      ...(await listWaiting(host)).map(({ problem, fix }) => `${problem}. ${fix}`),
      ...(await Promise.all(updates)),
    ];
    for (const text of isOver ? [] : notes.filter((note) => note !== undefined)) {
      if (!reported.has(text)) onNote(text);
      reported.add(text);
    }
  };

  let seen = stamp();
  let isReloading = false;
  const checkFiles = async (): Promise<void> => {
    const now = stamp();
    if (isReloading || now === seen) return;
    isReloading = true;
    seen = now;
    try {
      const { servers, notes } = await reload();
      for (const note of notes) onNote(note);
      if (servers.length > 0) onNote(`The configuration has changed: ${servers.join(", ")}`);
      if (servers.length > 0 && !isOver) await refresh();
    } catch (thrown) {
      // Possibly a half-finished edit: keep the last configuration until the file is valid again.
      onNote(`The configuration is unchanged: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    } finally {
      isReloading = false;
    }
  };

  const timers = [
    setTimeout(() => void refresh().catch(() => {}), firstRefreshMs),
    setInterval(() => void refresh().catch(() => {}), refreshEveryMs),
    ...(seen === "" ? [] : [setInterval(() => void checkFiles().catch(() => {}), pollEveryMs)]),
  ];
  for (const timer of timers) timer.unref();
  return (): void => {
    isOver = true;
    for (const timer of timers) clearTimeout(timer);
  };
};

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** Settings that every run or request reads. All others take effect with the next start. */
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

/** Whether a server was given a folder that contains a configuration file. A program could then edit that file. */
export const isWithinReach = (
  { servers, sources }: Pick<Configuration, "servers" | "sources">,
  workingFolder = ".",
): boolean =>
  servers.some(({ target }) => {
    if (target.kind !== "stdio") return false;
    const folders = target.args.map((word) => resolve(workingFolder, target.cwd ?? ".", word));
    return sources.some((file) =>
      folders.some((folder) => {
        const path = resolve(workingFolder, file);
        return path !== folder && isWithin(path, folder);
      }),
    );
  });

export interface ReloadOptions {
  /** The configuration that everything reads. It is changed in place. */
  readonly configuration: Configuration & { readonly servers: ServerDefinition[] };
  /** Reads the files again. Additions are trusted only if a person has reviewed them. */
  readonly load: () => Promise<Configuration>;
  /** Servers registered in code. */
  readonly embedded: readonly ServerDefinition[];
}

export interface Reloaded {
  /** The policy has changed, so other tools may be hidden. */
  readonly hasNewPolicy: boolean;
  /** Servers that were added, removed or changed. */
  readonly servers: readonly string[];
  /** Messages for a person. */
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
      // Servers that an agent added stay, unless they are now configured.
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

  /** A program may be able to edit the file, so what was forbidden stays forbidden until the next start. */
  const applyPolicies = ({ policies }: Configuration): readonly string[] => {
    const isKnown = ({ file, document }: PolicyDocument): boolean =>
      configuration.policies.some(
        (known) => known.file === file && JSON.stringify(known.document) === JSON.stringify(document),
      );
    const added = policies.filter((policy) => !isKnown(policy));
    if (added.length === 0 && policies.length === configuration.policies.length) return [];
    if (added.length > 0) writable.policies = [...configuration.policies, ...added];
    return [
      "The policy has changed. What it forbids applies now; what it allows in addition applies after the next start.",
    ];
  };

  return async () => {
    const next = await load();
    // Refuses a policy with mistakes before anything is changed.
    readPolicies(next);
    const servers = applyServers(next.servers);
    const notes = applySettings(next.settings);
    const warnings = next.warnings.filter((text) => !configuration.warnings.includes(text));
    const { addable, sources, untrusted, ignoredPolicies, warnings: all } = next;
    Object.assign(writable, { addable, sources, untrusted, ignoredPolicies, warnings: all });
    const policyNotes = applyPolicies(next);
    return {
      servers,
      notes: [...warnings, ...notes, ...policyNotes],
      hasNewPolicy: policyNotes.length > 0,
    };
  };
};
