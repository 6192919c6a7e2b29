// Replaces personal values from servers by tokens, and tokens for servers by values, according to the policy. Guardrails check the values.
import {
  CoordinatorError,
  finishInSlices,
  type JsonObject,
  oncePer,
  type RuledTool,
  readJson,
  ServerRefusal,
  type ToolResult,
  toCoordinatorError,
  toLargeResult,
  type Vault,
} from "../../contracts/index.js";
import {
  type FlowDecisions,
  findPrivacyTokens,
  type HiddenKind,
  type HiddenValue,
  type Labels,
  type Policy,
  type PrivacyTokenFault,
  PrivacyTokenMap,
  redeemPrivacyTokens,
  selects,
  TooManyValues,
  toPrivacyToken,
} from "../../policy/index.js";
import type { Host } from "../host/host.js";
import { findDetector } from "./external-detector.js";
import { guardInput, listGuardrails, type OnWarning } from "./guard-texts.js";
import { type HiddenValues, openHiddenValues } from "./hidden-values.js";
import { openFlowDecisions, readPolicies } from "./open-policies.js";

/** The tool that is called, with the schema of its answers. */
export type HidingTool = RuledTool & { readonly outputSchema?: unknown };

export interface Privacy {
  /** The arguments as the server gets them. Throws TOKEN_UNKNOWN, TOKEN_EXPIRED, TOKEN_WITHHELD or GUARDRAIL_BLOCKED. */
  readonly redeem: (
    tool: RuledTool,
    value: JsonObject,
    destination?: string,
    onWarning?: OnWarning,
  ) => Promise<JsonObject>;
  /** For arguments that no server gets: throws GUARDRAIL_BLOCKED. */
  readonly guard: (tool: RuledTool, value: JsonObject, onWarning?: OnWarning) => Promise<void>;
  /** JSON, or any text, of a server. Throws ANSWER_WITHHELD. */
  readonly hideText: (tool: HidingTool, text: string, origin?: string) => Promise<string>;
  readonly hideJson: <Value>(tool: HidingTool, value: Value) => Promise<Value>;
  readonly hideResult: (tool: HidingTool, result: ToolResult) => Promise<ToolResult>;
  /** The labels of the data that tokens stand for, for each text with tokens. */
  readonly readLabels: (texts: readonly string[]) => Promise<ReadonlyMap<string, TokenLabels>>;
  /** The error with tokens in its texts. */
  readonly hideError: (tool: HidingTool, thrown: unknown) => Promise<unknown>;
}

export interface TokenLabels {
  readonly labels: Labels;
  /** The text is one token and nothing else. */
  readonly isWhole: boolean;
}

/** Whose tokens they are. */
export interface PrivacyPlace {
  readonly workspace?: string | undefined;
  readonly session?: string | undefined;
}

const opened = new WeakMap<Vault, HiddenValues>();

/** One set of values for a host and its vault. */
const findValues = ({ vault, configuration }: Host): HiddenValues => {
  const { hiddenValueHours } = configuration.settings.retention;
  const found = opened.get(vault) ?? openHiddenValues({ vault, maxIdleMs: hiddenValueHours * 3_600_000 });
  opened.set(vault, found);
  return found;
};

/** Undefined if nothing is hidden, and no guardrail is on what servers get. */
export const openPrivacy = (host: Host, { workspace, session }: PrivacyPlace = {}): Privacy | undefined => {
  if (host.configuration.policies.length === 0) return undefined;
  const policies = readPolicies(host.configuration);
  const kinds = new Set(policies.flatMap(({ hide }) => hide));
  const isHiding = kinds.size > 0;
  if (!isHiding && listGuardrails(host.configuration, "input").length === 0) return undefined;
  const place = workspace ?? host.configuration.settings.workspace;
  const scope = session ?? "";
  const values = findValues(host);
  const flows = openFlowDecisions(host.configuration);

  const guard: Privacy["guard"] = (tool, value, onWarning) =>
    guardInput(host.configuration, tool, value, onWarning);
  const redeem: Privacy["redeem"] = async (tool, value, destination, onWarning) => {
    const redeemed = isHiding ? await putBack(tool, value, destination) : value;
    await guard(tool, redeemed, onWarning);
    return redeemed;
  };
  const putBack = async (tool: RuledTool, value: JsonObject, destination = tool.server) => {
    const options = { scope, destination, mayReceive: toReceiver(policies, flows, tool) };
    // Most calls have no token, and need no values.
    const dry = await finishInSlices(redeemPrivacyTokens(value, new PrivacyTokenMap(), options));
    if (dry.uses.length === 0) return value;
    const redeemed = await values.use(place, (map) =>
      finishInSlices(redeemPrivacyTokens(value, map, options)),
    );
    const faulty = redeemed.uses.find(({ fault }) => fault !== undefined);
    if (faulty?.fault !== undefined) throw refuseToken(tool, faulty.token, faulty.fault);
    return redeemed.value;
  };
  const hideText: Privacy["hideText"] = async (tool, text, origin = tool.server) => {
    if (!isHiding) return text;
    const { outputSchema } = tool;
    const declared =
      typeof outputSchema === "object" && outputSchema !== null ? readDeclared(outputSchema) : undefined;
    try {
      const options = { kinds, scope, origin, declared, source: flows?.describe(tool) };
      return await values.hide(place, text, options, findDetector(host));
    } catch (thrown) {
      throw withhold(tool, thrown);
    }
  };
  const hideJson: Privacy["hideJson"] = async (tool, value) => {
    const text = isHiding ? JSON.stringify(value) : undefined;
    if (text === undefined) return value;
    const hidden = await hideText(tool, text);
    return hidden === text ? value : ((await readJson(hidden)) as typeof value);
  };
  return {
    redeem,
    guard,
    hideText,
    hideJson,
    hideResult: async (tool, result) => {
      if (!isHiding) return result;
      if (result.input !== undefined) {
        const requests = await hideJson(tool, result.input.requests);
        return { ...result, input: { ...result.input, requests } };
      }
      if (result.large === undefined) return hideJson(tool, result);
      const hidden = await hideText(tool, await result.large.readText());
      return { ...result, large: await finishInSlices(toLargeResult(hidden)) };
    },
    readLabels: async (texts) => {
      const found = texts.flatMap((text) => {
        const tokens = findPrivacyTokens(text);
        return tokens.length === 0 ? [] : [{ text, tokens }];
      });
      if (found.length === 0) return new Map();
      return values.use(
        place,
        async (map) => new Map(found.map(({ text, tokens }) => [text, labelTokens(map, text, tokens)])),
      );
    },
    hideError: async (tool, thrown) => {
      if (!isHiding) return thrown;
      if (thrown instanceof ServerRefusal) {
        const { message, data } = thrown;
        return new ServerRefusal(thrown.code, await hideText(tool, message), await hideJson(tool, data));
      }
      const { code, message, hint, details } = toCoordinatorError(thrown);
      if (code === "TOKEN_UNKNOWN" || code === "TOKEN_EXPIRED" || code === "TOKEN_WITHHELD") return thrown;
      if (code === "GUARDRAIL_BLOCKED") return thrown;
      const given = { message, hint, details };
      const hidden = await hideJson(tool, given);
      return hidden === given ? thrown : new CoordinatorError(code, hidden.message, hidden);
    },
  };
};

const labelTokens = (
  map: PrivacyTokenMap,
  text: string,
  tokens: ReturnType<typeof findPrivacyTokens>,
): TokenLabels => {
  const hidden = tokens.map(({ kind, number }) => map.find(kind, number));
  const labels = hidden.flatMap((one) => (one?.labels ?? []).map((label) => label.replace(/\?$/, "")));
  const [first] = tokens;
  const isWhole =
    tokens.length === 1 && first !== undefined && text === toPrivacyToken(first.kind, first.number);
  // Nobody knows where the text of an unknown token came from.
  return { labels: new Set(labels), isWhole: isWhole && hidden.every((one) => one !== undefined) };
};

/** The base policy reveals by kind, or by a flow from the value's source. The others can only narrow: they hide more. */
const toReceiver = (
  [base]: readonly Policy[],
  flows: FlowDecisions | undefined,
  tool: RuledTool,
): ((hidden: HiddenValue, path: readonly string[]) => boolean) => {
  const kinds = new Set<string>(
    (base?.reveal ?? []).flatMap((reveal) => (selects(reveal.selector, tool) ? reveal.kinds : [])),
  );
  return ({ kind, labels = [] }, path) =>
    kinds.has(kind) || flows?.allows(labels, tool, toArgument(tool, path)) === true;
};

/** `fetch` gets its arguments as a list: the address, then the rest of the request. */
const toArgument = ({ server }: RuledTool, path: readonly string[]): readonly string[] => {
  if (server !== "(network)" || path[0] !== "values") return path;
  return path.length === 1 ? ["url"] : path.slice(1);
};

const codes = {
  unknown: "TOKEN_UNKNOWN",
  foreign: "TOKEN_UNKNOWN",
  expired: "TOKEN_EXPIRED",
  withheld: "TOKEN_WITHHELD",
} as const;
const reasons: Readonly<Record<PrivacyTokenFault, string>> = {
  unknown: "there is no such token",
  foreign: "the token belongs to another session",
  expired: "its value is no longer stored",
  withheld: "the policy does not let this tool receive the value",
};

const refuseToken = (
  { server, name }: RuledTool,
  token: string,
  fault: PrivacyTokenFault,
): CoordinatorError =>
  new CoordinatorError(codes[fault], `Cannot pass ${token} to "${server}.${name}": ${reasons[fault]}`);

const withhold = ({ server, name }: RuledTool, cause: unknown): CoordinatorError =>
  cause instanceof CoordinatorError
    ? cause
    : new CoordinatorError(
        "ANSWER_WITHHELD",
        `Cannot hide the personal values in the answer of "${server}.${name}"${
          cause instanceof TooManyValues ? ": there are too many" : ""
        }`,
      );

const formats: ReadonlyMap<string, HiddenKind> = new Map([
  ["phone", "phone"],
  ["tel", "phone"],
  ["password", "secret"],
  ["iban", "iban"],
  ["ssn", "ssn"],
  ["credit-card", "card"],
]);
const maxParts = 5000;

/** Fields whose format the tool declares. */
const readDeclared = oncePer((schema: object): ReadonlyMap<string, HiddenKind> => {
  const found = new Map<string, HiddenKind>();
  const waiting: { readonly name: string; readonly value: object }[] = [{ name: "", value: schema }];
  for (let at = 0; at < waiting.length && at < maxParts; at++) {
    const { name, value } = waiting[at] ?? { name: "", value: {} };
    const { format } = value as { readonly format?: unknown };
    const kind = typeof format === "string" ? formats.get(format) : undefined;
    if (kind !== undefined && name !== "") found.set(name, kind);
    for (const [key, part] of Object.entries(value))
      if (typeof part === "object" && part !== null)
        waiting.push({ name: key === "items" ? name : key, value: part });
  }
  return found;
});
