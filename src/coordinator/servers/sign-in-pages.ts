// Sign-ins whose address was given to a client: each continues here until the person has signed in.
import type { LoginRequest } from "./sign-in.js";

export interface SignInPages {
  /** The address to visit; undefined if no sign-in can be started. The address stays the same while a sign-in is in progress. */
  readonly open: (server: string) => Promise<string | undefined>;
  readonly close: () => void;
}

export const openSignInPages = (login: (request: LoginRequest) => Promise<unknown>): SignInPages => {
  const inProgress = new Map<string, Promise<string | undefined>>();
  const stop = new AbortController();
  const begin = (server: string): Promise<string | undefined> => {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    // A changed issuer is refused: a client cannot show the change. A machine account signs in without an address.
    login({ server, signal: stop.signal, onAddress: resolve })
      .then(
        () => resolve(undefined),
        () => resolve(undefined),
      )
      .finally(() => inProgress.delete(server));
    return promise;
  };
  return {
    open: (server) => {
      const known = inProgress.get(server) ?? begin(server);
      inProgress.set(server, known);
      return known;
    },
    close: () => stop.abort(),
  };
};
