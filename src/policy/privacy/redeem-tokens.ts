// Replaces tokens in the arguments of a call by their values, right before the server gets them.
import type { Json, JsonObject, Steps } from "../../contracts/index.js";
import { readLargeInteger } from "../../contracts/index.js";
import {
  type FoundPrivacyToken,
  findPrivacyTokensInSteps,
  type PrivacyTokenKind,
  toPrivacyToken,
} from "./kinds.js";
import { type JsonLeaf, type JsonReader, looksLikeJson, scanJson } from "./scan-json.js";
import type { HiddenValue, PrivacyTokenMap } from "./token-map.js";

/** Why a token is not redeemed. `foreign`: it belongs to another session. `withheld`: the destination may not get it. */
export type PrivacyTokenFault = "unknown" | "expired" | "foreign" | "withheld";

export interface TokenUse {
  readonly token: string;
  readonly kind: PrivacyTokenKind;
  readonly fault?: PrivacyTokenFault | undefined;
}

export interface RedeemOptions {
  readonly scope: string;
  /** The server that gets the values. It always gets those it sent. */
  readonly destination: string;
  /** Whether it may get a value that others sent. `path`: the argument, and the names inside it. */
  readonly mayReceive: (hidden: HiddenValue, path: readonly string[]) => boolean;
}

export interface Redeemed {
  readonly value: JsonObject;
  readonly uses: readonly TokenUse[];
}

/** Bold and code marks around a text that is one token and nothing else. */
const mark = /^(?:\*{1,3}|_{1,2}|`{1,3})$/;

const isDecorated = (text: string, { start, end }: FoundPrivacyToken): boolean =>
  mark.test(text.slice(0, start)) && text.slice(0, start) === text.slice(end);

const everything: JsonReader = { isPersonal: () => false, isKeyRead: () => true, isNumberRead: () => false };

const toContent = (written: string): string => JSON.parse(`"${written}"`) as string;

/** The texts in JSON that have tokens. Undefined if it is not JSON. */
const findLeaves = (text: string): readonly JsonLeaf[] | undefined => {
  const leaves = scanJson(text, everything)?.filter(({ start, end }) => text.slice(start, end).includes("["));
  try {
    for (const { start, end } of leaves ?? []) toContent(text.slice(start, end));
    return leaves;
  } catch {
    return undefined;
  }
};

/** The arguments with values. If one of the tokens has a fault, the arguments are not to be used. */
export function* redeemPrivacyTokens(
  given: JsonObject,
  map: PrivacyTokenMap,
  options: RedeemOptions,
): Steps<Redeemed> {
  const uses: TokenUse[] = [];
  const path: string[] = [];
  const takeValue = ({ kind, number }: FoundPrivacyToken): string => {
    const token = toPrivacyToken(kind, number);
    const hidden = map.find(kind, number);
    const missing = map.wasGiven(kind, number) ? "expired" : "unknown";
    uses.push({ token, kind, fault: hidden === undefined ? missing : findFault(hidden, options, path) });
    return hidden?.value ?? token;
  };
  function* redeemText(text: string): Steps<string> {
    const tokens = yield* findPrivacyTokensInSteps(text);
    const [only] = tokens;
    if (only === undefined) return text;
    const leaves = looksLikeJson.test(text) ? findLeaves(text) : undefined;
    if (leaves !== undefined) return yield* redeemJson(text, leaves);
    if (tokens.length === 1 && only.kind !== "quoted" && isDecorated(text, only)) return takeValue(only);
    let at = 0;
    const pieces = tokens.flatMap((token) => {
      const before = text.slice(at, token.start);
      at = token.end;
      return [before, takeValue(token)];
    });
    return [...pieces, text.slice(at)].join("");
  }
  /** A value in a text that is JSON is written as JSON. */
  function* redeemJson(text: string, leaves: readonly JsonLeaf[]): Steps<string> {
    const pieces: string[] = [];
    let at = 0;
    for (const { start, end } of leaves) {
      const content = yield* redeemText(toContent(text.slice(start, end)));
      pieces.push(text.slice(at, start), JSON.stringify(content).slice(1, -1));
      at = end;
    }
    return [...pieces, text.slice(at)].join("");
  }
  function* redeem(value: Json): Steps<Json> {
    if (typeof value === "string") return yield* redeemText(value);
    if (typeof value !== "object" || value === null || readLargeInteger(value) !== undefined) return value;
    yield undefined;
    if (Array.isArray(value)) {
      const items: Json[] = [];
      for (const item of value as readonly Json[]) items.push(yield* redeem(item));
      return items;
    }
    const fields: [string, Json][] = [];
    for (const [name, item] of Object.entries(value as JsonObject)) {
      path.push(name);
      fields.push([yield* redeemText(name), yield* redeem(item)]);
      path.pop();
    }
    return Object.fromEntries(fields);
  }
  const value = (yield* redeem(given)) as JsonObject;
  return { value: uses.length === 0 ? given : value, uses };
}

const findFault = (
  hidden: HiddenValue,
  options: RedeemOptions,
  path: readonly string[],
): PrivacyTokenFault | undefined => {
  if (hidden.scope !== options.scope) return "foreign";
  // What was quoted is the server's own text. It hides nothing.
  if (hidden.kind === "quoted" || hidden.origins.includes(options.destination)) return undefined;
  return options.mayReceive(hidden, path) ? undefined : "withheld";
};
