// Converts a server's request into a question for people or for the client's model, and the answer into the result that the server expects.
// Requests are untrusted: they are bounded, rebuilt from known parts, and shown as quotations.
import {
  CoordinatorError,
  hasInvisible,
  isJsonObject,
  type Json,
  type JsonObject,
  type PeopleAnswer,
  type RunQuestion,
  type ServerRequest,
  toVisibleText,
} from "../contracts/index.js";

const maxTextLength = 4000;
const maxFieldText = 500;
const maxFields = 50;
const maxChoices = 500;
const maxAddressLength = 4000;

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}…` : text;

/** Lines stay lines; every other invisible character is shown as an escape. */
const toShownText = (text: unknown, length: number): string =>
  cut(typeof text === "string" ? text : "", length)
    .split(/\r?\n/)
    .map(toVisibleText)
    .join("\n");

/** Names and choices are returned unchanged, so they must be exactly what people see. */
const isPlain = (text: unknown): text is string =>
  typeof text === "string" && text.length <= maxFieldText && !hasInvisible(text);

/** The keywords of a form's field with the type of their values. Patterns are left to the server. */
const fieldKeywords: Readonly<Record<string, (value: unknown) => boolean>> = {
  format: isPlain,
  minLength: Number.isSafeInteger,
  maxLength: Number.isSafeInteger,
  minimum: Number.isFinite,
  maximum: Number.isFinite,
  minItems: Number.isSafeInteger,
  maxItems: Number.isSafeInteger,
};

const isChoiceList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.length <= maxChoices && value.every(isPlain);

const isTitledChoices = (value: unknown): value is { const: string; title?: unknown }[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= maxChoices &&
  value.every((choice) => isJsonObject(choice) && isPlain(choice.const));

/** `enum`, `enumNames`, and the choices with titles of 2025-11-25. Undefined if they are malformed. */
const toChoices = ({ enum: choices, enumNames, oneOf, anyOf }: JsonObject): JsonObject | undefined => {
  if (choices !== undefined) {
    if (!isChoiceList(choices)) return undefined;
    return Array.isArray(enumNames) && enumNames.length === choices.length
      ? { enum: choices, enumNames: enumNames.map((name) => toShownText(name, maxFieldText)) }
      : { enum: choices };
  }
  const titled = oneOf ?? anyOf;
  if (titled === undefined) return {};
  if (!isTitledChoices(titled)) return undefined;
  const list = titled.map((choice) => ({
    const: choice.const,
    title: toShownText(choice.title ?? choice.const, maxFieldText),
  }));
  return oneOf === undefined ? { anyOf: list } : { oneOf: list };
};

const fits = (value: unknown, type: unknown): boolean => {
  if (type === "array") return Array.isArray(value) && value.length <= maxChoices && value.every(isPlain);
  if (type === "string") return isPlain(value);
  if (type === "boolean") return typeof value === "boolean";
  return type === "integer" ? Number.isSafeInteger(value) : typeof value === "number";
};

/** One field, rebuilt from what forms may contain. Undefined if it is not a valid field. */
const toField = (raw: unknown): JsonObject | undefined => {
  if (!isJsonObject(raw)) return undefined;
  const { type, title, description, default: fallback, items } = raw;
  if (!["string", "number", "integer", "boolean", "array"].includes(String(type))) return undefined;
  const choices = toChoices(raw);
  const itemChoices = type === "array" && isJsonObject(items) ? toChoices(items) : {};
  if (choices === undefined || itemChoices === undefined) return undefined;
  if (type === "array" && Object.keys(itemChoices).length === 0) return undefined;
  return {
    type: type as string,
    ...(title === undefined ? {} : { title: toShownText(title, maxFieldText) }),
    ...(description === undefined ? {} : { description: toShownText(description, maxFieldText) }),
    ...Object.fromEntries(
      Object.entries(fieldKeywords).flatMap(([name, isRight]) =>
        isRight(raw[name]) ? [[name, raw[name] as Json]] : [],
      ),
    ),
    ...choices,
    ...(type === "array"
      ? { items: "anyOf" in itemChoices ? itemChoices : { type: "string", ...itemChoices } }
      : {}),
    ...(fits(fallback, type) ? { default: fallback as Json } : {}),
  };
};

/** The form of an elicitation: one level of simple fields. Undefined if it is not a valid form. */
const toFormSchema = (raw: unknown): JsonObject | undefined => {
  if (!isJsonObject(raw) || raw.type !== "object" || !isJsonObject(raw.properties ?? {})) return undefined;
  const given = Object.entries((raw.properties ?? {}) as JsonObject);
  if (given.length > maxFields) return undefined;
  const fields = given.map(([name, field]) => [name, isPlain(name) ? toField(field) : undefined] as const);
  if (fields.some(([, field]) => field === undefined)) return undefined;
  const required = Array.isArray(raw.required)
    ? raw.required.filter((name) => given.some(([one]) => one === name))
    : [];
  return {
    type: "object",
    properties: Object.fromEntries(fields) as JsonObject,
    ...(required.length === 0 ? {} : { required }),
  };
};

/** The address as a browser parses it. Undefined if it must not be shown to a person. */
const toAddress = (raw: unknown): string | undefined => {
  if (typeof raw !== "string" || raw.length > maxAddressLength || !URL.canParse(raw)) return undefined;
  const { protocol, username, password, href, hostname } = new URL(raw);
  const isLocal = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  const isSafe = protocol === "https:" || (protocol === "http:" && isLocal);
  return isSafe && username === "" && password === "" ? href : undefined;
};

/** The server that asks, by its configured name, never the one it gives itself. */
export interface AskingServer {
  readonly server: string;
  /** Undefined if it is not certain which call the server works on. */
  readonly tool?: string | undefined;
}

const malformed = ({ server }: AskingServer, why: string): CoordinatorError =>
  new CoordinatorError("UPSTREAM_FAILED", `Cannot ask for "${server}": ${why}`, {
    hint: "Report it to the server's author.",
  });

/** The answer of a model, as `sampling/createMessage` returns it. */
const samplingResult: JsonObject = {
  type: "object",
  properties: { role: { type: "string" }, content: {}, model: { type: "string" } },
  required: ["role", "content", "model"],
};

/**
 * The fields of a server's sampling request that reach the client's model. A server must not get the context of other servers this way,
 * or use tools.
 */
const samplingKeys = [
  "messages",
  "systemPrompt",
  "maxTokens",
  "temperature",
  "stopSequences",
  "modelPreferences",
] as const;

const toSampling = (params: JsonObject): JsonObject =>
  Object.fromEntries(
    samplingKeys.flatMap((key) => (params[key] === undefined ? [] : [[key, params[key] as Json]])),
  );

/** The question that a request is. Throws UPSTREAM_FAILED for a request that cannot be shown. */
export const toServerQuestion = ({ method, params }: ServerRequest, asking: AskingServer): RunQuestion => {
  const { server, tool } = asking;
  if (method === "sampling/createMessage") {
    const text = "Asks the client's model for an answer";
    return { kind: "sampling", server, tool, text, sampling: toSampling(params), schema: samplingResult };
  }
  if (method !== "elicitation/create")
    throw malformed(asking, `it requests ${JSON.stringify(method.slice(0, 80))}, which is not supported`);
  const text = toShownText(params.message, maxTextLength);
  if (params.mode === "url") {
    const url = toAddress(params.url);
    if (url === undefined) throw malformed(asking, "its address is not an https address without a password");
    return { kind: "elicitation", server, tool, text, url, schema: { type: "boolean" } };
  }
  const schema = toFormSchema(params.requestedSchema);
  if (schema === undefined) throw malformed(asking, "its form has fields that a form cannot have");
  return { kind: "elicitation", server, tool, text, schema };
};

/** The result of the request, from what people or the model answered. Throws SAMPLING_REFUSED: a server has no result for that. */
export const toServerResponse = (question: RunQuestion, given: PeopleAnswer): JsonObject => {
  const isAccepted = "answer" in given;
  if (question.kind === "sampling") {
    if (isAccepted) return given.answer as JsonObject;
    throw refuseSampling(question.server ?? "", "the client declined");
  }
  if (!isAccepted || given.answer === false) return { action: "decline" };
  return question.url === undefined ? { action: "accept", content: given.answer } : { action: "accept" };
};

export const refuseSampling = (server: string, why: string): CoordinatorError =>
  new CoordinatorError("SAMPLING_REFUSED", `Cannot ask a model for "${server}": ${why}`);

/** Servers choose the names of scopes. They become part of our sentence, so they must look like names. */
const scopeName = /^[\w:./*-]{1,100}$/;
const maxScopes = 10;

/** The question of a call that a server refused without a sign-in; undefined for any other error. */
export const askSignIn = (
  { code, details }: Pick<CoordinatorError, "code" | "details">,
  since: number,
): RunQuestion | undefined => {
  const { server, scopes } = (details ?? {}) as {
    readonly server?: string;
    readonly scopes?: readonly string[];
  };
  if (code !== "SIGN_IN_NEEDED" || server === undefined) return undefined;
  const shown = scopes?.slice(0, maxScopes).map((scope) => (scopeName.test(scope) ? scope : "…"));
  const rights = shown === undefined ? "" : `, with more rights (${shown.join(" ")})`;
  const text = `Sign in to "${server}"${rights}`;
  return { kind: "sign-in", server, text, since, schema: { type: "boolean" } };
};

/** Whether a person gave any answer but yes. */
export const isRefusal = (given: PeopleAnswer | undefined): boolean =>
  given !== undefined && !("answer" in given && given.answer === true);
