// Signs in to servers and out of them, lists the accounts, and renews sign-ins in a process of their own.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import {
  CoordinatorError,
  type ErrorCode,
  type HttpTarget,
  type Settings,
  toCoordinatorError,
  type VaultFacts,
  type WiredDefinition,
} from "../../contracts/index.js";
import {
  type Account,
  type RefreshJob,
  readAccount,
  type SignInPerson,
  signIn,
  signOut,
} from "../../upstream/index.js";
import { findServer, type Host } from "../host/host.js";

export type { Account, DeviceCode } from "../../upstream/index.js";

/** The server to sign in to, and how to reach the person who does. */
export interface LoginRequest extends SignInPerson {
  readonly server: string;
}

/** The server whose sign-in is removed. */
export interface LogoutRequest {
  readonly server: string;
  /** Ask the issuer to forget the tokens, too. */
  readonly isRevoked?: boolean | undefined;
}

/** All sign-ins to the configured servers, without tokens. */
export interface Accounts {
  readonly accounts: readonly Account[];
  /** Where the sign-ins are stored. Absent: there are none yet. */
  readonly vault?: VaultFacts | undefined;
}

const findRemote = (host: Host, name: string): WiredDefinition & { readonly target: HttpTarget } => {
  const definition = findServer(host, name);
  const { target } = definition;
  const fail = (state: string, hint: string): CoordinatorError =>
    new CoordinatorError("USAGE", `Cannot sign in to "${definition.name}": ${state}`, { hint });
  if (definition.problem !== undefined) throw definition.problem;
  if (target.kind === "stdio" || target.kind === "in-process")
    throw fail("it is not a remote server", 'Name a server that has a "url": only those have sign-ins.');
  if (definition.auth?.type === "none")
    throw fail('its entry says "auth": "none"', 'Remove "auth" from the entry to sign in');
  return { ...definition, target };
};

export const login = async (host: Host, { server, ...person }: LoginRequest): Promise<Account> => {
  const definition = findRemote(host, server);
  const headers = Object.keys(definition.target.headers).map((header) => header.toLowerCase());
  if (definition.auth === undefined && headers.includes("authorization"))
    throw new CoordinatorError(
      "USAGE",
      `Cannot sign in to "${definition.name}": its entry has a header "Authorization", which is used instead of a sign-in`,
      { hint: "Remove the header from the entry to sign in." },
    );
  const { clientMetadataUrl: document } = host.configuration.settings;
  const account = await signIn({ ...person, definition, vault: host.vault, document });
  await host.upstreams.forgetFailures(definition.name);
  return account;
};

export const logout = async (host: Host, { server, isRevoked = false }: LogoutRequest): Promise<boolean> =>
  signOut({ definition: findRemote(host, server), vault: host.vault, isRevoked });

/** A damaged entry must not hide the others. A locked vault is an error. */
const toDamaged = (server: string, error: CoordinatorError): Account => {
  if (error.code !== "STORE_UNREADABLE") throw error;
  return {
    server,
    issuer: "",
    type: "oauth",
    clientId: "",
    scopes: [],
    state: "sign-in needed",
    isRenewed: false,
    failure: `${error.message}. ${error.hint}`,
  };
};

export const listAccounts = async (host: Host): Promise<Accounts> => {
  const read = host.configuration.servers.map(async (definition) => {
    const { target } = definition;
    if (target.kind === "in-process") return undefined;
    return readAccount(host.vault, { ...definition, target }).catch((thrown: unknown) =>
      toDamaged(definition.name, toCoordinatorError(thrown)),
    );
  });
  const accounts = (await Promise.all(read)).filter((account) => account !== undefined);
  return { accounts, vault: await host.vault.describe() };
};

/** What the process that renews a sign-in (refresh-child.ts) reads from stdin. */
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
  environment: Readonly<Record<string, string | undefined>>,
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
    const { failure } = (printed === "" ? { failure: childFailure } : JSON.parse(printed)) as RefreshReply;
    if (failure === undefined) return;
    const { code, message, hint, details } = failure;
    throw new CoordinatorError(code, message, { hint, details });
  };
};

const childFailure = {
  code: "INTERNAL",
  message: "Cannot renew a sign-in: the process that does it ended without an answer",
  hint: "Try again.",
} as const;
