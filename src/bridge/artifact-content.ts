// Reads the content of an artifact: text, JSON, bytes in Base64, or an image block of a tool's answer.
import { extname } from "node:path";
import type { Json, JsonObject, StoredContent } from "../contracts/index.js";
import { CoordinatorError } from "../contracts/index.js";

const maxNameLength = 100;
const mimePattern = /^[\w.+-]{1,60}\/[\w.+-]{1,100}(?:; ?charset=[\w-]{1,30})?$/;

const endings: ReadonlyMap<string, string> = new Map([
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
  [".gif", "image/gif"],
  [".webp", "image/webp"],
  [".svg", "image/svg+xml"],
  [".csv", "text/csv"],
  [".md", "text/markdown"],
  [".html", "text/html"],
  [".json", "application/json"],
  [".pdf", "application/pdf"],
  [".txt", "text/plain"],
]);

const refuse = (what: string, hint?: string): CoordinatorError =>
  new CoordinatorError("ARGUMENTS_INVALID", `Cannot store the artifact: ${what}`, {
    hint,
  });

/** A plain file name, because people may save the artifact under it. */
const toName = (name: Json | undefined): string => {
  const isName =
    typeof name === "string" &&
    name.length <= maxNameLength &&
    name.isWellFormed() &&
    /^[\p{L}\p{N}_][\p{L}\p{M}\p{N} ._()@+-]*$/u.test(name) &&
    !/[. ]$/.test(name);
  if (isName) return name;
  throw refuse("its name is not a plain file name", 'Use one such as "chart.png".');
};

const toMimeType = (given: Json | undefined, name: string, fallback: string): string => {
  if (given === undefined || given === null) return endings.get(extname(name).toLowerCase()) ?? fallback;
  if (typeof given === "string" && mimePattern.test(given)) return given.toLowerCase();
  throw refuse("its type is not a MIME type", 'Use one such as "image/png".');
};

const toBytes = (text: string): Buffer => {
  const written = text.trimEnd();
  const padding = written.endsWith("==") ? 2 : written.endsWith("=") ? 1 : 0;
  if (/^[A-Za-z0-9+/\s]*$/.test(written.slice(0, written.length - padding)))
    return Buffer.from(text, "base64");
  throw refuse("its bytes are not Base64");
};

/** A tool's answer with one image is a list of one block. */
const toBlock = (data: Json | undefined): Json | undefined => {
  const content = typeof data === "object" && data !== null && "content" in data ? data.content : data;
  return Array.isArray(content) && content.length === 1 && isMedia(content[0]) ? content[0] : data;
};

const isMedia = (block: Json | undefined): boolean =>
  typeof block === "object" &&
  block !== null &&
  "type" in block &&
  /^(?:image|audio)$/.test(String(block.type));

/** Text or JSON under a binary name or type would be a broken file. */
const refuseBinary = (name: string, mimeType: string, found: string): void => {
  const isBinary = /^(?:image\/(?!svg)|audio\/|video\/|application\/pdf$)/.test(mimeType);
  if (isBinary)
    throw refuse(
      `${JSON.stringify(name)} is to be ${mimeType}, but its content is ${found}`,
      'Hand over bytes, { base64: "…" }, or the image block that a tool answered with.',
    );
};

export const toArtifactContent = ([given, whole, type]: readonly Json[]): StoredContent & {
  readonly name: string;
} => {
  const name = toName(given);
  const data = toBlock(whole);
  if (typeof data === "string") {
    const mimeType = toMimeType(type, name, "text/plain");
    refuseBinary(name, mimeType, "text");
    return { format: "text", content: data, name, mimeType };
  }
  const block = typeof data === "object" && data !== null && !Array.isArray(data) ? (data as JsonObject) : {};
  if (typeof block.base64 === "string" && Object.keys(block).length === 1)
    return {
      format: "bytes",
      content: toBytes(block.base64),
      name,
      mimeType: toMimeType(type, name, "application/octet-stream"),
    };
  if ((block.type === "image" || block.type === "audio") && typeof block.data === "string")
    return {
      format: "bytes",
      content: toBytes(block.data),
      name,
      mimeType: toMimeType(type ?? block.mimeType, name, "application/octet-stream"),
    };
  if (data === undefined) throw refuse("it has no content", "Call artifact(name, data, mimeType).");
  const mimeType = toMimeType(type, name, "application/json");
  refuseBinary(name, mimeType, "JSON");
  return { format: "json", content: JSON.stringify(data), name, mimeType };
};
