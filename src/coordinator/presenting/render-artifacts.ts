// Renders the artifacts of a run for a model: one line of names, and images as images, within limits.
import {
  hasInvisible,
  isFields,
  type Json,
  type JsonObject,
  readLargeInteger,
  type ShownImage,
  type ShownMedia,
  type StoredFacts,
  type StoredValues,
} from "../../contracts/index.js";

/** Formats that models read. */
const imageTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export const maxImages = 5;

/** Limit of all images together, before Base64. */
const maxImageBytes = 4 * 1024 * 1024;

/** A value nested deeper than this is left as it is. */
const maxDepth = 40;

export interface TakenMedia {
  /** Replaces the data of images, audio and binary resources with a note. */
  readonly value: Json;
  readonly images: readonly ShownImage[];
  readonly media: readonly ShownMedia[];
}

/** Blocks other than images. */
const maxMedia = 5;
const maxAddress = 8192;

/** A block whose data is not what it says would make a client refuse the whole answer. */
const isBase64 = (data: unknown): data is string =>
  typeof data === "string" && data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);

const isPlain = (text: unknown): text is string =>
  typeof text === "string" && text !== "" && text.length <= maxAddress && !hasInvisible(text);

const isMimeType = (type: unknown): type is string =>
  typeof type === "string" && /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(type);

/** What is shown beside the text, and the value with a note in the place of the data. */
interface Medium {
  readonly data: string;
  readonly block: ShownMedia | ({ readonly type: "image" } & ShownImage);
  readonly name: (note: string) => JsonObject;
}

const readContents = (contents: JsonObject): Medium | undefined => {
  const { uri, mimeType, blob } = contents;
  if (!isPlain(uri) || !isBase64(blob)) return undefined;
  const resource = { uri, mimeType: isMimeType(mimeType) ? mimeType : undefined, blob };
  return { data: blob, block: { type: "resource", resource }, name: (note) => ({ ...contents, blob: note }) };
};

/** Blocks of tool results, and the binary contents that `resources.read` returns. */
const readMedium = (value: JsonObject): Medium | undefined => {
  const { type, data, mimeType, resource, uri, name } = value;
  const isAudio = type === "audio" && isMimeType(mimeType) && mimeType.startsWith("audio/");
  const isImage = type === "image" && typeof mimeType === "string" && imageTypes.has(mimeType);
  if ((isAudio || isImage) && isBase64(data))
    return {
      data,
      block: { type: isAudio ? "audio" : "image", data, mimeType },
      name: (note) => ({ ...value, data: note }),
    };
  if (type === "resource" && isFields(resource)) {
    const found = readContents(resource);
    return found && { ...found, name: (note) => ({ ...value, resource: found.name(note) }) };
  }
  if (type === "resource_link" && isPlain(uri) && isPlain(name)) {
    const description = isPlain(value.description) ? value.description : undefined;
    const kind = isMimeType(mimeType) ? mimeType : undefined;
    return { data: "", block: { type, uri, name, description, mimeType: kind }, name: () => value };
  }
  return type === undefined ? readContents(value) : undefined;
};

/** Takes the media out of a value: models cannot read their Base64. */
export const takeMedia = (whole: Json): TakenMedia => {
  const images: ShownImage[] = [];
  const media: ShownMedia[] = [];
  let left = maxImageBytes;
  const show = ({ data, block, name }: Medium): Json => {
    const bytes = Math.floor((data.length * 3) / 4);
    const isFull = block.type === "image" ? images.length >= maxImages : media.length >= maxMedia;
    if (isFull || bytes > left) return name(`(${bytes} bytes, not shown)`);
    left -= bytes;
    if (block.type === "image") images.push({ data, mimeType: block.mimeType });
    else media.push(block);
    return name(block.type === "image" ? `(shown as image ${images.length})` : `(${bytes} bytes, attached)`);
  };
  const take = (value: Json, depth: number): Json => {
    if (typeof value !== "object" || value === null || depth > maxDepth) return value;
    if (readLargeInteger(value) !== undefined) return value;
    if (Array.isArray(value)) return value.map((item) => take(item, depth + 1));
    const object = value as JsonObject;
    const medium = readMedium(object);
    if (medium !== undefined) return show(medium);
    return Object.fromEntries(
      Object.entries(object).map(([key, item]) => [key, take(item as Json, depth + 1)]),
    );
  };
  return { value: take(whole, 0), images, media };
};

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
