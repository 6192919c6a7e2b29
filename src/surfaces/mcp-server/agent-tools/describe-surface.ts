// What an agent sees up front: a few tools and short instructions, bounded for any number of servers.
import type { Coordinator, SurfaceSettings } from "../../../coordinator/index.js";
import { describeTools, type SurfaceTool } from "./describe-tools.js";

/** Characters of the instructions used for names: clients cut long texts, and the tools also contain them. */
const maxNamesLength = { default: 200, minimal: 120 };

export interface Surface {
  readonly tools: readonly SurfaceTool[];
  readonly instructions: string;
}

/** Everything a client shows its model before the first call. */
export const describeSurface = async (coordinator: Coordinator): Promise<Surface> => ({
  tools: await readTools(coordinator),
  instructions: renderInstructions(coordinator),
});

export const renderInstructions = ({
  serverNames,
  surface,
}: Pick<Coordinator, "serverNames" | "surface">): string => {
  const names = nameServers(serverNames, maxNamesLength[surface.kind]);
  if (surface.kind === "minimal") return `Connected services: ${names}. Call them from run_code.`;
  return `Connected services: ${names}. Use them by writing one program for run_code that calls as many functions as the task needs; search_tools finds functions. Intermediate results stay in the sandbox.`;
};

interface ReadToolsOptions {
  /** @default those of the coordinator */
  readonly surface?: SurfaceSettings | undefined;
  /** How long to wait for servers that were never listed. @default 0: none is started */
  readonly waitMs?: number | undefined;
}

/** The current tools. Stable until the catalog changes. */
export const readTools = async (
  coordinator: Coordinator,
  { surface = coordinator.surface, waitMs }: ReadToolsOptions = {},
): Promise<readonly SurfaceTool[]> => {
  if (surface.kind === "minimal") return describeTools(surface);
  const request = { maxTokens: surface.tokens, frame: "", waitMs };
  return describeTools(surface, await coordinator.outlineCatalog(request));
};

/** As many names as fit. */
const nameServers = (names: readonly string[], maxLength: number): string => {
  if (names.length === 0) return "none";
  const shown: string[] = [];
  let length = 0;
  for (const name of names) {
    length += name.length + 2;
    if (shown.length > 0 && length > maxLength) break;
    shown.push(name.slice(0, maxLength));
  }
  return shown.join(", ") + (shown.length < names.length ? ` and ${names.length - shown.length} more` : "");
};
