// Unique names for the types of a module.
import { listSegments } from "../schema/index.js";

const maxName = 120;

const toPascalCase = (text: string): string =>
  text
    .slice(0, maxName)
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}|[\u{10000}-\u{10ffff}]/gu, " ")
    .split(/(?:[^\p{ID_Continue}]|_)+/u)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")
    .slice(0, maxName);

const isKeyword = (segment: string): boolean =>
  /^(?:\d+|properties|items|prefixItems|anyOf|oneOf|allOf|\$defs|definitions|additionalProperties)$/.test(
    segment,
  );

/** The last segment of a pointer that is no keyword: `#/properties/filter/anyOf/0` → `Filter`. */
export const toPointerName = (pointer: string): string =>
  toPascalCase(listSegments(pointer).findLast((segment) => !isKeyword(segment)) ?? "Part") || "Part";

/** Claims names, each only once. */
export interface TypeNames {
  readonly claim: (wanted: string) => string;
}

/** `reserved` names are already taken. */
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
