// `trust`: lets this folder's configuration start its commands, exactly as it is; and the question that other commands ask first.
import { CoordinatorError, type UntrustedItem } from "../../../contracts/index.js";
import type { OpenOptions } from "../../../coordinator/index.js";
import type { Command } from "../command.js";
import { confirm } from "../prompt/choose.js";
import { plural, shortenHome } from "../render/plain-text.js";
import { noteFacts, toReviewText } from "../render/servers.js";
import type { Screen } from "../screen.js";

export const trust: Command = {
  name: "trust",
  usage: ["trust [--yes] [--config PATH]", "trust --forget"],
  description:
    "A configuration in the working folder may come from somebody else, or from a program, so its commands start only after you have reviewed them. If one changes, you are asked again. A file given with --config needs no review, unless serve has --require-trust, as in entries that init writes for a project. --trust applies to one command, MCP_COORDINATOR_TRUST=1 to one process.",
  examples: [
    ["mcp-coordinator trust", "Show what it would start, and ask"],
    ["mcp-coordinator trust --config team/mcp.json", "The same for a file that clients use"],
    ["mcp-coordinator trust --forget", "Ask again from now on"],
  ],
  options: {
    yes: { type: "boolean", short: "y", summary: "Trust without asking" },
    forget: {
      type: "boolean",
      summary: "Revoke trust in this folder, or in the files given with --config",
    },
  },
  run: async ({ screen, options }) => {
    const { trust: decide } = await import("../../../coordinator/index.js");
    const config = options.texts.config;
    const place = config === undefined ? "this folder" : config.join(", ");
    if (options.facts.has("forget")) {
      const { forgotten } = await decide({ config, isForgotten: true });
      if (screen.isJson) screen.document({ forgotten });
      else
        screen.print(
          forgotten === 0
            ? `Nothing in ${place} was trusted`
            : `No longer trusted: ${plural(forgotten, "item")} of ${place}`,
        );
      return 0;
    }
    const { items } = await decide({ config, isDryRun: true });
    const isAgreed = options.facts.has("yes");
    if (items.length === 0) {
      if (screen.isJson) screen.document({ items, isWritten: false });
      else screen.print(`Nothing in ${place} needs to be trusted`);
      return 0;
    }
    if (!isAgreed && (screen.isJson || !screen.canAsk)) {
      if (!screen.isJson) noteUntrusted(screen, items);
      throw new CoordinatorError(
        "CONFIRMATION_NEEDED",
        `Cannot trust ${place}: there is no terminal to ask for confirmation`,
        {
          hint: "Review what it would start, then run it again with --yes.",
          details: { items },
        },
      );
    }
    if (isAgreed && !screen.isJson) noteUntrusted(screen, items);
    if (!isAgreed && !(await askTrust(screen, items))) {
      screen.note("Nothing was trusted");
      return 1;
    }
    const result = await decide({ config, shown: items });
    if (screen.isJson) screen.document(result);
    else screen.print(`Trusted ${plural(result.items.length, "item")} of ${place}, until they change`);
    return 0;
  },
};

const labels = { settings: "settings", environment: "variables", state: "state" } as const;

/** Every item in full, because a person cannot judge what is not shown. */
const noteUntrusted = (screen: Screen, items: readonly UntrustedItem[]): void => {
  let file = "";
  for (const item of items) {
    if (item.file !== file) screen.note(screen.styleNote("bold", toReviewText(shortenHome(item.file))));
    file = item.file;
    const label = item.kind === "server" ? toReviewText(item.name) : labels[item.kind];
    const written = toReviewText(item.written);
    if (item.before !== undefined && item.before !== item.written) {
      screen.note(`  ${label}, trusted as:  ${screen.styleNote("red", toReviewText(item.before))}`);
      screen.note(`  ${label} is now:       ${screen.styleNote("green", written)}`);
    } else {
      const change = item.before === undefined ? "" : " (something below has changed since it was trusted)";
      screen.note(`  ${label}:  ${written}${change}`);
    }
    noteFacts(screen, item.facts, item.written);
  }
};

/** True if the person trusts all of it. */
const askTrust = async (screen: Screen, items: readonly UntrustedItem[]): Promise<boolean> => {
  screen.note("This configuration is not trusted yet. It would start or use:");
  noteUntrusted(screen, items);
  return confirm(screen, "Trust it as it is?");
};

/** True if the person was asked and trusts it. */
export const settleTrust = async (
  screen: Screen,
  items: readonly UntrustedItem[],
  { config, workingFolder }: Pick<OpenOptions, "config" | "workingFolder">,
): Promise<boolean> => {
  if (!screen.canAsk) return false;
  const isNamed = typeof config === "string" || Array.isArray(config);
  const place = { config: isNamed ? (config as string | readonly string[]) : undefined, workingFolder };
  const { trust } = await import("../../../coordinator/index.js");
  // Again, with what is known about their packages.
  const { items: described } = await trust({ ...place, shown: items, isDryRun: true });
  const shown = items.map(
    (item) =>
      described.find(({ fingerprint, name }) => fingerprint === item.fingerprint && name === item.name) ??
      item,
  );
  if (!(await askTrust(screen, shown))) return false;
  await trust({ ...place, shown });
  return true;
};
