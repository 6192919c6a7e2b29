// Questions that pause a run until people answer, what servers ask their client for, and messages that are passed on as they are.
import type { Language } from "./executor.js";
import { type Json, type JsonObject, toVisibleText } from "./json.js";
import type { ManifestCall } from "./policy.js";

/** The server name of questions to people in guest calls. No configured server can have it. */
export const peopleServer = "\u0000people";

/** Global names of every program. A server of the same name, or the program's own variable, takes precedence. */
export const peopleNames: Readonly<Record<Language, readonly string[]>> = {
  typescript: ["ask"],
  python: ["ask"],
};

/** A call that needs approval before it is made. */
export interface AskedCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Why the policy asks about the data in it. */
  readonly flow?: string | undefined;
}

/**
 * `input`: the program asks. `approval`: calls wait. `elicitation`: a server asks people. `sampling`: a server asks for an answer of the
 * client's model. `sign-in`: a server requires that a person signs in. Nobody can answer that with a value: the sign-in itself continues
 * the run.
 */
type QuestionKind = "input" | "approval" | "elicitation" | "sampling" | "sign-in";

/** What a paused run asks a person: an approval, an input, or a question of a server. */
export interface RunQuestion {
  readonly kind: QuestionKind;
  /** For people to read. The program wrote it (`input`) or the server (`elicitation`), so it is no more trusted than its author. */
  readonly text: string;
  /** For `elicitation`, `sampling` and `sign-in`: the server. For the first two also the tool that was called. */
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
  /** For `elicitation`: the address that the person is asked to visit. Never opened or fetched by us. The answer is whether they did. */
  readonly url?: string | undefined;
  /** For `elicitation`: the settings let the agent answer, too. */
  readonly mayAgentAnswer?: true | undefined;
  /** For `sampling`: the parameters of `sampling/createMessage`. The answer is its result. */
  readonly sampling?: JsonObject | undefined;
  /** For `sign-in`: the call was made at this time, in ms since 1970. A later sign-in continues the run. */
  readonly since?: number | undefined;
  /** The run waits with its sandbox and the server's connection open: the answer must come soon, and in the process of the run. */
  readonly isLive?: true | undefined;
  /** The JSON Schema of the answer. */
  readonly schema: JsonObject;
  /** The attempt of the run that asks. */
  readonly attempt?: number | undefined;
  /** Identifies this question of this attempt, including calls and arguments. Return it with the answer. */
  readonly hash?: string | undefined;
  /** The terminal command that answers it. */
  readonly command?: string | undefined;
  /** For kind `approval`: the answer applies to all of them. */
  readonly calls?: readonly AskedCall[] | undefined;
  /** For kind `approval`: the places of the program whose calls are approved as a whole. `text` shows them and the program. */
  readonly manifest?: readonly ManifestCall[] | undefined;
  /** Identifies what is approved as a whole: the program, its skills, its calls, the caller and the policy. */
  readonly digest?: string | undefined;
}

/** An answer, or that people decline to give one. */
export type PeopleAnswer = ({ readonly answer: Json } | { readonly isDeclined: true }) & {
  /** Who gave it, for the audit. */
  readonly by?: "person" | "client" | "agent" | undefined;
};

export const approvalClasses = ["writes", "destructive"] as const;

/** A word that is not a class and has neither a dot nor a star would match no call. */
export const approvalRule = /[.*]|^(?:writes|destructive)$/;

export const approvalRuleWanted = '"writes", "destructive" or tools as "server.tool", with "*" for any part';

/** One request of a server: `elicitation/create`, `sampling/createMessage` or `roots/list`. Untrusted. */
export interface ServerRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/** The answer of a call that is not finished: the server wants these inputs, and then the same call again (2026-07-28). */
export interface InputRequired {
  readonly requests: Readonly<Record<string, ServerRequest>>;
  /** Goes back with the inputs, unchanged. */
  readonly state?: string | undefined;
  /** A 2025 server that only wants the same call again, after a person has visited an address. */
  readonly isPlainRetry?: true | undefined;
}

/** An unfinished call as the journal has it: what the server wants, and what it will be given. */
export interface OpenInput extends InputRequired {
  readonly responses: Readonly<Record<string, Json>>;
}

/** What a call says about itself to a server that asks while it works. */
export interface CallAsker {
  /** Calls of one run have the same id. A server is answered only if the run it asks is certain. */
  readonly id: string;
  /**
   * Rejects with a CoordinatorError if the request is refused. `signal`: the server no longer waits. `isCertain`: it is this call
   * that asks, and not another one of the run.
   */
  readonly answer: (request: ServerRequest, signal: AbortSignal, isCertain: boolean) => Promise<JsonObject>;
  /** A log message of the server, at least as severe as the setting `answers.logs` wants. */
  readonly log?: ((message: string) => void) | undefined;
}

/** The protocol's severities, least severe first. */
export const logSeverities = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;

type LogSeverity = (typeof logSeverities)[number];

/** What we declare to servers that we can answer. */
export interface AnswerSettings {
  /** Who may answer a server's question: people, also the agent, or nobody. */
  readonly elicitation: "people" | "agent" | "refuse";
  /** Whether a server may use the model of the connected client. */
  readonly sampling: "client" | "refuse";
  /** The least severe log messages of servers that a run reports. */
  readonly logs: LogSeverity | "off";
  /** Folders and addresses that servers may ask for. Never discovered. */
  readonly roots: readonly string[];
}

/** The question as lines for people. What a server says is quoted, so that it cannot be mistaken for our words. */
export const describeQuestion = ({ kind, text, server = "", tool, url }: RunQuestion): readonly string[] => {
  if (kind !== "elicitation") return [text];
  const during = tool === undefined ? "" : `, during the call of "${toVisibleText(tool)}"`;
  return [
    `The server "${toVisibleText(server)}" asks${during}:`,
    ...text.split("\n").map((line) => `> ${line}`),
    ...(url === undefined ? [] : [`It wants you to visit an address of ${new URL(url).host}:`, url]),
  ];
};

/** A request or notification without its id. Untrusted. */
export interface ForwardedMessage {
  readonly method: string;
  readonly params?: JsonObject | undefined;
}

/** A client's name and capabilities, as it declared them. */
export interface ClientIdentity {
  readonly capabilities: JsonObject;
  readonly info?: { readonly name: string; readonly version: string } | undefined;
}

/** The error with which a peer answered a request: its code, message and data are passed on unchanged. */
export class ServerRefusal extends Error {
  readonly code: number;
  readonly data?: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = "ServerRefusal";
    this.code = code;
    this.data = data;
  }
}

/** The fields of `_meta` that describe a request of protocol 2026-07-28. */
export const envelopeKeys = {
  version: "io.modelcontextprotocol/protocolVersion",
  capabilities: "io.modelcontextprotocol/clientCapabilities",
  client: "io.modelcontextprotocol/clientInfo",
  logLevel: "io.modelcontextprotocol/logLevel",
} as const;
