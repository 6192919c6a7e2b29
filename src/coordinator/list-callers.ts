// Those who may come in over HTTP: listed, added, given another token, removed, known by their token.
import type { Caller, CallerFacts, CallerStore, NewCaller } from "../contracts/index.js";
import { openCallers } from "../store/index.js";
import { type AddCallerRequest, firstCaller } from "./caller-verbs.js";
import type { Rooms } from "./opening/rooms.js";

const opened = new WeakMap<Rooms, CallerStore>();

const findStore = (rooms: Rooms): CallerStore => {
  const store = opened.get(rooms) ?? openCallers(rooms.configuration.settings.stateFolder);
  opened.set(rooms, store);
  return store;
};

export const listCallers = async (rooms: Rooms): Promise<readonly CallerFacts[]> => findStore(rooms).list();

export const addCaller = async (rooms: Rooms, { name, workspace }: AddCallerRequest): Promise<NewCaller> => {
  // The first one is the person whose machine it is, and works where they work.
  const own = workspace ?? (name === firstCaller ? undefined : name);
  return findStore(rooms).add({ name, workspace: own });
};

export const renewCaller = async (rooms: Rooms, { name }: { readonly name: string }): Promise<NewCaller> =>
  findStore(rooms).renew(name);

export const removeCaller = async (rooms: Rooms, { name }: { readonly name: string }): Promise<boolean> =>
  findStore(rooms).remove(name);

export const findCaller = async (
  rooms: Rooms,
  { token }: { readonly token: string },
): Promise<Caller | undefined> => findStore(rooms).find(token);
