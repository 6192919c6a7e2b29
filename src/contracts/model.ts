// One exchange with a language model: messages, tools, answer, usage.
import type { JsonObject } from "./json.js";

/** `openai`: any endpoint with OpenAI's chat completions; `ollama`: the same on this machine, without a key. */
export type ModelProvider = "openai" | "anthropic" | "ollama";

export interface ModelSettings {
  readonly provider: ModelProvider;
  /** Default: the provider's own. */
  readonly baseUrl?: string | undefined;
  /** The model's name. Absent: no model is configured. */
  readonly model?: string | undefined;
  /** A reference to an environment variable, never the key itself. */
  readonly apiKey?: string | undefined;
  /** Tokens of one answer. */
  readonly maxAnswerTokens: number;
  /** Tokens that one task may read and write. */
  readonly budgetTokens: number;
  /** US dollars per million tokens read. */
  readonly inputPrice?: number | undefined;
  /** US dollars per million tokens written. */
  readonly outputPrice?: number | undefined;
}

/** A tool as a model sees it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** A tool call that a model asks for. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  /** Undefined if the model wrote no JSON object. */
  readonly arguments: JsonObject | undefined;
}

/** A part of a tool's answer that a model can read. */
export type ModelContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

/** The answer to one tool call, to be sent back to the model. */
export interface ModelCallResult {
  readonly callId: string;
  readonly content: readonly ModelContent[];
  readonly isError?: boolean | undefined;
}

/** One turn of the conversation with a model. */
export type ModelMessage =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "model"; readonly text: string; readonly calls: readonly ModelCall[] }
  | { readonly role: "tools"; readonly results: readonly ModelCallResult[] };

/** Tokens that the model read and wrote, as its endpoint reports them. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Why a request to the model is repeated, and after which time. */
export interface ModelRetry {
  readonly reason: string;
  readonly waitMs: number;
}

/** One request to the configured model endpoint: the conversation so far and the tools it may call. */
export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly instructions?: string | undefined;
  readonly tools?: readonly ModelTool[] | undefined;
  /** @default the setting `model.model` */
  readonly model?: string | undefined;
  /** @default the setting `model.maxAnswerTokens` */
  readonly maxTokens?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before the request is repeated. */
  readonly onRetry?: ((retry: ModelRetry) => void) | undefined;
}

/** What the model wrote in one turn: text, and the tools that it wants to call. */
export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  /** The answer ended at its maximum length. */
  readonly isCut: boolean;
  /** Absent if the endpoint reports none. */
  readonly usage?: ModelUsage | undefined;
}
