// The error codes of the door over HTTP.
import { type ErrorEntry, entry } from "./error-entry.js";

export const httpErrors = {
  LISTEN_FAILED: entry(
    "user",
    "The address or port cannot be listened on.",
    "Choose another port; --http 0 takes a free one.",
  ),
  CALLER_UNKNOWN: entry(
    "user",
    "No caller of that name may come in over HTTP.",
    'Run "mcp-coordinator callers" to see the names.',
  ),
  CALLER_EXISTS: entry(
    "user",
    "A caller of that name has a token already.",
    'Make a new token with "mcp-coordinator callers renew NAME", or use another name.',
  ),
  TOKEN_UNFIT: entry(
    "user",
    "A token that was given cannot keep anybody out.",
    'Use at least 32 characters by chance, such as those of "openssl rand -base64 32".',
  ),
} as const satisfies Record<string, ErrorEntry>;
