// Exports the result types that were learned, and imports those of others. They contain names and types, no values.
import { CoordinatorError } from "../../contracts/index.js";
import { parseShapes, renderShapes } from "../../store/index.js";
import { findServer, forWorkspace, type Host } from "../host/host.js";

/** Whose learned result types to export. */
export interface ExportShapesRequest {
  /** Only those of this server. @default all configured servers */
  readonly server?: string | undefined;
  /** @default the setting `workspace` */
  readonly workspace?: string | undefined;
}

/** Learned result types as a document to share. */
export interface ExportedShapes {
  /** A JSON document for `importShapes`. */
  readonly document: string;
  /** The number of tools. */
  readonly tools: number;
}

/** Result types that others have learned, to be used here. */
export interface ImportShapesRequest {
  /** What `exportShapes` returned. It may come from others: what does not fit is left out. */
  readonly document: string;
  /** @default the setting `workspace` */
  readonly workspace?: string | undefined;
}

const maxDocument = 8 * 1024 * 1024;

/** Starts no server. */
export const exportShapes = async (all: Host, request: ExportShapesRequest = {}): Promise<ExportedShapes> => {
  const host = forWorkspace(all, request.workspace);
  const names =
    request.server === undefined
      ? host.configuration.servers.map(({ name }) => name)
      : [findServer(host, request.server).name];
  await host.shapes.flush();
  const shapes = (await Promise.all(names.map(host.shapes.list))).flat();
  return { document: renderShapes(shapes), tools: shapes.length };
};

/** Joins them with what is known. A tool that has changed since ignores them. */
export const importShapes = async (
  all: Host,
  { document, workspace }: ImportShapesRequest,
): Promise<{ readonly tools: number }> => {
  const host = forWorkspace(all, workspace);
  const shapes = document.length > maxDocument ? undefined : parseShapes(document);
  if (shapes === undefined)
    throw new CoordinatorError("USAGE", "Cannot import the shapes: the text is not an export of shapes", {
      hint: 'Write one with "mcp-coordinator shapes export FILE".',
    });
  const names = new Set(host.configuration.servers.map(({ name }) => name));
  const known = shapes.filter(({ server }) => names.has(server));
  for (const shape of known) await host.shapes.add(shape);
  return { tools: known.length };
};
