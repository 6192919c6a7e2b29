// Signs in to a server with the person at the terminal: for `login`, and for a run that waits for a sign-in.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { type PeopleAnswer, type RunQuestion, toCoordinatorError } from "../../../contracts/index.js";
import type { Account, Coordinator, DeviceCode } from "../../../coordinator/index.js";
import { noteFailure } from "../render/error.js";
import { plural, toPlainText } from "../render/plain-text.js";
import type { Screen } from "../screen.js";

const showCode = (screen: Screen, { code, url, completeUrl, expiresInMs }: DeviceCode): void => {
  screen.noteWhole(
    `Open ${toPlainText(url)} on any device and enter the code ${screen.styleNote("bold", toPlainText(code))}`,
  );
  if (completeUrl !== undefined) screen.noteWhole(`Or open ${toPlainText(completeUrl)}`);
  noteWaiting(screen, expiresInMs);
};

const noteWaiting = (screen: Screen, maxWaitMs: number): void =>
  screen.note(
    `Waiting until you have signed in there, at most ${plural(Math.max(1, Math.round(maxWaitMs / 60_000)), "minute")}. Ctrl-C cancels`,
  );

/** The first line of stdin, also if it is a pipe. */
const readPasted = async (screen: Screen): Promise<string> => {
  if (screen.canAsk) return (await screen.ask("Address of the last page: ")) ?? "";
  const reader = createInterface({ input: process.stdin });
  try {
    const [line] = (await Promise.race([once(reader, "line"), once(reader, "close")])) as [string?];
    return line ?? "";
  } finally {
    reader.close();
  }
};

const confirmIssuer = async (
  screen: Screen,
  server: string,
  changes: readonly string[],
  isSure: boolean,
): Promise<boolean> => {
  screen.warn(`"${toPlainText(server)}" names another issuer than at the first sign-in:`);
  for (const change of changes) screen.note(`  ${toPlainText(change)}`);
  if (isSure || !screen.canAsk) return isSure;
  const { confirm } = await import("./choose.js");
  return confirm(screen, "Sign in there?");
};

interface SignInHere {
  readonly server: string;
  readonly method?: "browser" | "device" | "paste" | undefined;
  /** Another issuer than before is accepted. */
  readonly isSure?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export const signInHere = (
  screen: Screen,
  { login }: Pick<Coordinator, "login">,
  { server, method = "browser", isSure = false, signal }: SignInHere,
): Promise<Account> =>
  login({
    server,
    method,
    signal,
    onAddress: async (url, maxWaitMs) => {
      const isOpened = method === "browser" && screen.isWatched && (await openPage(url));
      screen.note(
        isOpened ? "Your browser shows the sign-in page. If not, open:" : "Open this page and sign in:",
      );
      screen.noteWhole(url);
      if (method === "browser") noteWaiting(screen, maxWaitMs);
      else screen.note("The last page will not load. Copy its address, which begins with http://127.0.0.1");
    },
    onCode: (code) => showCode(screen, code),
    readAddress: () => readPasted(screen),
    onChanged: (changes) => confirmIssuer(screen, server, changes, isSure),
  });

const pollMs = 500;

/** Resolves when somebody has signed in, in whichever process. Never resolves after the signal. */
const waitForAccount = async (
  { listAccounts }: Pick<Coordinator, "listAccounts">,
  { server, since = 0 }: RunQuestion,
  signal: AbortSignal,
): Promise<PeopleAnswer> => {
  for (;;) {
    await delay(pollMs, undefined, { signal });
    // A vault that is locked now may be open later.
    const { accounts } = await listAccounts().catch(() => ({ accounts: [] }));
    const account = accounts.find((one) => one.server === server && one.state === "signed in");
    if (account !== undefined && Date.parse(account.signedInAt ?? "") >= since) return { answer: true };
  }
};

/** Lets the person sign in for a run. Undefined: the run continues to wait. */
export const askSignIn = async (
  screen: Screen,
  coordinator: Pick<Coordinator, "login" | "listAccounts">,
  question: RunQuestion,
): Promise<PeopleAnswer | undefined> => {
  const { server = "" } = question;
  const stop = new AbortController();
  const { signal } = stop;
  const signInNow = async (): Promise<PeopleAnswer | undefined> => {
    const line = (await screen.ask("Sign in now? [y/n] ", signal))?.trim();
    if (line === undefined) return undefined;
    if (/^(n|no)$/i.test(line)) return { answer: false };
    if (!/^(y|yes)?$/i.test(line)) return signInNow();
    try {
      await signInHere(screen, coordinator, { server, signal });
      return { answer: true };
    } catch (thrown) {
      if (!signal.aborted) noteFailure(screen, toCoordinatorError(thrown));
      return undefined;
    }
  };
  try {
    return await Promise.race([signInNow(), waitForAccount(coordinator, question, signal)]);
  } finally {
    stop.abort();
  }
};

type Environment = Readonly<Record<string, string | undefined>>;

/** The program that opens an address; undefined if there is no screen to show it on. */
const findOpener = (
  platform: NodeJS.Platform,
  environment: Environment,
): readonly [command: string, ...args: string[]] | undefined => {
  if (environment.BROWSER === "none" || environment.SSH_CONNECTION) return undefined;
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? ["xdg-open"] : undefined;
};

/** Tries to open an http or https address. False if nothing was started; the person then opens it by hand. */
export const openPage = async (url: string): Promise<boolean> => {
  const opener = findOpener(process.platform, process.env);
  if (opener === undefined || !/^https?:\/\/[!-~]+$/.test(url)) return false;
  const [command, ...args] = opener;
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: "ignore", detached: true, shell: false });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
};
