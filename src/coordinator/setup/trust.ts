// Trusts a configuration exactly as a person saw it, or revokes that trust.
import { resolve } from "node:path";
import {
  isWithin,
  loadConfiguration,
  personalStateFolder,
  readTrust,
  writeTrust,
} from "../../config/index.js";
import {
  describePackage,
  type LaunchFact,
  type LaunchSummary,
  type UntrustedItem,
} from "../../contracts/index.js";
import { openStartFailures } from "../../store/index.js";
import { openLauncher } from "../servers/fetch-servers.js";
import { type OnboardingPlaces, toFolders } from "./onboarding-places.js";

/** Which configuration files a person trusts, or no longer trusts. */
export interface TrustRequest extends OnboardingPlaces {
  /** Files or folders to use instead of those of the working folder. */
  readonly config?: string | readonly string[] | undefined;
  /** Revoke trust in these files or this folder. */
  readonly isForgotten?: boolean | undefined;
  /** Only list what waits for trust. */
  readonly isDryRun?: boolean | undefined;
  /** Include disabled servers. */
  readonly withDisabled?: boolean | undefined;
  /** Trust only these items, as the person saw them. Later changes wait for the next review. */
  readonly shown?: readonly UntrustedItem[] | undefined;
}

/** What was waiting for trust, and what was changed. */
export interface TrustResult {
  /** Items that were waiting. */
  readonly items: readonly UntrustedItem[];
  /** Items of this folder that were trusted before. */
  readonly forgotten: number;
  readonly isWritten: boolean;
}

const isSame = (one: Pick<UntrustedItem, "kind" | "file" | "name">, other: typeof one): boolean =>
  one.kind === other.kind && one.file === other.file && one.name === other.name;

/** Trusts the items, or with `isDryRun` only lists them. `isMeant` filters out what the caller did not write or show. */
export const trust = async (
  request: TrustRequest = {},
  isMeant: (item: UntrustedItem) => boolean = () => true,
): Promise<TrustResult> => {
  const folders = toFolders(request);
  const personalFolder = personalStateFolder(folders);
  const known = readTrust(personalFolder);
  if (request.isForgotten === true) {
    const places = [request.config ?? "."].flat().map((path) => resolve(folders.workingFolder, path));
    const remaining = known.filter(({ file }) => !places.some((place) => isWithin(file, place)));
    if (request.isDryRun !== true && remaining.length < known.length) writeTrust(personalFolder, remaining);
    return {
      items: [],
      forgotten: known.length - remaining.length,
      isWritten: remaining.length < known.length,
    };
  }
  const { untrusted, settings, servers } = await loadConfiguration({
    ...folders,
    config: request.config,
    trust: false,
    judgesDisabled: request.withDisabled,
  });
  const isShown = (item: UntrustedItem): boolean =>
    request.shown?.some((one) => isSame(one, item) && one.fingerprint === item.fingerprint) ?? true;
  const items = untrusted.filter((item) => isShown(item) && isMeant(item));
  const isWritten = request.isDryRun !== true && items.length > 0;
  if (isWritten) {
    const trustedAt = new Date().toISOString();
    writeTrust(personalFolder, [
      ...known.filter((record) => !items.some((item) => isSame(item, record))),
      ...items.map(({ before: _, facts: __, ...item }) => ({ ...item, trustedAt })),
    ]);
    // After reviewing a server, a person wants to see it start.
    const failures = openStartFailures(settings.cacheFolder);
    await Promise.all(items.filter(({ kind }) => kind === "server").map(({ name }) => failures.forget(name)));
  }
  if (request.isDryRun !== true) return { items, forgotten: 0, isWritten };
  const launcher = openLauncher(settings, folders.environment);
  const describe = async (name: string): Promise<LaunchSummary | undefined> => {
    const [server] = servers.filter((one) => one.name === name);
    const { target } = server ?? {};
    if (server === undefined || target === undefined || target.kind === "in-process") return undefined;
    return launcher.describe({ ...server, target });
  };
  return { items: await describePackages(items, describe), forgotten: 0, isWritten };
};

const toFact = ({ package: found, isPinned, isFetched }: LaunchSummary): readonly LaunchFact[] => {
  const what =
    found !== undefined
      ? describePackage(found)
      : isFetched
        ? "what its runner finds"
        : isPinned
          ? "the version that it names, not installed yet"
          : "the version that its registry has when it is installed";
  const later = isPinned ? "" : "; newer versions are used without asking, unless the command names one";
  return [{ label: "package", value: `${what}${later}`, isSteering: !isPinned }];
};

/** Adds a line about their packages. Fingerprints stay the same: an update is shown but needs no new trust. */
const describePackages = (
  items: readonly UntrustedItem[],
  describe: (server: string) => Promise<LaunchSummary | undefined>,
): Promise<readonly UntrustedItem[]> =>
  Promise.all(
    items.map(async (item) => {
      const launch = item.kind === "server" ? await describe(item.name) : undefined;
      return launch === undefined ? item : { ...item, facts: [...(item.facts ?? []), ...toFact(launch)] };
    }),
  );
