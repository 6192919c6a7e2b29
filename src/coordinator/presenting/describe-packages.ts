// Describes the packages that waiting servers would run: a command names a package, but often not its version.
import {
  describePackage,
  type LaunchFact,
  type LaunchSummary,
  type UntrustedItem,
} from "../../contracts/index.js";

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
export const describePackages = (
  items: readonly UntrustedItem[],
  describe: (server: string) => Promise<LaunchSummary | undefined>,
): Promise<readonly UntrustedItem[]> =>
  Promise.all(
    items.map(async (item) => {
      const launch = item.kind === "server" ? await describe(item.name) : undefined;
      return launch === undefined ? item : { ...item, facts: [...(item.facts ?? []), ...toFact(launch)] };
    }),
  );
