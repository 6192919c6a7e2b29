// Moves images out of a returned value and shows them to the model as images.
import { type Json, type JsonObject, readLargeInteger, type ShownImage } from "../../contracts/index.js";

/** Formats that models read. */
export const imageTypes: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);

export const maxImages = 5;

/** Limit of all images together, before Base64. */
export const maxImageBytes = 4 * 1024 * 1024;

/** A value nested deeper than this is left as it is. */
const maxDepth = 40;

export interface TakenImages {
  /** Replaces the data of every image with a note. */
  readonly value: Json;
  readonly images: readonly ShownImage[];
}

const isImage = (value: JsonObject): value is JsonObject & { data: string; mimeType: string } =>
  value.type === "image" &&
  typeof value.data === "string" &&
  typeof value.mimeType === "string" &&
  imageTypes.has(value.mimeType);

/** Images in the form of tool results: `{ type: "image", data, mimeType }`. */
export const takeImages = (whole: Json): TakenImages => {
  const images: ShownImage[] = [];
  let left = maxImageBytes;
  const take = (value: Json, depth: number): Json => {
    if (typeof value !== "object" || value === null || depth > maxDepth) return value;
    if (readLargeInteger(value) !== undefined) return value;
    if (Array.isArray(value)) return value.map((item) => take(item, depth + 1));
    const object = value as JsonObject;
    if (!isImage(object))
      return Object.fromEntries(
        Object.entries(object).map(([key, item]) => [key, take(item as Json, depth + 1)]),
      );
    const { data, mimeType, ...others } = object;
    const bytes = Math.floor((data.length * 3) / 4);
    const isShown = images.length < maxImages && bytes <= left;
    if (isShown) {
      left -= bytes;
      images.push({ data, mimeType });
    }
    const note = isShown ? `shown as image ${images.length}` : `${bytes} bytes, not shown`;
    return { ...others, mimeType, data: `(${note})` };
  };
  return { value: take(whole, 0), images };
};
