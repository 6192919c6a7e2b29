// Keeps a long-running coordinator current: watches the configuration files and refreshes tool listings in the background.
import { describeUpdate } from "../../contracts/index.js";
import { checkApprovals } from "../policies/check-policies.js";
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
