// Reads the arguments that a guest sent: their size, depth and number of values are bounded before they are parsed, and handles in them are
// replaced by the stored values. These never enter the guest.
import {
  CoordinatorError,
  decodeInSteps,
  finishInSlices,
  isJsonObject,
  type Json,
  type Limits,
  parseInSteps,
  parseJson,
  readJson,
  readLargeInteger,
  type Steps,
  type StoredValues,
  skipText,
  TooMuchJson,
} from "../contracts/index.js";

export const maxArgumentDepth = 200;
const minMarkLength = 16;

export type ArgumentLimits = Pick<Limits, "argumentBytes" | "argumentValues">;

/** The arguments of a call as a guest sent them. */
export interface ParsedCall {
  readonly values: readonly Json[];
  /** The field name that marks handles in this call. It is random, so nothing that a server sent can imitate it. */
  readonly mark?: string | undefined;
  /** Store the answer and return a handle. */
  readonly isStored: boolean;
}

/** The values of a call. Throws ARGUMENTS_INVALID for anything but a JSON array within bounds. */
export const parseArguments = (name: string, text: string, limits: ArgumentLimits): readonly Json[] => {
  const { values, mark, isStored } = parseCall(name, text, limits);
  if (mark === undefined && !isStored) return values;
  throw new CoordinatorError("ARGUMENTS_INVALID", `Cannot call "${name}": it takes no handles`);
};

/** The same for a call that may contain handles: `{ "values": [], "mark": "", "isStored": true }`. */
const parseCall = (name: string, text: string, limits: ArgumentLimits): ParsedCall => {
  checkText(name, text, limits);
  try {
    return toCall(name, parseJson(text));
  } catch (cause) {
    throw toInvalid(name, cause);
  }
};

/** The same. Large arguments are parsed in slices. */
export const readCall = async (name: string, text: string, limits: ArgumentLimits): Promise<ParsedCall> => {
  checkText(name, text, limits);
  try {
    return toCall(name, await readJson(text));
  } catch (cause) {
    throw toInvalid(name, cause);
  }
};

const checkText = (name: string, text: string, { argumentBytes, argumentValues }: ArgumentLimits): void => {
  if (text.length > argumentBytes)
    throw new CoordinatorError(
      "ARGUMENTS_INVALID",
      `Cannot call "${name}": its arguments have ${text.length} bytes, at most ${argumentBytes} are allowed`,
      { hint: "Pass less data in one call, or raise limits.argumentBytes." },
    );
  const { depth, values } = measureText(text);
  if (depth > maxArgumentDepth)
    throw new CoordinatorError(
      "ARGUMENTS_INVALID",
      `Cannot call "${name}": its arguments are nested deeper than ${maxArgumentDepth} levels`,
    );
  if (values > argumentValues) throw tooManyValues(name, argumentValues);
};

const toCall = (name: string, given: unknown): ParsedCall => {
  if (Array.isArray(given)) return { values: given as readonly Json[], isStored: false };
  const { values, mark, isStored } = (given ?? {}) as {
    values?: unknown;
    mark?: unknown;
    isStored?: unknown;
  };
  if (!Array.isArray(values))
    throw new CoordinatorError("ARGUMENTS_INVALID", `Cannot call "${name}": its arguments are not a list`);
  return {
    values: values as readonly Json[],
    mark: typeof mark === "string" && mark.length >= minMarkLength ? mark : undefined,
    isStored: isStored === true,
  };
};

const toInvalid = (name: string, cause: unknown): CoordinatorError => {
  if (cause instanceof CoordinatorError) return cause;
  const reason = cause instanceof Error ? cause.message : "it is not JSON";
  return new CoordinatorError("ARGUMENTS_INVALID", `Cannot call "${name}": ${reason}`, { cause });
};

const tooManyValues = (name: string, max: number): CoordinatorError =>
  new CoordinatorError(
    "ARGUMENTS_INVALID",
    `Cannot call "${name}": its arguments have more than ${max} values, the limit "argumentValues"`,
    { hint: "Pass fewer values in one call, or raise limits.argumentValues." },
  );

/** Depth and number of values of a JSON text, without parsing it. */
export const measureText = (text: string): { readonly depth: number; readonly values: number } => {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) at = skipText(text, at) - 1;
    else if (code === 44) values++;
    else if (code === 91 || code === 123) {
      values++;
      deepest = Math.max(deepest, ++depth);
    } else if (code === 93 || code === 125) depth--;
  }
  return { depth: deepest, values };
};

export interface HandlesOptions {
  readonly values: readonly Json[];
  /** The field name that marks handles in this call. */
  readonly mark: string;
  readonly open: () => Promise<StoredValues>;
  /** The tool that is called. */
  readonly name: string;
  readonly limits: Pick<Limits, "argumentValues" | "storedValueBytes">;
}

export interface FoundHandles {
  /** Size of all contents together. */
  readonly bytes: number;
  /** Replaces every handle by its content. */
  readonly read: () => Promise<Expanded>;
}

export interface Expanded {
  readonly values: readonly Json[];
  /** The objects that replaced handles, by identity. */
  readonly contents: ReadonlySet<Json>;
  /** The ids of the stored values, by content. */
  readonly ids: ReadonlyMap<Json, string>;
}

/** Throws VALUE_UNKNOWN, or LIMIT_ANSWER if the contents are too large together. */
export const findHandles = async (options: HandlesOptions): Promise<FoundHandles> => {
  const { values, mark, open, name, limits } = options;
  const { argumentValues, storedValueBytes: maxBytes } = limits;
  const ids: string[] = [];
  visit(values, mark, (id) => void ids.push(id));
  if (ids.length === 0)
    return { bytes: 0, read: async () => ({ values, contents: new Set(), ids: new Map() }) };
  const store = await open();
  const facts = new Map(
    await Promise.all([...new Set(ids)].map(async (id) => [id, await store.find(id)] as const)),
  );
  // Each use counts: one handle used a thousand times is a thousand times its content.
  const bytes = ids.reduce((sum, id) => sum + (facts.get(id)?.bytes ?? 0), 0);
  if (bytes > maxBytes) throw tooMuch(bytes, maxBytes);
  const read = async (): Promise<Expanded> => {
    const contents = new Map<string, Json>();
    for (const [id, { kind }] of facts) {
      const steps = toValue(toBuffer(await store.read(id)), kind, argumentValues);
      const value = await finishInSlices(steps).catch((error: unknown) => {
        throw error instanceof TooMuchJson ? tooManyValues(name, argumentValues) : error;
      });
      contents.set(id, value);
    }
    const counts = new Map([...contents].map(([id, value]) => [id, countValues(value)]));
    const count = ids.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0);
    if (count > argumentValues) throw tooManyValues(name, argumentValues);
    return {
      values: replace(values, mark, (id) => contents.get(id) ?? null) as readonly Json[],
      contents: new Set(contents.values()),
      ids: new Map([...contents].map(([id, value]) => [value, id])),
    };
  };
  return { bytes, read };
};

export const tooMuch = (bytes: number, max: number): CoordinatorError =>
  new CoordinatorError(
    "LIMIT_ANSWER",
    `Cannot pass the stored content: it has ${bytes} bytes, at most ${max} are allowed`,
    { hint: "Take it in parts with page or query, or raise the limit." },
  );

export const toBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function* toValue(content: Buffer, kind: string, maxValues: number): Steps<Json> {
  if (kind === "bytes") return content.toString("base64");
  return kind === "text" ? yield* decodeInSteps(content) : yield* parseInSteps(content, { maxValues });
}

/** Parsing has bounded each value already. */
const countValues = (value: Json): number => {
  const waiting = [value];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    count++;
    if (typeof next === "object" && next !== null && readLargeInteger(next) === undefined)
      for (const item of Object.values(next)) waiting.push(item);
  }
  return count;
};

/** The id of a handle: the guest writes it as an object with the marked field. */
const readHandle = (value: Json, mark: string): string | undefined => {
  if (!isJsonObject(value) || !Object.hasOwn(value, mark)) return undefined;
  const id = value[mark];
  return typeof id === "string" ? id : undefined;
};

const visit = (value: Json | readonly Json[], mark: string, onHandle: (id: string) => void): void => {
  if (typeof value !== "object" || value === null) return;
  const id = readHandle(value as Json, mark);
  if (id !== undefined) onHandle(id);
  else for (const item of Object.values(value)) visit(item, mark, onHandle);
};

const replace = (
  value: Json | readonly Json[],
  mark: string,
  toContent: (id: string) => Json,
): Json | readonly Json[] => {
  if (typeof value !== "object" || value === null || readLargeInteger(value) !== undefined) return value;
  const id = readHandle(value as Json, mark);
  if (id !== undefined) return toContent(id);
  if (Array.isArray(value)) return value.map((item) => replace(item, mark, toContent) as Json);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, replace(item, mark, toContent) as Json]),
  );
};

/** The arguments as the journal has them. The mark is left out because it differs between attempts. */
export const nameHandles = (values: readonly Json[], mark: string): Json =>
  replace(values, mark, (id) => ({ stored: id })) as Json;
