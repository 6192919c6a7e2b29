// Makes a request on a server's connection: opens one if there is none, repeats what a new connection can heal, converts errors.
import {
  CoordinatorError,
  ServerRefusal,
  type UpstreamTimeouts,
  type WiredDefinition,
} from "../contracts/index.js";
import { findOutdated, isLost } from "./error-facts.js";
import type { Connection } from "./open-connection.js";
import { localFailureReason } from "./replaced-answers.js";
import { explainFailure, type TokenSource } from "./sign-in/token-source.js";
import { toRequestError } from "./to-upstream-error.js";

export interface UsedServer {
  readonly definition: WiredDefinition;
  readonly maxAnswerBytes: number;
  /** For a server that may require a sign-in. */
  readonly tokens?: TokenSource | undefined;
  /** The open connection, or a new one. */
  readonly connect: (signal: AbortSignal | undefined) => Promise<Connection>;
  /** Closes it. `isOtherProtocol`: the server speaks another protocol version than the cache says. */
  readonly giveUp: (connection: Connection, isOtherProtocol: boolean) => void;
}

export interface ConnectionUse<Value> {
  /** The start of an error's message. */
  readonly attempt: string;
  readonly timeoutName: keyof UpstreamTimeouts;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly run: (connection: Connection) => Promise<Value>;
}

/** Throws a CoordinatorError, or what the server itself answered if it is passed on as it is. */
export const useConnection = async <Value>(
  { definition, maxAnswerBytes, tokens, connect, giveUp }: UsedServer,
  { attempt, timeoutName, timeoutMs, signal, run }: ConnectionUse<Value>,
): Promise<Value> => {
  for (let isRepeated = false; ; isRepeated = true) {
    let connection: Connection | undefined;
    try {
      signal?.throwIfAborted();
      connection = await connect(signal);
      return await run(connection);
    } catch (error) {
      if (signal?.aborted) throw new CoordinatorError("RUN_CANCELLED", `${attempt}: the run was cancelled`);
      if (connection === undefined) throw error;
      const outdated = findOutdated(error, connection);
      const isOutdated = outdated !== undefined;
      if (isOutdated || isLost(error)) giveUp(connection, outdated === "protocol");
      if (isOutdated && !isRepeated) continue;
      if (error instanceof ServerRefusal && localFailureReason(error) === undefined) throw error;
      const context = { definition, attempt, timeoutMs, timeoutName, maxAnswerBytes };
      const failed = toRequestError(connection.failure() ?? error, {
        ...context,
        report: connection.report(),
      });
      throw await explainFailure(tokens, error, failed, attempt);
    }
  }
};
