// Starts the process that refreshes a sign-in (refresh-child.ts), and waits for it.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { CoordinatorError, type ErrorCode, type Settings } from "../../contracts/index.js";
import type { RefreshJob } from "../../upstream/index.js";

/** What the process reads from stdin. */
export interface RefreshInput extends Pick<Settings, "vault" | "vaultFolder"> {
  readonly job: RefreshJob;
}

interface RefreshReply {
  readonly failure?: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly hint: string;
    readonly details?: unknown;
  };
}

/** The same file for the source, the compiled modules and the bundle. */
const childFile = fileURLToPath(new URL("../../../dist/bundle/refresh-child.js", import.meta.url));

/** The variables for the vault's key, the keychain and TLS certificates. */
const inherited = [
  "PATH",
  "HOME",
  "TMPDIR",
  "TEMP",
  "SystemRoot",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
  "DBUS_SESSION_BUS_ADDRESS",
  "XDG_RUNTIME_DIR",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "MCP_COORDINATOR_VAULT_KEY",
  "MCP_COORDINATOR_VAULT_KEY_FILE",
  "MCP_COORDINATOR_VAULT_PASSPHRASE",
];

/** Undefined if sign-ins are in the memory of this process. */
export const openRefresher = (
  { vault, vaultFolder }: Settings,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ((job: RefreshJob) => Promise<void>) | undefined => {
  if (vault === "memory") return undefined;
  return async (job) => {
    const child = spawn(process.execPath, ["--no-warnings", childFile], {
      env: Object.fromEntries(inherited.map((name) => [name, environment[name]])),
      stdio: ["pipe", "pipe", "ignore"],
      // A separate session, so that neither our exit nor Ctrl-C interrupts it.
      detached: true,
      windowsHide: true,
    });
    const ended = new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", () => resolve());
    });
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify({ job, vault, vaultFolder } satisfies RefreshInput));
    const [printed] = await Promise.all([text(child.stdout), ended]);
    const { failure } = (printed === "" ? { failure: lost } : JSON.parse(printed)) as RefreshReply;
    if (failure === undefined) return;
    const { code, message, hint, details } = failure;
    throw new CoordinatorError(code, message, { hint, details });
  };
};

const lost = {
  code: "INTERNAL",
  message: "Cannot renew a sign-in: the process that does it ended without an answer",
  hint: "Try again.",
} as const;
