// Parses a request body as JSON. Values are counted first, because parsing and the protocol's own checks run in one step.
import { finishInSlices, skipSpace, skipValueInSteps, TooMuchJson } from "../../../contracts/index.js";

const maxValues = 200_000;
const maxDepth = 500;
/** Fields in the parameters, their metadata and the arguments of a call, each: the protocol's handlers visit every one. */
const maxFields = 5000;

type Fields = Readonly<Record<string, unknown>>;

const toFields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const hasTooManyFields = (message: unknown): boolean => {
  const params = toFields(toFields(message).params);
  return [toFields(message), params, params._meta, params.arguments].some(
    (fields) => Object.keys(toFields(fields)).length > maxFields,
  );
};

/** Invalid JSON is undefined: the handlers report it in the format of their era. */
export const readJsonBody = async (body: Buffer): Promise<{ readonly value: unknown } | "too much"> => {
  if (body.length === 0) return { value: undefined };
  try {
    await finishInSlices(skipValueInSteps(body, skipSpace(body, 0), { maxValues, maxDepth }));
    const value: unknown = JSON.parse(body.toString("utf8"));
    return hasTooManyFields(value) ? "too much" : { value };
  } catch (error) {
    return error instanceof TooMuchJson ? "too much" : { value: undefined };
  }
};
