// What repeating a call would do: a tool's, as its server says of it, or a request's.
import type { CallEffect, Json, Tool } from "../contracts/index.js";

/** What repeating it would do, as the server says of it. */
export const toEffect = ({ isReadOnly, isIdempotent }: Tool): CallEffect =>
  isReadOnly ? "read" : isIdempotent === true ? "idempotent" : "write";

export const toFetchEffect = ([, request]: readonly Json[]): CallEffect => {
  const method = (request as { readonly method?: Json } | undefined)?.method;
  return method === undefined || method === "GET" || method === "HEAD" ? "read" : "write";
};
