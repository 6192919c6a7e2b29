// Pins: a hash of each definition that a server lists, so that a new or changed one is noticed before anybody relies on it.
import { createHash } from "node:crypto";
import { type JsonObject, type Listing, type PinChange, pause, toCanonicalJson } from "../contracts/index.js";

/** Everything that a server says about one tool, one prompt or itself. */
export interface PinnedItem {
  /** `tools/NAME`, `prompts/NAME` or `instructions`. */
  readonly key: string;
  readonly definition: JsonObject;
}

/** `_meta` is not a definition: servers put traces and times there. */
const toDefinition = ({
  others,
  unchecked: _unchecked,
  ...item
}: object & {
  readonly others?: object | undefined;
  readonly unchecked?: unknown;
}): JsonObject => {
  const { _meta, ...rest } = { ...others, ...item } as Record<string, unknown>;
  return rest as JsonObject;
};

/** A name listed twice is one item, as in the catalog. */
export const listPinned = ({ tools, prompts, instructions }: Listing): readonly PinnedItem[] => {
  const items = [
    ...(instructions === undefined ? [] : [{ key: "instructions", definition: { text: instructions } }]),
    ...tools.map((tool) => ({ key: `tools/${tool.name}`, definition: toDefinition(tool) })),
    ...prompts.map((prompt) => ({ key: `prompts/${prompt.name}`, definition: toDefinition(prompt) })),
  ];
  const first = new Map<string, PinnedItem>();
  for (const item of items) if (!first.has(item.key)) first.set(item.key, item);
  return [...first.values()];
};

/** The order of keys has no meaning. `ignored`: fields that may change. */
const toPin = ({ definition }: PinnedItem, ignored: readonly string[]): string => {
  const compared = Object.entries(definition).filter(([field]) => !ignored.includes(field));
  return createHash("sha256")
    .update(toCanonicalJson(Object.fromEntries(compared)))
    .digest("hex");
};

/** Hashes every item, in steps that do not block the host's thread. */
export const pinAll = async (
  items: readonly PinnedItem[],
  toIgnored: (key: string) => readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const pins = new Map<string, string>();
  for (const item of items) {
    pins.set(item.key, toPin(item, toIgnored(item.key)));
    await pause();
  }
  return pins;
};

/** What differs from the accepted definitions. What a server no longer lists does no harm. */
export const comparePins = (
  accepted: ReadonlyMap<string, string>,
  current: ReadonlyMap<string, string>,
): ReadonlyMap<string, PinChange> => {
  const changes = new Map<string, PinChange>();
  for (const [key, pin] of current) {
    const before = accepted.get(key);
    if (before !== pin) changes.set(key, before === undefined ? "new" : "changed");
  }
  return changes;
};

/** The listing without what nobody has accepted. The catalog still knows these tools by name, so that a call says why it is refused. */
export const withholdItems = (listing: Listing, changes: ReadonlyMap<string, PinChange>): Listing => ({
  ...listing,
  instructions: changes.has("instructions") ? undefined : listing.instructions,
  tools: listing.tools.filter(({ name }) => !changes.has(`tools/${name}`)),
  prompts: listing.prompts.filter(({ name }) => !changes.has(`prompts/${name}`)),
  withheld: listing.tools.flatMap((tool) => {
    const change = changes.get(`tools/${tool.name}`);
    return change === undefined ? [] : [{ tool, change }];
  }),
});
