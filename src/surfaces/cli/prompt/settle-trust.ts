// Asks at a terminal whether to trust a folder's configuration when it is first needed.
import type { UntrustedItem } from "../../../contracts/index.js";
import type { Screen } from "../screen.js";
import { askTrust } from "./ask-trust.js";

/** True if the person was asked and trusts it. */
export const settleTrust = async (
  screen: Screen,
  items: readonly UntrustedItem[],
  config: readonly string[] | undefined,
): Promise<boolean> => {
  if (!screen.canAsk) return false;
  const { trust } = await import("../../../coordinator/index.js");
  // Again, with what is known about their packages.
  const { items: described } = await trust({ config, shown: items, isDryRun: true });
  const shown = items.map(
    (item) =>
      described.find(({ fingerprint, name }) => fingerprint === item.fingerprint && name === item.name) ??
      item,
  );
  if (!(await askTrust(screen, shown))) return false;
  await trust({ shown, config });
  return true;
};
