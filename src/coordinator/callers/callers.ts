// Lists, adds, renews, removes and finds HTTP callers.
import { type Caller, type CallerFacts, type NewCaller, oncePer } from "../../contracts/index.js";
import { openCallers } from "../../store/index.js";
import { firstCaller } from "../coordinator.js";
import type { Host } from "../host/host.js";

/** A new caller of the HTTP server. */
export interface AddCallerRequest {
  readonly name: string;
  /** The workspace the caller works in. @default a workspace with the caller's name */
  readonly workspace?: string | undefined;
}

const findStore = oncePer((host: Host) => openCallers(host.configuration.settings.stateFolder));

export const listCallers = async (host: Host): Promise<readonly CallerFacts[]> => findStore(host).list();

export const addCaller = async (host: Host, { name, workspace }: AddCallerRequest): Promise<NewCaller> => {
  // The first caller is the owner of the machine and shares the owner's workspace.
  const own = workspace ?? (name === firstCaller ? undefined : name);
  return findStore(host).add({ name, workspace: own });
};

export const renewCaller = async (host: Host, { name }: { readonly name: string }): Promise<NewCaller> =>
  findStore(host).renew(name);

export const removeCaller = async (host: Host, { name }: { readonly name: string }): Promise<boolean> =>
  findStore(host).remove(name);

export const findCaller = async (
  host: Host,
  { token }: { readonly token: string },
): Promise<Caller | undefined> => findStore(host).find(token);

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
