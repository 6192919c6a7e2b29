// A program's `fetch` as a call like any other: held to the run's rights, allowed by people where that is asked for, journaled.
import type { GuestAnswer, GuestCall, Json, JsonObject, Limits, Tool } from "../contracts/index.js";
import { CoordinatorError } from "../contracts/index.js";
import type { Asking } from "./ask-people.js";
import { fetchAllowed, journalledNetwork } from "./fetch-allowed.js";
import type { Following } from "./follow-journal.js";
import type { Gate } from "./gate.js";
import type { CallPlace } from "./journalled-calls.js";
import { parseArguments } from "./parse-arguments.js";
import { toFetchEffect } from "./to-effect.js";

/** What decides whether people must allow a call. */
export type ApprovedTool = Pick<Tool, "server" | "name" | "isReadOnly" | "isDestructive"> & {
  /** Its name in programs. */
  readonly functionName?: string | undefined;
};

interface FetchingOptions {
  readonly limits: Limits;
  readonly allowedHosts: readonly string[];
  readonly fetchTimeoutMs: number;
  readonly needsApproval?: (tool: ApprovedTool) => boolean;
  readonly isReadingOnly?: boolean;
}

interface FetchingParts {
  readonly following: Following;
  readonly asking: Asking;
  readonly pass: Gate;
}

/** The name of a request in journals, and in rules on what people must allow. */
const network = { server: journalledNetwork, name: "fetch" } as const;

export const openFetching =
  (options: FetchingOptions, { following, asking, pass }: FetchingParts) =>
  async (call: GuestCall, place: CallPlace | undefined, signal: AbortSignal): Promise<GuestAnswer> => {
    const { limits } = options;
    const values = parseArguments("fetch", call.argumentsJson, limits);
    const rules = {
      allow: options.allowedHosts,
      maxBytes: limits.answerBytes,
      timeoutMs: options.fetchTimeoutMs,
    };
    const effect = toFetchEffect(values);
    if (effect !== "read" && options.isReadingOnly === true)
      throw new CoordinatorError(
        "NETWORK_DENIED",
        "Cannot fetch: a plan makes no request that could change something",
      );
    // What a request changes is known to nobody but its server: it counts as a tool that declares nothing.
    const asTool = { ...network, isReadOnly: effect === "read", isDestructive: effect !== "read" };
    const askFirst =
      options.needsApproval?.(asTool) === true
        ? asking.toApproval({ server: network.server, tool: network.name, arguments: nameParts(values) })
        : undefined;
    const issued = {
      server: network.server,
      tool: network.name,
      arguments: values,
      effect,
      ...(askFirst === undefined ? {} : { isHeld: true }),
    };
    const decision = askFirst === undefined ? "allowed" : "approved";
    const make = (): Promise<GuestAnswer> => pass(() => fetchAllowed(rules, values, signal));
    return (
      await following.follow(place, issued, {
        decision,
        make,
        askFirst,
        argumentBytes: call.argumentsJson.length,
      })
    ).answer;
  };

/** A request as people read it before they allow it: what is sent, and nothing a program may have put beside it. */
const nameParts = ([url = null, request]: readonly Json[]): JsonObject => {
  const { method = "GET", headers, body } = (request ?? {}) as JsonObject;
  return {
    method,
    url,
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  };
};
