// Names for the types of a module, each used once.
import { listSegments } from "../schema/index.js";

const longestName = 120;

const toPascalCase = (text: string): string =>
  text
    .slice(0, longestName)
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}|[\u{10000}-\u{10ffff}]/gu, " ")
    .split(/(?:[^\p{ID_Continue}]|_)+/u)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")
    .slice(0, longestName);

const isKeyword = (segment: string): boolean =>
  /^(?:\d+|properties|items|prefixItems|anyOf|oneOf|allOf|\$defs|definitions|additionalProperties)$/.test(
    segment,
  );

/** The last word of a pointer that a person chose: `#/properties/filter/anyOf/0` → `Filter`. */
export const toPointerName = (pointer: string): string =>
  toPascalCase(listSegments(pointer).findLast((segment) => !isKeyword(segment)) ?? "Part") || "Part";

/** Hands out names that were not handed out before. */
export interface TypeNames {
  readonly claim: (wanted: string) => string;
}

/** `reserved` are names that mean something else already. */
export const openTypeNames = (reserved: Iterable<string>): TypeNames => {
  const taken = new Set(reserved);
  const lastNumber = new Map<string, number>();
  return {
    claim: (wanted) => {
      let name = wanted;
      let number = lastNumber.get(wanted) ?? 1;
      while (taken.has(name)) {
        number += 1;
        name = /\d$/.test(wanted) ? `${wanted}_${number}` : `${wanted}${number}`;
      }
      lastNumber.set(wanted, number);
      taken.add(name);
      return name;
    },
  };
};
