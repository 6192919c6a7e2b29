// The error codes of changing a client's configuration, and of trusting a folder's configuration.
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
