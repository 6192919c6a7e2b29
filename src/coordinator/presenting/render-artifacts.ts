// Renders the artifacts of a run for a model: one line of names, and the images as images.
import type { ShownImage, StoredFacts, StoredValues } from "../../contracts/index.js";
import { imageTypes, maxImageBytes, maxImages } from "./take-images.js";

const maxNames = 20;

export const renderArtifacts = (artifacts: readonly StoredFacts[]): string => {
  const names = artifacts
    .slice(0, maxNames)
    .map(
      ({ id, name, mimeType, bytes }) =>
        `${name} (${mimeType}, ${bytes.toLocaleString("en-US")} bytes, "${id}")`,
    );
  const more = artifacts.length - names.length;
  return `Artifacts: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
};

/** The newest that fit, in order. Artifacts that no longer exist are left out. */
export const readImages = async (
  artifacts: readonly StoredFacts[],
  openValues: () => Promise<StoredValues>,
): Promise<readonly ShownImage[]> => {
  const images = artifacts.filter(({ mimeType = "" }) => imageTypes.has(mimeType)).slice(-maxImages);
  let left = maxImageBytes;
  const chosen = images
    .toReversed()
    .filter(({ bytes }) => {
      left -= bytes;
      return left >= 0;
    })
    .toReversed();
  if (chosen.length === 0) return [];
  const stored = await openValues();
  const read = chosen.map(async ({ id, mimeType = "" }) => {
    const bytes = await stored.read(id).catch(() => undefined);
    return bytes === undefined ? [] : [{ data: Buffer.from(bytes).toString("base64"), mimeType }];
  });
  return (await Promise.all(read)).flat();
};
