// The artifacts of a run as a model gets them: one line of names, and the images as images.
import type { KeptFacts, KeptValues, ShownImage } from "../../contracts/index.js";

const mostNames = 20;
const mostImages = 5;
/** Of all images together, before they are written as Base64. */
const mostImageBytes = 4 * 1024 * 1024;
/** What models read. */
const imageTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export const renderArtifacts = (artifacts: readonly KeptFacts[]): string => {
  const names = artifacts
    .slice(0, mostNames)
    .map(
      ({ id, name, mimeType, bytes }) =>
        `${name} (${mimeType}, ${bytes.toLocaleString("en-US")} bytes, "${id}")`,
    );
  const more = artifacts.length - names.length;
  return `Artifacts: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
};

/** The newest that fit, in order. One that is gone by now is left out. */
export const readImages = async (
  artifacts: readonly KeptFacts[],
  openKept: () => Promise<KeptValues>,
): Promise<readonly ShownImage[]> => {
  const images = artifacts.filter(({ mimeType = "" }) => imageTypes.has(mimeType)).slice(-mostImages);
  let left = mostImageBytes;
  const chosen = images
    .toReversed()
    .filter(({ bytes }) => {
      left -= bytes;
      return left >= 0;
    })
    .toReversed();
  if (chosen.length === 0) return [];
  const kept = await openKept();
  const read = chosen.map(async ({ id, mimeType = "" }) => {
    const bytes = await kept.read(id).catch(() => undefined);
    return bytes === undefined ? [] : [{ data: Buffer.from(bytes).toString("base64"), mimeType }];
  });
  return (await Promise.all(read)).flat();
};
