// The error codes of serving over HTTP.
import { type ErrorEntry, entry } from "./error-entry.js";

export const httpErrors = {
  LISTEN_FAILED: entry(
    "user",
    "The server cannot listen on the address or port.",
    "Choose another port; --http 0 takes a free one.",
  ),
  CALLER_UNKNOWN: entry(
    "user",
    "There is no HTTP caller with that name.",
    'Run "mcp-coordinator callers" to see the names.',
  ),
  CALLER_EXISTS: entry(
    "user",
    "A caller with that name already has a token.",
    'Make a new token with "mcp-coordinator callers renew NAME", or use another name.',
  ),
  TOKEN_UNFIT: entry(
    "user",
    "The given token is too weak.",
    'Use at least 32 random characters, for example from "openssl rand -base64 32".',
  ),
} as const satisfies Record<string, ErrorEntry>;
