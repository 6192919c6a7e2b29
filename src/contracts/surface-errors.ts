// The error codes of client configurations, trust and HTTP callers.
import { type ErrorEntry, entry } from "./error-entry.js";

export const clientErrors = {
  CONFIG_UNTRUSTED: entry(
    "user",
    "A configuration outside your own folders would start a command, and nobody has trusted it yet.",
    'Check what it starts; then run "mcp-coordinator trust" in the folder, with --config PATH for a specific file.',
  ),
  CLIENT_UNKNOWN: entry(
    "user",
    "No client with that name is known.",
    'Run "mcp-coordinator connect" to see the names.',
  ),
  CLIENT_FILE_UNREADABLE: entry(
    "user",
    "A client's configuration file cannot be read, or cannot be changed without touching more than its servers.",
    "Fix the file named in the message, or change it by hand.",
  ),
  CONFIRMATION_NEEDED: entry(
    "user",
    "Files would be changed, and there is no terminal to ask for confirmation.",
    "Check what would be done, then confirm with --yes.",
  ),
} as const satisfies Record<string, ErrorEntry>;

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
    "The given token cannot be used.",
    'Use at least 32 random characters, for example from "openssl rand -base64 32".',
  ),
} as const satisfies Record<string, ErrorEntry>;
