// Plans which transport and protocol era to try first, and what to try after a failure.
import type { EraVerdict, WiredDefinition } from "../contracts/index.js";
import { httpStatus, isLost, isStartFailure, isTimeout, protocolCode } from "./error-facts.js";

export interface ConnectPlan {
  readonly wire: "stdio" | "http" | "sse";
  /**
   * `probe` asks the server for its era; over stdio with a short timeout, because silence means an old server.
   * `patient` asks with the full timeout. `legacy` and `modern` assume the era.
   */
  readonly mode: "probe" | "patient" | "legacy" | "modern";
}

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** An upgraded server still answers in the old way, so the legacy verdict expires after a week. */
const isFresh = (verdict: EraVerdict, nowMs: number): boolean =>
  verdict.kind === "modern" || nowMs - Date.parse(verdict.decidedAt) < weekMs;

export const firstPlan = (
  kind: WiredDefinition["target"]["kind"],
  verdict: EraVerdict | undefined,
  nowMs: number,
): ConnectPlan => {
  if (kind === "sse") return { wire: "sse", mode: "legacy" };
  const known = verdict !== undefined && isFresh(verdict, nowMs) ? verdict.kind : undefined;
  // Over stdio the probe costs a modern server nothing compared with its start, and shows that it runs.
  if (known === "legacy" || (known === "modern" && kind === "http")) return { wire: kind, mode: known };
  return { wire: kind, mode: "probe" };
};

const isNegotiationFailure = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERA_NEGOTIATION_FAILED";

/** Returns the next attempt; undefined if nothing is left to try. */
export const nextPlan = ({ wire, mode }: ConnectPlan, error: unknown): ConnectPlan | undefined => {
  const status = httpStatus(error);
  const isRefused = status === undefined ? protocolCode(error) !== undefined : status >= 400 && status < 500;
  if (wire === "stdio") {
    if (isStartFailure(error)) return undefined;
    // Some old servers exit or stop answering after an unknown request.
    const isSpoilt = isNegotiationFailure(error) || isLost(error) || isTimeout(error);
    if (mode === "probe" && isSpoilt) return { wire, mode: "legacy" };
    return mode !== "patient" && isRefused ? { wire, mode: "patient" } : undefined;
  }
  if (wire === "sse" || status === 401 || status === 403) return undefined;
  if (mode !== "probe") return isRefused || isNegotiationFailure(error) ? { wire, mode: "probe" } : undefined;
  // The specification's rule for old HTTP+SSE servers.
  return status !== undefined && isRefused ? { wire: "sse", mode: "legacy" } : undefined;
};
