// The library's `openCoordinator`: the verbs, and `ask`, which uses the tools that surfaces describe.
import { type Coordinator, type OpenOptions, openCoordinator as openVerbs } from "../../coordinator/index.js";
import type { AskRequest, AskResult } from "./ask-request.js";

export interface AskVerb {
  /** Lets the configured model solve a task with the coordinator's tools, within a budget. Throws if the model cannot be used; a task that it does not solve is a result. */
  readonly ask: (request: AskRequest) => Promise<AskResult>;
}

/** A set of MCP servers as code. `openCoordinator` returns one. */
export type OpenedCoordinator = Coordinator & AskVerb;

/** Opens a set of MCP servers as code. Servers and sandboxes start on first use. */
export const openCoordinator = async (options?: OpenOptions): Promise<OpenedCoordinator> => {
  const coordinator = await openVerbs(options);
  const verb: AskVerb = { ask: async (request) => (await import("./ask.js")).ask(coordinator, request) };
  // Not a copy: some properties are read anew each time.
  return Object.assign(coordinator, verb);
};
