// Waits on 127.0.0.1 for the browser's redirect after a sign-in. Accepts one answer, and echoes nothing of it.
import { createServer } from "node:http";
import { CoordinatorError } from "../../contracts/index.js";

export interface CallbackListener {
  readonly port: number;
  /** Resolves with the parameters of the first request that has the right state. */
  readonly answer: Promise<URLSearchParams>;
  readonly close: () => void;
}

export interface ListenOptions {
  /** The port to use. 0: a free one. */
  readonly port: number;
  readonly state: string;
}

const page = (title: string, text: string): string =>
  `<!doctype html><meta charset="utf-8"><title>${title}</title><p>${text}</p>\n`;
const done = page("Signed in", "Done. You can close this page and return to mcp-coordinator.");
const refused = page("Not signed in", "The sign-in was refused. mcp-coordinator shows why.");
const unknown = page("Not expected", "This address does not belong to a sign-in that is in progress.");

const headers = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  connection: "close",
};

const maxAddress = 16 * 1024;

/** The parameters of a request that answers this sign-in. Any program on this machine and any page in the browser can send requests. */
const readAnswer = (method = "", path = "/", state = ""): URLSearchParams | undefined => {
  const url = URL.parse(path, "http://127.0.0.1");
  const isOurs = method === "GET" && url?.pathname === "/callback" && url.searchParams.get("state") === state;
  return isOurs ? url.searchParams : undefined;
};

/** Listens for one answer. Throws LISTEN_FAILED if the port is in use. */
export const listenForCallback = async ({ port, state }: ListenOptions): Promise<CallbackListener> => {
  const { promise: answer, resolve } = Promise.withResolvers<URLSearchParams>();
  const server = createServer({ maxHeaderSize: maxAddress }, (request, response) => {
    const found = readAnswer(request.method, request.url, state);
    if (found === undefined) return response.writeHead(404, headers).end(unknown);
    response.writeHead(200, headers).end(found.has("error") ? refused : done);
    // A state is valid only once.
    server.close();
    return resolve(found);
  });
  await new Promise<void>((listening, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        new CoordinatorError("LISTEN_FAILED", `Cannot wait for the browser on port ${port}: ${error.code}`, {
          hint: 'Close the program that uses the port, or set "auth": { "callbackPort" } in the server\'s entry',
        }),
      ),
    );
    server.listen(port, "127.0.0.1", listening);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    answer,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
