// Computes the inverse of a write from its arguments, its answer and the state before it.
import {
  type InverseCall,
  type InverseMaker,
  type JsonObject,
  type RecordedInverse,
  toJson,
} from "../../contracts/index.js";
import {
  fillTemplate,
  listReferences,
  type TemplateCall,
  TemplateError,
  type TemplateValues,
  type UndoRule,
} from "./parse-undo.js";

/** The size of what a journal stores of one inverse, and of the answer before the write, in characters. */
const maxInverse = 256 * 1024;
const maxBefore = 16 * 1024;

/** A server's name may contain dots, so the configured names decide where the tool's name begins. */
export const splitToolName = (
  name: string,
  servers: readonly string[],
): { readonly server: string; readonly tool: string } => {
  const known = servers
    .filter((server) => name.startsWith(`${server}.`))
    .reduce((longest, server) => (server.length > longest.length ? server : longest), "");
  const at = known === "" ? name.indexOf(".") : known.length;
  return { server: name.slice(0, at), tool: name.slice(at + 1) };
};

const explain = (thrown: unknown): string => {
  if (thrown instanceof TemplateError) return thrown.message;
  throw thrown;
};

export const toInverseMaker = (rule: UndoRule, servers: readonly string[]): InverseMaker => {
  const { inverse, before, check } = rule;
  const fillCall = (call: TemplateCall, values: TemplateValues): InverseCall => ({
    ...splitToolName(call.name, servers),
    arguments: fillTemplate(call.with, values) as JsonObject,
  });
  const references = [
    inverse.with,
    ...(check === undefined ? [] : [check.with, ...check.expect.map(({ value }) => value)]),
  ].flatMap(listReferences);
  const invert: InverseMaker["invert"] = (values) => {
    try {
      const read = before === undefined ? undefined : fillCall(before, values);
      const computed: RecordedInverse = {
        call: fillCall(inverse, values),
        check: check && {
          ...fillCall(check, values),
          expect: check.expect.map(({ path, value }) => ({ path, value: fillTemplate(value, values) })),
        },
        before: read && { ...read, answer: toJson(values.before ?? null, maxBefore).value },
      };
      // The copy is bounded in size and depth, whatever the server answered.
      const copied = toJson(computed, maxInverse);
      if (copied.problem === undefined) return copied.value as unknown as RecordedInverse;
      return { missing: copied.isTooLarge ? "its values are too large" : copied.problem };
    } catch (thrown) {
      return { missing: explain(thrown) };
    }
  };
  return {
    toRead: (given) => (before === undefined ? undefined : fillCall(before, { arguments: given })),
    usesAnswer: references.some(({ source }) => source === "answer"),
    invert,
  };
};
