// The text of one remembered value: laid out for people, read back only when everything in it fits.
import {
  type Json,
  type JsonObject,
  type MemoryEntry,
  type MemoryInfo,
  parseJson,
} from "../../contracts/index.js";
import { layOutJson } from "../lay-out-json.js";

const format = "mcp-coordinator/memory";
const version = 1;

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const renderMemoryFile = ({
  key,
  metadata,
  createdAt,
  updatedAt,
  revision,
  value,
}: MemoryEntry): string => {
  const head = { format, version, key, createdAt, updatedAt, revision };
  return `${layOutJson({ ...head, ...(metadata === undefined ? {} : { metadata }), value })}\n`;
};

/** The entry in a file's text; a corrupt or foreign text has none. */
export const parseMemoryFile = (text: string): MemoryEntry | undefined => {
  let file: unknown;
  try {
    file = parseJson(text);
  } catch {
    return undefined;
  }
  if (!isFields(file) || file.format !== format || file.version !== version) return undefined;
  const { key, createdAt, updatedAt, revision, metadata, value } = file;
  const hasTexts = [key, createdAt, updatedAt, revision].every((field) => typeof field === "string");
  if (!hasTexts || value === undefined || !(metadata === undefined || isFields(metadata))) return undefined;
  return {
    key: key as string,
    createdAt: createdAt as string,
    updatedAt: updatedAt as string,
    revision: revision as string,
    bytes: Buffer.byteLength(JSON.stringify(value)),
    ...(metadata === undefined ? {} : { metadata: metadata as JsonObject }),
    value: value as Json,
  };
};

export const toInfo = ({ value: _, ...info }: MemoryEntry): MemoryInfo => info;
