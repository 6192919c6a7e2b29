// Tells whether a server refused a request before doing anything, because what we know of it is out of date.
import type { Connection } from "./connection.js";
import { httpStatus, messageOf, protocolCode } from "./error-facts.js";

/** It has forgotten our session, or speaks another era by now: the request can be made again on a new connection. */
export const findOutdated = (
  error: unknown,
  { wire, isAssumed, sessionId }: Connection,
): "session" | "era" | undefined => {
  if (wire !== "http") return undefined;
  const status = httpStatus(error);
  const isSessionGone = status === 404 || (status === 400 && /session/i.test(messageOf(error)));
  if (sessionId() !== undefined && isSessionGone) return "session";
  if (!isAssumed) return undefined;
  const isRefused =
    [400, 404, 405, 406].includes(status ?? 0) || [-32601, -32022].includes(protocolCode(error) ?? 0);
  return isRefused ? "era" : undefined;
};
