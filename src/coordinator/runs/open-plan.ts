// What a program would do: its writes, in their order. A write is independent of made-up answers if the program had looked at
// none when it was issued: the guest tells which answers are thrown away, and which may have been looked at.
import { storesValue } from "../../bridge/index.js";
import {
  type CallDecision,
  CoordinatorError,
  discardName,
  type GuestAnswer,
  type GuestCall,
  type GuestJob,
  type HostFunctions,
  type JsonObject,
  type Language,
  type PlannedCall,
  planServer,
  type RunPlan,
  type Tool,
} from "../../contracts/index.js";
import { markDiscarded } from "../checks/checker.js";
import type { Asker } from "../checks/checker-queue.js";

export interface DecidedTool {
  readonly tool: Tool;
  readonly arguments: JsonObject;
  readonly call: GuestCall;
  /** Its answer is to be stored. */
  readonly isKept: boolean;
}

export interface Plan {
  /** What a server says of its tools is all that is known: what does not claim to read is only written down. Throws PLAN_MADE_UP. */
  readonly decide: (decided: DecidedTool) => CallDecision;
  /** Follows what the program asks of the host. */
  readonly watch: (call: HostFunctions["call"]) => HostFunctions["call"];
  readonly read: () => RunPlan;
}

/** Something that the program asked of the host. */
interface Asked {
  /** The made-up answers that the program may have looked at before. */
  dependsOn: readonly Asked[];
  tool?: Tool | undefined;
  arguments?: JsonObject | undefined;
  decision?: CallDecision | undefined;
}

const maxWarnings = 5;
/** Of made-up answers that are named. */
const maxUsed = 8;

const storesMadeUp = (what: string): CoordinatorError =>
  new CoordinatorError(
    "PLAN_MADE_UP",
    `Cannot ${what} in a plan: the program may have looked at a made-up answer, expected only real values in what is stored`,
  );

type Answered = Extract<GuestAnswer, { readonly status: "answered" }>;

/** An object that is certain to be one must be looked into; of anything else `if (answer)` is a look. */
const toLook = (
  tool: Tool | undefined,
  { isRaw }: GuestCall,
  { format, body }: Answered,
): "value" | "object" => {
  const schema = tool?.outputSchema;
  const isObject = typeof schema === "object" && schema.type === "object" && !isRaw && format === "json";
  return isObject && body.startsWith("{") ? "object" : "value";
};

/** Nobody looks at it, so there is no need to make anything up. */
const nothing: GuestAnswer = { status: "answered", format: "json", body: "null" };

export const openPlan = (planId: string, isSimulated: (server: string) => boolean): Plan => {
  const asked: Asked[] = [];
  const byCall = new Map<GuestCall, Asked>();
  /** Those with made-up answers that the program got, by the guest's numbers. */
  const madeUp = new Map<number | undefined, Asked>();
  /** Those of them that it may have looked at. */
  const used: Asked[] = [];
  /** By server: what later reads of it do not show. */
  const firstWrites = new Map<string, Asked>();
  /** By the tool that was read. */
  const warnings = new Map<string, string>();
  const listPlanned = (): readonly Asked[] => asked.filter(({ decision }) => decision === "captured");

  const describe = (one: Asked): string => {
    const name = `"${one.tool?.server}.${one.tool?.name}"`;
    return one.decision === "captured" ? `call ${listPlanned().indexOf(one) + 1}, ${name}` : name;
  };

  const warnOfRead = ({ server, name }: Tool): void => {
    const write = firstWrites.get(server);
    const read = `"${server}.${name}"`;
    if (write !== undefined && !warnings.has(read) && warnings.size < maxWarnings)
      warnings.set(
        read,
        `${read} was read after ${describe(write)}: it does not show what that would change`,
      );
  };

  return {
    decide: ({ tool, arguments: given, call, isKept }) => {
      const decision = !tool.isReadOnly ? "captured" : isSimulated(tool.server) ? "simulated" : "allowed";
      if (isKept && (decision !== "allowed" || used.length > 0))
        throw storesMadeUp(`keep the answer of "${tool.name}"`);
      if (decision === "allowed") warnOfRead(tool);
      const one = byCall.get(call);
      if (one !== undefined) Object.assign(one, { tool, decision });
      if (one !== undefined && decision === "captured") {
        one.arguments = given;
        if (!firstWrites.has(tool.server)) firstWrites.set(tool.server, one);
      }
      return decision;
    },
    watch: (call) => async (given, signal) => {
      for (const id of given.used ?? []) {
        const one = madeUp.get(id);
        if (one !== undefined && used.length < maxUsed) used.push(one);
      }
      if (used.length > 0 && storesValue(given)) {
        const { code, message, hint } = storesMadeUp(`call ${given.tool}`);
        return { status: "failed", name: "Error", code, message: `${message}. ${hint}` };
      }
      const one: Asked = { dependsOn: [...used] };
      asked.push(one);
      byCall.set(given, one);
      const answer = await call(given, signal);
      byCall.delete(given);
      if (one.decision === undefined || one.decision === "allowed") return answer;
      if (answer.status === "failed") {
        // What cannot be made up was not planned, and the real call might not have failed.
        used.push(one);
        one.dependsOn = [one];
        return answer;
      }
      if (given.isDiscarded === true) return nothing;
      madeUp.set(given.id, one);
      return { ...answer, madeUp: toLook(one.tool, given, answer) };
    },
    read: () => ({
      planId,
      calls: listPlanned().flatMap(({ tool, arguments: given, dependsOn }): readonly PlannedCall[] =>
        tool === undefined || given === undefined
          ? []
          : [
              {
                server: tool.server,
                tool: tool.name,
                arguments: given,
                ...(dependsOn.length === 0
                  ? {}
                  : { usesSimulated: true, dependsOn: dependsOn.map(describe) }),
              },
            ],
      ),
      ...(madeUp.size === 0 ? {} : { usesSimulated: true }),
      ...(warnings.size === 0 ? {} : { warnings: [...warnings.values()] }),
    }),
  };
};

/** Where the mark of a TypeScript program comes from. */
const markModule = {
  path: "plan/discard",
  source: `export const { discard } = globalThis.servers[${JSON.stringify(planServer)}];\n`,
};

/** A program and its library, marked so that the guest can tell which answers are thrown away; `isOwn`: not a generated file. */
export const markProgram = async <Program extends Pick<GuestJob, "code" | "files" | "globals">>(
  asker: Asker,
  program: Program,
  { language, isOwn }: { readonly language: Language; readonly isOwn: (path: string) => boolean },
): Promise<Program> => {
  const mark = discardName[language];
  // Python is marked where it is compiled.
  if (language === "python") return { ...program, globals: { ...program.globals, [mark]: planServer } };
  const own = program.files.filter(({ path }) => isOwn(path));
  const given = [program.code, ...own.map(({ source }) => source)];
  const importMark = `import { discard as ${mark} } from ${JSON.stringify(markModule.path)};`;
  const [code = "", ...sources] = (await markDiscarded(asker, given, mark)).map((source, at) =>
    source === given[at] ? source : `${importMark}${source}`,
  );
  return {
    ...program,
    code,
    files: [
      markModule,
      ...program.files.filter((file) => !own.includes(file)),
      ...own.map(({ path }, at) => ({ path, source: sources[at] ?? "" })),
    ],
  };
};
