// Asks whether a folder's configuration may be used, and shows what it would start.
import type { UntrustedItem } from "../../../contracts/index.js";
import { noteFacts, toJudgedText } from "../render/launch.js";
import { shortenHome } from "../render/plain-text.js";
import type { Screen } from "../screen.js";
import { ask } from "./confirm.js";

const labels = { settings: "settings", environment: "variables", state: "state" } as const;

/** Every item in full, because a person cannot judge what is not shown. */
export const noteUntrusted = (screen: Screen, items: readonly UntrustedItem[]): void => {
  let file = "";
  for (const item of items) {
    if (item.file !== file) screen.note(screen.styleNote("bold", toJudgedText(shortenHome(item.file))));
    file = item.file;
    const label = item.kind === "server" ? toJudgedText(item.name) : labels[item.kind];
    const written = toJudgedText(item.written);
    if (item.before !== undefined && item.before !== item.written) {
      screen.note(`  ${label}, trusted as:  ${screen.styleNote("red", toJudgedText(item.before))}`);
      screen.note(`  ${label} is now:       ${screen.styleNote("green", written)}`);
    } else {
      const change = item.before === undefined ? "" : " (something below has changed since it was trusted)";
      screen.note(`  ${label}:  ${written}${change}`);
    }
    noteFacts(screen, item.facts, item.written);
  }
};

/** True if the person trusts all of it. */
export const askTrust = async (screen: Screen, items: readonly UntrustedItem[]): Promise<boolean> => {
  screen.note("This configuration is not trusted yet. It would start or use:");
  noteUntrusted(screen, items);
  const answer = await ask(screen, {
    text: "Trust it as it is?",
    letters: ["y", "n"],
    onEnter: "n",
    onCancel: "n",
  });
  return answer === "y";
};

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
