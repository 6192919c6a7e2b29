// `serve --calls`: makes the calls of a generated library in a person's own project. Each is a run, so the usual rules and records apply.
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import {
  isFields,
  type Json,
  readJson,
  readLargeInteger,
  toCoordinatorError,
  toJsonLine,
} from "../../../contracts/index.js";
import type { Coordinator } from "../../../coordinator/index.js";

interface Call {
  readonly id: number;
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

interface CallFailure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly runId?: string | undefined;
}

type Answer = { readonly value: Json | undefined } | { readonly error: CallFailure };

const isCall = (value: unknown): value is Call => {
  const { id, server, tool, arguments: given } = (value ?? {}) as Partial<Call>;
  return (
    Number.isSafeInteger(id) && typeof server === "string" && typeof tool === "string" && isFields(given)
  );
};

/** The value as an expression: a BigInt keeps all digits, and a computed key is never a prototype. */
const toExpression = (value: unknown): string => {
  const integer = readLargeInteger(value);
  if (integer !== undefined) return `${integer}n`;
  if (Array.isArray(value)) return `[${value.map(toExpression).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, one]) => `[${JSON.stringify(name)}]:${toExpression(one)}`);
  return `{${fields.join(",")}}`;
};

/** A caught error keeps its code. */
const toProgram = ({ server, tool, arguments: given }: Call): string =>
  [
    `try { return { value: await callTool(${JSON.stringify(server)}, ${JSON.stringify(tool)}, ${toExpression(given)}) }; }`,
    "catch (error) { return { error: { code: error.code, message: error.message } }; }",
  ].join("\n");

const make = async (coordinator: Coordinator, call: Call, signal: AbortSignal): Promise<Answer> => {
  const name = `${call.server}.${call.tool}`;
  const { runId, status, value, error, question } = await coordinator.runCode({
    code: toProgram(call),
    // The bridge validates the arguments. Nothing else in the program can be wrong.
    isChecked: false,
    description: `a call of ${name} from a project`,
    signal,
  });
  if (status === "completed") {
    const answer = (value ?? {}) as { readonly value?: Json; readonly error?: CallFailure };
    return answer.error === undefined ? { value: answer.value } : { error: { ...answer.error, runId } };
  }
  if (question !== undefined) {
    const message = `Cannot call "${name}" yet: it waits for your approval`;
    const command = question.command ?? coordinator.toCommand(["resume", runId]);
    const hint = `This makes the call and prints its answer: ${command}`;
    return { error: { code: "CALL_DENIED", message, hint, runId } };
  }
  const message = error?.message ?? `Cannot call "${name}": the run was ${status}`;
  return { error: { code: error?.code ?? "CANCELLED", message, hint: error?.hint, runId } };
};

const toFailure = (thrown: unknown): CallFailure => {
  const { code, message, hint } = toCoordinatorError(thrown);
  return { code, message, hint };
};

interface ServeCallsOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

/** Answers every line until the input ends. Calls run at the same time. */
export const serveCalls = async (
  coordinator: Coordinator,
  { input, output, signal }: ServeCallsOptions,
): Promise<void> => {
  const send = (id: number | undefined, answer: Answer): void =>
    void output.write(toJsonLine({ id, ...answer }));
  const running = new Set<Promise<void>>();
  const answerLine = async (line: string): Promise<void> => {
    const call = await readJson(line).catch(() => undefined);
    if (!isCall(call)) {
      const message = "Cannot read the call: expected one line of JSON with id, server, tool and arguments";
      send(undefined, { error: { code: "USAGE", message } });
      return;
    }
    const answer = await make(coordinator, call, signal).catch((thrown) => ({ error: toFailure(thrown) }));
    send(call.id, answer);
  };
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  signal.addEventListener("abort", () => lines.close());
  for await (const line of lines) {
    if (line.trim() === "") continue;
    const work = answerLine(line).finally(() => running.delete(work));
    running.add(work);
  }
  await Promise.all(running);
};
