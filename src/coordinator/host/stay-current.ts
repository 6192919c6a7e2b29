// Keeps a coordinator that runs for long up to date: it follows the configuration files, and asks servers in the background what they offer.
import { describeUpdate } from "../../contracts/index.js";
import { checkApprovals } from "../checks/check-approvals.js";
import { type Host, readCatalog } from "./host.js";

/** How often the files are looked at. */
const lookEveryMs = 1000;
/** The first answers to the client come before servers are asked. */
const firstRefreshMs = 1500;
const refreshEveryMs = 60 * 60 * 1000;
/** A client that is started again and again does not start every server each time. */
const freshForMs = 15 * 60 * 1000;

export interface StayCurrentOptions {
  /** Called with what a person should know. */
  readonly onNote?: ((text: string) => void) | undefined;
  /**
   * Trust edits of the files that `config` names, unless a server was given a folder that they are in: then a program could edit them.
   * Without it, a server that is new or changed is not started, and settings that allow more do not hold, before a person has trusted them.
   */
  readonly trustsEdits?: boolean | undefined;
}

export interface StayCurrentParts extends StayCurrentOptions {
  readonly openHost: () => Promise<Host>;
  /** Another text when a configuration file has changed. */
  readonly stamp: () => string;
  /** Reads the configuration again. Resolves with the servers that came, went or changed. */
  readonly reload: () => Promise<{ readonly servers: readonly string[]; readonly notes: readonly string[] }>;
}

/** Returns a function that ends it. */
export const stayCurrent = ({ openHost, stamp, reload, onNote = () => {} }: StayCurrentParts) => {
  let isOver = false;
  const told = new Set<string>();
  const refresh = async (): Promise<void> => {
    const host = await openHost();
    const { servers } = host.configuration;
    const usable = servers.filter(({ isEnabled, problem }) => isEnabled && problem === undefined);
    await Promise.all(
      usable.map(async ({ name }) => {
        const isKnown = (await host.upstreams.peek(name)) !== undefined;
        if (isOver || (isKnown && !(await host.upstreams.isStale(name, freshForMs)))) return;
        // Whoever searches or calls hears why a server fails.
        await readCatalog(host, name, { refresh: true, priority: "background" }).catch(() => {});
      }),
    ).catch(() => {});
    const updates = usable.map(async ({ name }) =>
      describeUpdate(name, await host.upstreams.describeLaunch(name)),
    );
    const notes = [...(await checkApprovals(host)), ...(await Promise.all(updates))];
    for (const text of isOver ? [] : notes.filter((note) => note !== undefined)) {
      if (!told.has(text)) onNote(text);
      told.add(text);
    }
  };

  let seen = stamp();
  let isReloading = false;
  const look = async (): Promise<void> => {
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
      // Half of an edit, perhaps: what was read before holds until the file can be read again.
      onNote(
        `The configuration stays as it was: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      );
    } finally {
      isReloading = false;
    }
  };

  const timers = [
    setTimeout(() => void refresh().catch(() => {}), firstRefreshMs),
    setInterval(() => void refresh().catch(() => {}), refreshEveryMs),
    ...(seen === "" ? [] : [setInterval(() => void look().catch(() => {}), lookEveryMs)]),
  ];
  for (const timer of timers) timer.unref();
  return (): void => {
    isOver = true;
    for (const timer of timers) clearTimeout(timer);
  };
};
