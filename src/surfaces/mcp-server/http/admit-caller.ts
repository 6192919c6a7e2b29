// Authenticates a request: the caller of its bearer token, or nobody. There are no anonymous callers.
import { hash, timingSafeEqual } from "node:crypto";
import { type Caller, CoordinatorError } from "../../../contracts/index.js";
import { type Coordinator, firstCaller } from "../../../coordinator/index.js";
import type { Refusal } from "./web-exchange.js";

export interface Admission {
  readonly admit: (authorization: string | undefined) => Promise<Caller | Refusal>;
  /** Whether an admitted caller would still be admitted. */
  readonly isAdmitted: (caller: Caller) => Promise<boolean>;
}

export interface AdmissionOptions {
  readonly coordinator: Pick<Coordinator, "findCaller" | "listCallers">;
  /** The token of the first caller, instead of the stored one. */
  readonly token?: string | undefined;
  /** Admit everybody who can reach the port. */
  readonly isOpen?: boolean | undefined;
}

const minTokenLength = 32;
const maxTokenLength = 512;
const challenge = 'Bearer realm="mcp-coordinator"';

/** Throws TOKEN_UNFIT. The message does not contain the token. */
export const checkToken = (token: string, variable: string): string => {
  const fault =
    token.length < minTokenLength
      ? `it has ${token.length} characters, expected at least ${minTokenLength}`
      : token.length > maxTokenLength
        ? `it has ${token.length} characters, expected at most ${maxTokenLength}`
        : /^[\w.~+/=-]+$/.test(token)
          ? undefined
          : 'it has characters other than letters, digits and "-._~+/="';
  if (fault === undefined) return token;
  throw new CoordinatorError("TOKEN_UNFIT", `Cannot use the token in "${variable}": ${fault}`);
};

const refuse = (message: string, isGiven: boolean): Refusal => ({
  status: 401,
  message,
  headers: { "www-authenticate": isGiven ? `${challenge}, error="invalid_token"` : challenge },
});

export const openAdmission = ({ coordinator, token, isOpen = false }: AdmissionOptions): Admission => {
  const first: Caller = { name: firstCaller, id: isOpen ? "open" : "given" };
  const isGiven = (other: string): boolean =>
    token !== undefined && timingSafeEqual(hash("sha256", token, "buffer"), hash("sha256", other, "buffer"));
  const find = async (given: string): Promise<Caller | undefined> => {
    if (isGiven(given)) return first;
    const found = await coordinator.findCaller({ token: given });
    // The given token replaces the stored one.
    return token !== undefined && found?.name === firstCaller ? undefined : found;
  };
  return {
    admit: async (authorization) => {
      if (isOpen) return first;
      if (authorization === undefined) return refuse("A bearer token is required", false);
      const given = /^Bearer ([\w.~+/=-]{1,512})$/i.exec(authorization)?.[1];
      const caller = given === undefined ? undefined : await find(given);
      return caller ?? refuse("The bearer token is not valid", true);
    },
    isAdmitted: async ({ id }) => {
      if (id === first.id) return isOpen || token !== undefined;
      const known = await coordinator.listCallers();
      return known.some((one) => one.id === id && !(token !== undefined && one.name === firstCaller));
    },
  };
};
