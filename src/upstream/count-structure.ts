// Tells from the bytes of a JSON text how much there is to parse, because parsing it may take seconds.
import { listingLimits } from "../contracts/index.js";

const isStructure = (code: number): boolean => code === 0x2c || code === 0x5b || code === 0x7b;

/** Commas and opening brackets, those within texts included: an upper bound of the values. */
export const countStructure = (bytes: Uint8Array): number => {
  let count = 0;
  for (const code of bytes) if (isStructure(code)) count += 1;
  return count;
};

/** Whether a page of a listing is larger than we parse on the host's main thread. */
export const isPageTooLarge = (text: string): boolean => {
  if (text.length > listingLimits.pageBytes) return true;
  // So few values are parsed at once, whatever they are.
  if (text.length <= listingLimits.pageParts) return false;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (isStructure(text.charCodeAt(at))) count += 1;
  return count > listingLimits.pageParts;
};

/** Whether a request asks for a list of what a server offers. */
export const isListMethod = (method: unknown): boolean =>
  typeof method === "string" && method.endsWith("/list");
