// At a terminal, what came with a folder is asked about where it is first needed.
import type { UntrustedItem } from "../../../contracts/index.js";
import type { Screen } from "../screen.js";
import { askTrust } from "./ask-trust.js";

/** True when the person was asked, and trusts it from now on. */
export const settleTrust = async (
  screen: Screen,
  items: readonly UntrustedItem[],
  config: readonly string[] | undefined,
): Promise<boolean> => {
  if (!screen.canAsk || !(await askTrust(screen, items))) return false;
  const { trust } = await import("../../../coordinator/index.js");
  await trust({ shown: items, config });
  return true;
};
