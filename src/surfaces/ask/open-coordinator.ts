// The library's `openCoordinator`: the verbs, and `ask`, with its request and result.
import type { ErrorCode, ModelTool, ModelUsage, RunRequest } from "../../contracts/index.js";
import { type Coordinator, type OpenOptions, openCoordinator as openVerbs } from "../../coordinator/index.js";
import type { ShownResult } from "../mcp-server/agent-tools/index.js";

interface AskVerb {
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

/** What a task may cost. The model is stopped before a turn that would exceed it. */
export interface AskBudget {
  /** Tokens read and written, over all turns. @default the setting `model.budgetTokens` */
  readonly tokens?: number | undefined;
  /** US dollars; needs the settings `model.inputPrice` and `model.outputPrice`. */
  readonly dollars?: number | undefined;
}

/** A tool that the model may call. */
export interface AskTool extends ModelTool {
  readonly call: (given: unknown, signal: AbortSignal | undefined) => Promise<ShownResult>;
}

/** What happens while the model works. */
export type AskStep =
  | { readonly kind: "turn"; readonly turn: number; readonly usage: ModelUsage }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly kind: "result"; readonly tool: string; readonly isError: boolean }
  | { readonly kind: "retry"; readonly reason: string; readonly waitMs: number };

/** A task for the configured model, with its budget. */
export interface AskRequest {
  readonly task: string;
  /** @default the setting `model.model` */
  readonly model?: string | undefined;
  readonly budget?: AskBudget | undefined;
  /** @default 50 */
  readonly maxTurns?: number | undefined;
  /** Called with each step. */
  readonly onStep?: ((step: AskStep) => void) | undefined;
  /** Asks people what a run asks; undefined leaves the run paused. The model cannot approve anything. */
  readonly onQuestion?: RunRequest["onQuestion"] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Other tools than the coordinator's own. */
  readonly tools?: readonly AskTool[] | undefined;
  /** Other instructions than the coordinator's own. */
  readonly instructions?: string | undefined;
}

/** The model's answer to a task, and what it cost. */
export interface AskResult {
  /** `answered`: the model ended by itself. */
  readonly status: "answered" | "stopped";
  /** The model's last text. */
  readonly answer: string;
  /** `endpoint`: it failed after the first turn. */
  readonly stopReason?: "budget" | "turns" | "cancelled" | "endpoint" | undefined;
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly hint: string } | undefined;
  readonly model: string;
  /** Exchanges with the model. */
  readonly turns: number;
  /** Calls of each tool. */
  readonly calls: Readonly<Record<string, number>>;
  /** The model's last text ended at its maximum length. */
  readonly isCut: boolean;
  /** Tokens read and written, over all turns. */
  readonly usage: ModelUsage;
  /** The endpoint did not report some counts, so they were counted here. */
  readonly isEstimated: boolean;
  /** US dollars, if prices are set. */
  readonly cost?: number | undefined;
  /** Runs that still wait for people. */
  readonly waiting: readonly string[];
}
