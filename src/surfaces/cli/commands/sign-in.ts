// `login`, `accounts` and `logout`: the sign-ins to remote servers.
import type { Account, Accounts, Coordinator } from "../../../coordinator/index.js";
import type { Command, CommandContext } from "../command.js";
import { signInHere } from "../prompt/sign-in.js";
import { usage } from "../read-words.js";
import { shortenHome, toPlainText } from "../render/plain-text.js";
import { noteCommand } from "../render/run.js";
import type { Screen } from "../screen.js";

const readServer = ({ words }: CommandContext, command: string): string => {
  const [server, ...more] = words;
  if (server === undefined || more.length > 0)
    throw usage(command === "login" ? "sign in" : "sign out", "expected one server", command);
  return server;
};

export const login: Command = {
  name: "login",
  usage: ["login SERVER [--device | --paste] [--yes]"],
  description:
    "Opens the server's sign-in page in your browser and waits for you. --device shows a code to enter on another device, if the server's issuer supports that. --paste is for machines without a browser: it prints the URL of the page and reads the URL that you are redirected to. The sign-in is stored encrypted and refreshed automatically.",
  examples: [
    ["mcp-coordinator login linear", "Sign in with the browser"],
    ["mcp-coordinator login linear --device", "Sign in from another device"],
  ],
  options: {
    device: { type: "boolean", summary: "Show a code to enter on another device" },
    paste: { type: "boolean", summary: "Print the URL, and read the URL you are redirected to" },
    yes: { type: "boolean", summary: "Accept a changed issuer" },
  },
  run: async (context) => {
    const { screen, options, open, signal } = context;
    const server = readServer(context, "login");
    const { facts } = options;
    if (facts.has("device") && facts.has("paste"))
      throw usage("sign in", "--device and --paste exclude each other", "login");
    const method = facts.has("device") ? "device" : facts.has("paste") ? "paste" : "browser";
    const coordinator = await open();
    const account = await signInHere(screen, coordinator, {
      server,
      method,
      isSure: facts.has("yes"),
      signal,
    });
    if (screen.isJson) screen.document(account);
    else
      screen.print(
        `${screen.style("green", "signed in")} to ${toPlainText(account.server)}${renderUntil(account)}`,
      );
    await continueWaiting(screen, coordinator, account.server);
    return 0;
  },
};

/** Continues the runs that waited for this sign-in and that no other process continues. */
const continueWaiting = async (screen: Screen, coordinator: Coordinator, server: string): Promise<void> => {
  for (const { runId, result } of await coordinator.continueRuns({ server })) {
    const state =
      result === undefined
        ? "continues in its own process"
        : result.status === "paused"
          ? "continued, and waits for something else now"
          : `continued and ${result.status}`;
    noteCommand(screen, `The run that waited for it ${state}`, coordinator.toCommand(["runs", runId]));
  }
};

const renderUntil = ({ isRenewed, expiresAt }: Account): string =>
  isRenewed ? "; it renews automatically" : expiresAt === undefined ? "" : `, until ${expiresAt}`;

const renderVault = ({ vault }: Accounts): string | undefined => {
  if (vault === undefined) return undefined;
  const { source, folder, keyFile, note } = vault;
  const key = keyFile === undefined ? `its key: ${source}` : `its key is the file ${shortenHome(keyFile)}`;
  return `Stored in ${folder === undefined ? "memory" : shortenHome(folder)}, ${key}${note === undefined ? "" : `, because ${note}`}`;
};

export const accounts: Command = {
  name: "accounts",
  usage: ["accounts"],
  description:
    "Shows which servers you are signed in to, at which issuer and with which rights. Never shows a token.",
  examples: [["mcp-coordinator accounts", "Your sign-ins, and where they are stored"]],
  options: {},
  run: async ({ screen, open }) => {
    const found = await (await open()).listAccounts();
    if (screen.isJson) {
      screen.document(found);
      return 0;
    }
    if (found.accounts.length === 0) screen.note("You are not signed in to any of the configured servers");
    else {
      const rows = found.accounts.map(({ server, state, issuer, scopes, isRenewed, expiresAt }) => [
        toPlainText(server),
        state,
        toPlainText(issuer),
        toPlainText(scopes.join(" ")),
        isRenewed ? "renews automatically" : (expiresAt ?? "unknown"),
      ]);
      screen.table(rows, { head: ["SERVER", "STATE", "ISSUER", "SCOPES", "UNTIL"] });
    }
    for (const { server, failure, wantedScopes } of found.accounts) {
      if (failure !== undefined)
        screen.note(`"${toPlainText(server)}" needs a new sign-in: ${toPlainText(failure)}`);
      if (wantedScopes !== undefined)
        screen.note(`"${toPlainText(server)}" needed more rights: ${toPlainText(wantedScopes.join(" "))}`);
    }
    const place = renderVault(found);
    if (place !== undefined) screen.note(place);
    return 0;
  },
};

export const logout: Command = {
  name: "logout",
  usage: ["logout SERVER [--revoke]"],
  description:
    "Removes the sign-in to a server from this machine. --revoke also revokes it at the issuer, so that copies of the tokens become useless.",
  examples: [["mcp-coordinator logout linear --revoke", "Sign out here and at the issuer"]],
  options: { revoke: { type: "boolean", summary: "Also revoke the tokens at the issuer" } },
  run: async (context) => {
    const { screen, options, open } = context;
    const server = readServer(context, "logout");
    const isRemoved = await (await open()).logout({ server, isRevoked: options.facts.has("revoke") });
    if (screen.isJson) screen.document({ removed: isRemoved ? [server] : [] });
    else if (isRemoved) screen.print(`${screen.style("green", "signed out")} of ${toPlainText(server)}`);
    else screen.note(`Nothing was removed: you are not signed in to "${toPlainText(server)}"`);
    return 0;
  },
};
