// The same value with long lists and long texts in it cut: what an object looks like when all of it is too much.
import { type Json, readLargeInteger } from "../contracts/index.js";

export interface AbridgeOptions {
  readonly items: number;
  readonly characters: number;
}

/** From much to little. */
export const abridgings: readonly AbridgeOptions[] = [
  { items: 50, characters: 2000 },
  { items: 20, characters: 1000 },
  { items: 10, characters: 500 },
  { items: 5, characters: 200 },
  { items: 2, characters: 100 },
];

export const abridge = (value: Json, options: AbridgeOptions): Json => {
  const { items, characters } = options;
  if (typeof value === "string")
    return value.length <= characters ? value : `${value.slice(0, characters).toWellFormed()}…`;
  if (typeof value !== "object" || value === null || readLargeInteger(value) !== undefined) return value;
  if (Array.isArray(value)) {
    const kept = value.slice(0, items).map((item) => abridge(item, options));
    return value.length > items ? [...kept, `… ${value.length - items} more`] : kept;
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, abridge(item, options)]));
};
