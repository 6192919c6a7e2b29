// Sign-ins that a client's person was given an address for: each goes on here until the person is back from it.
import type { LoginRequest } from "./sign-in.js";

export interface SignInPages {
  /** The address to visit; undefined if a sign-in cannot begin. While one is in progress, it is the same address. */
  readonly open: (server: string) => Promise<string | undefined>;
  readonly close: () => void;
}

export const openSignInPages = (login: (request: LoginRequest) => Promise<unknown>): SignInPages => {
  const inProgress = new Map<string, Promise<string | undefined>>();
  const stop = new AbortController();
  const begin = (server: string): Promise<string | undefined> => {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    // Another issuer than before is refused: a client has no way to show what has changed.
    // A machine account signs in without an address.
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
