// The verbs on callers over HTTP: their requests, and how they are called.
import type { Caller, CallerFacts, NewCaller } from "../../contracts/index.js";

export interface AddCallerRequest {
  readonly name: string;
  /** Whose files, memory, sessions and runs they work with. @default one of their own, of the same name */
  readonly workspace?: string | undefined;
}

export interface CallerVerbs {
  /** Those who may come in over HTTP, sorted by name. */
  readonly listCallers: () => Promise<readonly CallerFacts[]>;
  /** Lets somebody in: their token is told this once. */
  readonly addCaller: (request: AddCallerRequest) => Promise<NewCaller>;
  /** A new token in place of the old one, which is worthless from then on. */
  readonly renewCaller: (request: { readonly name: string }) => Promise<NewCaller>;
  /** Lets somebody in no more; false when there is no such caller. What is in their workspace stays. */
  readonly removeCaller: (request: { readonly name: string }) => Promise<boolean>;
  /** Whose token that is; undefined: nobody's. */
  readonly findCaller: (request: { readonly token: string }) => Promise<Caller | undefined>;
}

/** The caller of a person who has added none. */
export const firstCaller = "default";
