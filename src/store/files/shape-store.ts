// Learned shapes: one readable JSON file per tool, shared by all processes of a user.
import { hash } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  isFields,
  type Shape,
  type ShapeKey,
  type ShapeNode,
  type ShapeStore,
  type SharedShape,
} from "../../contracts/index.js";
import { toSlug } from "../check-input.js";
import { parseFormat, removeOldest, writeFileAtomically } from "../file-io.js";
import { withLock } from "../with-lock.js";

interface ShapeStoreOptions {
  /** Shapes are stored in `<folder>/shapes`, which the first write creates. */
  readonly folder: string;
  /** Joins what two processes learned. */
  readonly joinShapes: (left: Shape, right: Shape) => Shape;
}

/** Of one server. A tool has a shape for each of its definitions, which may depend on the server's variables. */
const maxShapes = 2000;

const hashLength = 12;

const toFileName = (tool: string, fingerprint: string): string =>
  `${toSlug(tool, hashLength)}.${hash("sha256", fingerprint).slice(0, hashLength)}.json`;

export const openShapeStore = ({ folder, joinShapes }: ShapeStoreOptions): ShapeStore => {
  const folderOf = (server: string): string => join(folder, "shapes", toSlug(server, hashLength));
  const pathOf = ({ server, tool, fingerprint }: ShapeKey): string =>
    join(folderOf(server), toFileName(tool, fingerprint));

  const read = async (key: ShapeKey): Promise<Shape | undefined> => {
    const text = await readFile(pathOf(key), "utf8").catch(() => undefined);
    return text === undefined ? undefined : parseShapeFile(text, key);
  };

  const list = async (server: string): Promise<readonly SharedShape[]> => {
    const names = await readdir(folderOf(server)).catch(() => []);
    const files = names
      .filter((name) => name.endsWith(".json"))
      .map(async (name) => {
        const text = await readFile(join(folderOf(server), name), "utf8").catch(() => "");
        const shape = text.length > maxFileLength ? undefined : toSharedShape(parseFormat(text, shapeFormat));
        return shape?.server === server ? [shape] : [];
      });
    return (await Promise.all(files)).flat();
  };

  const merge = async (key: ShapeKey, learned: Shape): Promise<Shape> => {
    const path = pathOf(key);
    try {
      await mkdir(folderOf(key.server), { recursive: true, mode: 0o700 });
      return await withLock(join(folder, "shapes", "locks"), async () => {
        const stored = await read(key);
        const merged = stored === undefined ? learned : joinShapes(stored, learned);
        await writeFileAtomically(path, renderShapeFile(key, merged));
        await removeOldest(folderOf(key.server), await readdir(folderOf(key.server)), { max: maxShapes });
        return merged;
      });
    } catch {
      // A shape that cannot be stored is learned again.
      return learned;
    }
  };

  return { read, list, merge };
};

const shapeFormat = { format: "mcp-coordinator/shape", version: 1 };
const maxFileLength = 1024 * 1024;
const maxDepth = 40;
const scalars = new Set<unknown>(["null", "boolean", "integer", "number", "string"]);

const isField = (value: unknown, depth: number): boolean =>
  isFields(value) &&
  (value.isOptional === undefined || value.isOptional === true) &&
  isNode(value.type, depth);

const isNode = (value: unknown, depth: number): value is ShapeNode => {
  if (!isFields(value) || depth > maxDepth) return false;
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

const renderShapeFile = ({ server, tool, fingerprint }: ShapeKey, shape: Shape): string =>
  `${JSON.stringify({ ...shapeFormat, server, tool, fingerprint, ...shape }, undefined, 1)}\n`;

/** Undefined if the text is damaged or of another tool. */
const parseShapeFile = (text: string, key: ShapeKey): Shape | undefined => {
  if (text.length > maxFileLength) return undefined;
  const file = toSharedShape(parseFormat(text, shapeFormat));
  if (file?.server !== key.server || file.tool !== key.tool || file.fingerprint !== key.fingerprint)
    return undefined;
  const { answers, type } = file;
  return { answers, type };
};

/** Reads a shape that may be damaged or written by others. */
const toSharedShape = (value: unknown): SharedShape | undefined => {
  if (!isFields(value)) return undefined;
  const { server, tool, fingerprint, answers, type } = value;
  if (typeof server !== "string" || typeof tool !== "string" || typeof fingerprint !== "string")
    return undefined;
  const isCounted = typeof answers === "number" && Number.isSafeInteger(answers) && answers > 0;
  return isCounted && isNode(type, 0) ? { server, tool, fingerprint, answers, type } : undefined;
};

const exportFormat = { format: "mcp-coordinator/shapes", version: 1 };

/** Shapes of any tools in one document. */
export const renderShapes = (shapes: readonly SharedShape[]): string =>
  `${JSON.stringify({ ...exportFormat, shapes }, undefined, 1)}\n`;

/** The shapes of such a document, without damaged ones; undefined for any other text. */
export const parseShapes = (text: string): readonly SharedShape[] | undefined => {
  const file = parseFormat(text, exportFormat);
  if (!Array.isArray(file?.shapes)) return undefined;
  return file.shapes.flatMap((shape) => toSharedShape(shape) ?? []);
};
