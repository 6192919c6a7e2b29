// Values that a program stores on the host: keep, peek, page, query, load, artifact.
import {
  CoordinatorError,
  decodeInSteps,
  encodeInSteps,
  finishInSlices,
  type GuestAnswer,
  isJsonObject,
  isList,
  type Json,
  type JsonObject,
  type Limits,
  largeBytes,
  readElements,
  type Steps,
  type StoredEntry,
  type StoredFacts,
  type StoredPage,
  type StoredPart,
  type StoredQuery,
  type StoredValues,
  skipSpace,
} from "../contracts/index.js";
import { answered } from "./answers.js";
import { type Expanded, findHandles, parseArguments, toBuffer, tooMuch } from "./arguments.js";
import { toArtifactContent } from "./artifact-content.js";
import { createGate } from "./pipeline.js";

export interface ValueOptions {
  readonly open: () => Promise<StoredValues>;
  readonly limits: Pick<
    Limits,
    "answerBytes" | "argumentBytes" | "argumentValues" | "artifacts" | "bytesInFlight" | "storedValueBytes"
  >;
}

export interface ValueFunctions {
  /** Carries out one of the functions. */
  readonly answer: (name: string, argumentsJson: string) => Promise<GuestAnswer>;
  /** Stores an answer and returns its facts instead. A failure stays a failure. */
  readonly storeAnswer: (answer: GuestAnswer) => Promise<GuestAnswer>;
  /** Replaces every handle by its content as soon as there is room for it; `release` frees the memory. */
  readonly expand: (
    values: readonly Json[],
    mark: string,
    name: string,
  ) => Promise<Expanded & { readonly release: () => void }>;
  /** The artifacts of the run in order, each name once. */
  readonly artifacts: () => readonly StoredFacts[];
  /** Calls that wait for room never get it. */
  readonly close: () => void;
}

export const openValueFunctions = ({ open, limits }: ValueOptions): ValueFunctions => {
  /** Bounds the contents that the host holds at once. */
  const memory = createGate(limits.bytesInFlight);
  const artifacts = new Map<string, StoredFacts>();

  const addArtifact = (facts: StoredFacts, name: string): StoredFacts => {
    artifacts.delete(name);
    artifacts.set(name, facts);
    for (const oldest of [...artifacts.keys()].slice(0, Math.max(0, artifacts.size - limits.artifacts)))
      artifacts.delete(oldest);
    return facts;
  };

  const use = async (
    id: Json | undefined,
    work: (store: StoredValues, facts: StoredFacts) => Promise<StoredPart>,
  ): Promise<StoredPart> => {
    const store = await open();
    const facts = await store.find(toId(id));
    return memory.pass(() => work(store, facts), facts.bytes);
  };

  const functions: Readonly<Record<string, (values: readonly Json[]) => Promise<StoredPart>>> = {
    keep: async ([value = null]) => {
      const isText = typeof value === "string";
      const content = isText ? value : JSON.stringify(value);
      return toPart(toFacts(await (await open()).store({ format: isText ? "text" : "json", content })));
    },
    stored: async ([id]) => toPart(toFacts(await (await open()).find(toId(id)))),
    peek: async ([id]) => use(id, (store) => store.peek(toId(id))),
    page: async ([id, page]) => use(id, (store) => store.page(toId(id), toPage(page), limits.answerBytes)),
    query: async ([id, query]) =>
      use(id, (store) => store.query(toId(id), toQuery(query), limits.answerBytes)),
    load: async ([id]) =>
      use(id, async (store, { kind, bytes }) => {
        if (bytes > limits.answerBytes) throw tooMuch(bytes, limits.answerBytes);
        const content = toBuffer(await store.read(toId(id)));
        if (kind === "bytes") return { format: "text", text: content.toString("base64") };
        const text = await finishInSlices(decodeInSteps(content));
        return { format: kind === "text" ? "text" : "json", text };
      }),
    artifact: async (values) => {
      const content = toArtifactContent(values);
      const facts = toFacts(await (await open()).store(content));
      return toPart(addArtifact(facts, content.name));
    },
  };

  /** For arguments of any size: their only value is stored without parsing it. */
  const storeLarge = async (argumentsJson: string): Promise<GuestAnswer> => {
    const bytes = await finishInSlices(encodeInSteps(argumentsJson));
    const content = await finishInSlices(readOnlyItem(bytes));
    const { text } = toPart(toFacts(await (await open()).store({ format: "json", content })));
    return answered(text);
  };

  return {
    answer: async (name, argumentsJson) => {
      if (name === "keep" && argumentsJson.length > largeBytes) return storeLarge(argumentsJson);
      const values = parseArguments(name, argumentsJson, limits);
      const found = Object.hasOwn(functions, name) ? functions[name] : undefined;
      if (found === undefined)
        throw new CoordinatorError(
          "TOOL_UNKNOWN",
          `Cannot call "${name.slice(0, 80)}": programs have no such function`,
        );
      const { format, text } = await found(values);
      return { status: "answered", format, body: text };
    },
    storeAnswer: async (answer) => {
      if (answer.status === "failed") return answer;
      const { body, format } = answer;
      const facts = toFacts(await (await open()).store({ format, content: body }));
      return answered(JSON.stringify(facts));
    },
    expand: async (values, mark, name) => {
      const { bytes, read } = await findHandles({ values, mark, name, open, limits });
      const release = await memory.enter(bytes);
      try {
        return { ...(await read()), release };
      } catch (error) {
        release();
        throw error;
      }
    },
    artifacts: () => [...artifacts.values()],
    close: memory.close,
  };
};

/** The first item of a list, as its bytes. */
function* readOnlyItem(bytes: Buffer): Steps<Buffer> {
  const container = skipSpace(bytes, 0);
  try {
    if (isList(bytes[container]))
      for (const element of readElements(bytes, { container })) {
        if (element !== undefined) return bytes.subarray(element.start, element.end);
        yield undefined;
      }
  } catch (cause) {
    throw new CoordinatorError("ARGUMENTS_INVALID", `Cannot call "keep": ${(cause as Error).message}`, {
      cause,
    });
  }
  throw new CoordinatorError("ARGUMENTS_INVALID", 'Cannot call "keep": its arguments are not a list');
}

/** What programs see of a stored value. It has no time, so that a resumed run sees the same. */
const toFacts = ({ storedAt: _storedAt, ...facts }: StoredEntry): StoredFacts => facts;

const toPart = (value: object): StoredPart => ({ format: "json", text: JSON.stringify(value) });

const toId = (id: Json | undefined): string => {
  if (typeof id === "string") return id;
  throw new CoordinatorError(
    "ARGUMENTS_INVALID",
    "Cannot read the stored value: expected a handle, or its id as a text",
    { hint: "Store the value first: const handle = await keep(value)." },
  );
};

const fieldTypes: Readonly<Record<string, (value: Json) => boolean>> = {
  path: (value) => typeof value === "string",
  offset: (value) => Number.isInteger(value) && Number(value) >= 0,
  limit: (value) => Number.isInteger(value) && Number(value) >= 0,
  where: (value) => isJsonObject(value),
  select: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
  count: (value) => typeof value === "boolean",
};

const pick = (name: string, given: Json, fields: readonly string[]): JsonObject => {
  if (!isJsonObject(given))
    throw new CoordinatorError("ARGUMENTS_INVALID", `Cannot call ${name}: its options are not an object`);
  for (const [field, value] of Object.entries(given)) {
    if (!fields.includes(field))
      throw new CoordinatorError(
        "ARGUMENTS_INVALID",
        `Cannot call ${name}: there is no option "${field.slice(0, 50)}"`,
        { hint: `The options are: ${fields.join(", ")}.` },
      );
    if (fieldTypes[field]?.(value) !== true)
      throw new CoordinatorError(
        "ARGUMENTS_INVALID",
        `Cannot call ${name}: its option "${field}" has the wrong type`,
      );
  }
  return given;
};

const toPage = (given: Json = {}): StoredPage => pick("page", given ?? {}, ["path", "offset", "limit"]);

/** A string is a path. */
const toQuery = (given: Json = {}): StoredQuery =>
  typeof given === "string"
    ? { path: given }
    : pick("query", given ?? {}, ["path", "where", "select", "offset", "limit", "count"]);
