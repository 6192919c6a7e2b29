// Tells from the bytes of a JSON text how much there is to parse, because parsing it may take seconds.
import { listingLimits } from "../contracts/index.js";

const isStructure = (code: number): boolean => code === 0x2c || code === 0x5b || code === 0x7b;

/** Commas and opening brackets, those within texts included: an upper bound of the values. */
export const countStructure = (bytes: Uint8Array): number => {
  let count = 0;
  for (const code of bytes) if (isStructure(code)) count += 1;
  return count;
};

/** Whether a page of a listing is larger than we parse. */
export const isPageTooLarge = (bytes: Uint8Array): boolean =>
  bytes.length > listingLimits.pageBytes ||
  // So few values are parsed at once, whatever they are.
  (bytes.length > listingLimits.pageParts && countStructure(bytes) > listingLimits.pageParts);

/** Whether a request asks for a list of what a server offers. */
export const isListMethod = (method: unknown): boolean =>
  typeof method === "string" && method.endsWith("/list");
