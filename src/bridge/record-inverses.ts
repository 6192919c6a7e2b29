// Computes the inverse of a write when it is journaled: from its arguments, its answer and, if declared, a read before it.
import {
  CoordinatorError,
  type GuestAnswer,
  type GuestCall,
  type InverseMaker,
  type Json,
  type JsonObject,
  type RecordedInverse,
  readJson,
  type Tool,
  toCoordinatorError,
  toEffect,
} from "../contracts/index.js";
import { toFailure, unwrapAnswer } from "./answers.js";
import type { BridgeCall, Middleware } from "./pipeline.js";

export interface InversionOptions {
  /** How the writes of a tool are undone. Undefined: nothing is declared for it. */
  readonly undo?: ((tool: Tool) => InverseMaker | undefined) | undefined;
  readonly findTool: (server: string, tool: string) => Promise<Tool>;
}

/** Larger answers are not parsed. */
const maxAnswer = 1024 * 1024;

/** Runs after the journal, so it sees only calls that are really made. `read` makes a separate call, with every rule that applies to it. */
export const openInversions = (
  { undo, findTool }: InversionOptions,
  read: (guest: GuestCall, signal: AbortSignal) => Promise<GuestAnswer>,
): Middleware => {
  /** Throws if the state cannot be read. The write is made anyway, without an inverse. */
  const readBefore = async (maker: InverseMaker, call: BridgeCall): Promise<Json | undefined> => {
    const wanted = maker.toRead(call.shown as JsonObject);
    if (wanted === undefined) return undefined;
    const { server, tool, arguments: given } = wanted;
    const found = await findTool(server, tool);
    if (toEffect(found) !== "read") throw new Error(`"${server}.${tool}" is not declared read-only`);
    const guest = { server, tool, argumentsJson: JSON.stringify([given]), isRaw: false };
    const answer = await read(guest, call.signal);
    if (answer.status === "failed") throw new Error(answer.message);
    return toValue(answer);
  };
  return async (call, next) => {
    const { upstream, place, effect, decision } = call;
    const isMade = decision === "allowed" || decision === "approved";
    if (upstream === undefined || place === undefined || effect === "read" || !isMade) return next();
    const maker = undo?.(upstream);
    if (maker === undefined) return next();
    let before: Json | undefined;
    let missing: string | undefined;
    try {
      before = await readBefore(maker, call);
    } catch (thrown) {
      missing = `the state before it could not be read: ${toShortMessage(thrown)}`;
    }
    const answer = await next();
    if (missing !== undefined) call.inverse = { missing };
    else call.inverse = await invert(maker, call, before);
    return answer;
  };
};

/** Undefined if the call did nothing, or its effect is unknown. */
const invert = async (
  maker: InverseMaker,
  { result, shown }: BridgeCall,
  before: Json | undefined,
): Promise<RecordedInverse | undefined> => {
  if (result === undefined) return undefined;
  try {
    // A program may take the whole result or a handle. The inverse is computed from the content in any case.
    const unwrapped = maker.usesAnswer ? await unwrapAnswer(result, false) : undefined;
    if (unwrapped?.status === "failed" || result.isError === true || result.large?.isError === true)
      return undefined;
    const answer = unwrapped === undefined ? undefined : await toValue(unwrapped);
    return maker.invert({ arguments: shown as JsonObject, answer, before });
  } catch (thrown) {
    return { missing: toShortMessage(thrown) };
  }
};

const toShortMessage = (thrown: unknown): string =>
  (thrown instanceof Error && !(thrown instanceof CoordinatorError)
    ? thrown.message
    : toCoordinatorError(thrown).message
  ).slice(0, 500);

/** The answer as the program sees it. */
const toValue = async (answer: Extract<GuestAnswer, { readonly status: "answered" }>): Promise<Json> => {
  const { format, body } = answer;
  if (body.length > maxAnswer)
    throw new Error(`the answer has ${body.length} characters, expected at most ${maxAnswer}`);
  if (format === "text") return body;
  try {
    return (await readJson(body)) as Json;
  } catch (thrown) {
    if (format === "either") return body;
    throw thrown;
  }
};

/** Replaces the journal for these reads: one that needs approval is not made. */
export const refuseAsking: Middleware = async (call, next) =>
  call.askFirst === undefined
    ? next()
    : toFailure(
        new CoordinatorError("CALL_DENIED", `Cannot call "${call.server}.${call.tool}": it needs approval`),
      );
