// The onboarding verbs. Each is loaded on first use, because a start does not need their parsers.
import { checkRequest, type TextField } from "../host/bind-verbs.js";
import type {
  ClientEntries,
  ClientEntriesRequest,
  ConnectRequest,
  ConnectResult,
  KnownClient,
} from "./connect.js";
import type { AddEntryRequest, EntryResult, RemoveEntryRequest } from "./edit-entries.js";
import type { EjectRequest, EjectResult } from "./eject.js";
import type { InitRequest, InitResult } from "./init.js";
import type { OnboardingPlaces } from "./onboarding-places.js";
import type { TrustRequest, TrustResult } from "./trust.js";

const checked = <Request>(request: Request, required: readonly TextField[] = []): Request => {
  checkRequest(request, required);
  return request;
};

/** Finds the servers of the clients that a person uses and takes them over: one entry instead of many. */
export const init = async (request: InitRequest = {}): Promise<InitResult> =>
  (await import("./init.js")).init(checked(request));

/** Returns every client's servers, byte for byte if its file is as `init` left it. */
export const eject = async (request: EjectRequest = {}): Promise<EjectResult> =>
  (await import("./eject.js")).eject(checked(request));

/** Renders the entry for one client in its own format, and writes it to the client's file on request. */
export const connect = async (request: ConnectRequest): Promise<ConnectResult> =>
  (await import("./connect.js")).connect(checked(request, ["client"]));

/** Adds a server to one of our configuration files. */
export const addEntry = async (request: AddEntryRequest): Promise<EntryResult> =>
  (await import("./edit-entries.js")).addEntry(checked(request, ["name"]));

/** Removes a server from one of our configuration files. */
export const removeEntry = async (request: RemoveEntryRequest): Promise<EntryResult> =>
  (await import("./edit-entries.js")).removeEntry(checked(request, ["name"]));

/** Lists the known clients and which of their files exist. */
export const listClients = async (request: OnboardingPlaces = {}): Promise<readonly KnownClient[]> =>
  (await import("./connect.js")).listClients(checked(request));

/** Reads what one client starts: its entries for mcp-coordinator, and its other servers. */
export const readClientEntries = async (request: ClientEntriesRequest): Promise<ClientEntries> =>
  (await import("./connect.js")).readClientEntries(checked(request, ["client"]));

/** Trusts what came with the working folder, or the contents of the named files, as they are now. */
export const trust = async (request: TrustRequest = {}): Promise<TrustResult> =>
  (await import("./trust.js")).trust(checked(request));
