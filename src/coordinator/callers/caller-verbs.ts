// The verbs for HTTP callers and their requests.
import type { Caller, CallerFacts, NewCaller } from "../../contracts/index.js";

export interface AddCallerRequest {
  readonly name: string;
  /** The workspace the caller works in. @default a workspace with the caller's name */
  readonly workspace?: string | undefined;
}

export interface CallerVerbs {
  /** Lists the HTTP callers, sorted by name. */
  readonly listCallers: () => Promise<readonly CallerFacts[]>;
  /** Adds a caller. The token is returned only this once. */
  readonly addCaller: (request: AddCallerRequest) => Promise<NewCaller>;
  /** Replaces the token of a caller. The old token stops working. */
  readonly renewCaller: (request: { readonly name: string }) => Promise<NewCaller>;
  /** Removes a caller but keeps the workspace. Returns false if there is no such caller. */
  readonly removeCaller: (request: { readonly name: string }) => Promise<boolean>;
  /** Finds the caller of a token. Returns undefined if the token is unknown. */
  readonly findCaller: (request: { readonly token: string }) => Promise<Caller | undefined>;
}

/** The caller's name if none has been added. */
export const firstCaller = "default";
