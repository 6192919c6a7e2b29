// The text of one shape file: laid out for people, and read back only when everything in it fits.
import type { Shape, ShapeKey, ShapeNode } from "../../contracts/index.js";

const format = "mcp-coordinator/shape";
/** Raise it when the meaning of a field changes: older files are then misses. */
const version = 1;

const longestFile = 1024 * 1024;
const deepestLevel = 40;
const scalars = new Set<unknown>(["null", "boolean", "integer", "number", "string"]);

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isField = (value: unknown, depth: number): boolean =>
  isFields(value) &&
  (value.isOptional === undefined || value.isOptional === true) &&
  isNode(value.type, depth);

const isNode = (value: unknown, depth: number): value is ShapeNode => {
  if (!isFields(value) || depth > deepestLevel) return false;
  const { scalars: found, fields, isOpen, values, items, isUnknown } = value;
  return (
    (found === undefined || (Array.isArray(found) && found.every((scalar) => scalars.has(scalar)))) &&
    (fields === undefined ||
      (isFields(fields) && Object.values(fields).every((field) => isField(field, depth + 1)))) &&
    (isOpen === undefined || isOpen === true) &&
    (values === undefined || isNode(values, depth + 1)) &&
    (items === undefined || isNode(items, depth + 1)) &&
    (isUnknown === undefined || isUnknown === true)
  );
};

export const renderShapeFile = ({ server, tool, fingerprint }: ShapeKey, shape: Shape): string =>
  `${JSON.stringify({ format, version, server, tool, fingerprint, ...shape }, undefined, 1)}\n`;

/** The shape in a file's text; a corrupt or foreign text has none. */
export const parseShapeFile = (text: string, key: ShapeKey): Shape | undefined => {
  if (text.length > longestFile) return undefined;
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isFields(file) || file.format !== format || file.version !== version) return undefined;
  if (file.server !== key.server || file.tool !== key.tool || file.fingerprint !== key.fingerprint)
    return undefined;
  const { answers, type } = file;
  const isCounted = typeof answers === "number" && Number.isSafeInteger(answers) && answers > 0;
  return isCounted && isNode(type, 0) ? { answers, type } : undefined;
};
