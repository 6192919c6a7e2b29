// Plans a program: collects its writes in order. A write is independent of made-up answers if the program had inspected none
// before the call. The guest reports which answers are discarded and which may have been inspected.
import { storesValue } from "../../bridge/index.js";
import {
  type CallDecision,
  CoordinatorError,
  type GuestAnswer,
  type GuestCall,
  type GuestJob,
  type HostFunctions,
  type JsonObject,
  type Language,
  type PlannedCall,
  type RunPlan,
  type Tool,
} from "../../contracts/index.js";
import { markDiscarded } from "../checks/checker.js";
import type { Requester } from "../checks/checker-queue.js";

export interface DecidedTool {
  readonly tool: Tool;
  readonly arguments: JsonObject;
  readonly call: GuestCall;
  /** The answer is to be stored. */
  readonly isStored: boolean;
}

export interface Plan {
  /** Trusts the tool's annotations: a call that is not declared read-only is planned, not made. Throws PLAN_MADE_UP. */
  readonly decide: (decided: DecidedTool) => CallDecision;
  /** Observes what the program requests from the host. */
  readonly watch: (call: HostFunctions["call"]) => HostFunctions["call"];
  readonly read: () => RunPlan;
}

/** A request of the program to the host. */
interface HostRequest {
  /** The made-up answers that the program may have inspected before. */
  dependsOn: readonly HostRequest[];
  tool?: Tool | undefined;
  arguments?: JsonObject | undefined;
  decision?: CallDecision | undefined;
}

const maxWarnings = 5;
/** Maximum number of made-up answers to name. */
const maxUsed = 8;

const storesMadeUp = (what: string): CoordinatorError =>
  new CoordinatorError(
    "PLAN_MADE_UP",
    `Cannot ${what} in a plan: the program may have inspected a made-up answer, expected only real values in what is stored`,
  );

type Answered = Extract<GuestAnswer, { readonly status: "answered" }>;

/** A value that is certainly an object must be opened to be inspected. For anything else, `if (answer)` inspects it. */
const toInspection = (
  tool: Tool | undefined,
  { isRaw }: GuestCall,
  { format, body }: Answered,
): "value" | "object" => {
  const schema = tool?.outputSchema;
  const isObject = typeof schema === "object" && schema.type === "object" && !isRaw && format === "json";
  return isObject && body.startsWith("{") ? "object" : "value";
};

/** Nobody inspects it, so nothing needs to be made up. */
const nothing: GuestAnswer = { status: "answered", format: "json", body: "null" };

export const openPlan = (planId: string, isSimulated: (server: string) => boolean): Plan => {
  const requests: HostRequest[] = [];
  const byCall = new Map<GuestCall, HostRequest>();
  /** Calls with made-up answers, by the guest's numbers. */
  const madeUp = new Map<number | undefined, HostRequest>();
  /** Those that the program may have inspected. */
  const used: HostRequest[] = [];
  /** Server → the first planned write, which later reads do not reflect. */
  const firstWrites = new Map<string, HostRequest>();
  /** Tool that was read → the warning about it. */
  const warnings = new Map<string, string>();
  const listPlanned = (): readonly HostRequest[] =>
    requests.filter(({ decision }) => decision === "captured");

  const describe = (one: HostRequest): string => {
    const name = `"${one.tool?.server}.${one.tool?.name}"`;
    return one.decision === "captured" ? `call ${listPlanned().indexOf(one) + 1}, ${name}` : name;
  };

  const warnOfRead = ({ server, name }: Tool): void => {
    const write = firstWrites.get(server);
    const read = `"${server}.${name}"`;
    if (write !== undefined && !warnings.has(read) && warnings.size < maxWarnings)
      warnings.set(read, `${read} was read after ${describe(write)}: it does not reflect that change`);
  };

  return {
    decide: ({ tool, arguments: given, call, isStored }) => {
      const decision = !tool.isReadOnly ? "captured" : isSimulated(tool.server) ? "simulated" : "allowed";
      if (isStored && (decision !== "allowed" || used.length > 0))
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
      const one: HostRequest = { dependsOn: [...used] };
      requests.push(one);
      byCall.set(given, one);
      const answer = await call(given, signal);
      byCall.delete(given);
      if (one.decision === undefined || one.decision === "allowed") return answer;
      if (answer.status === "failed") {
        // An answer that cannot be made up was not planned, and the real call might have succeeded.
        used.push(one);
        one.dependsOn = [one];
        return answer;
      }
      if (given.isDiscarded === true) return nothing;
      madeUp.set(given.id, one);
      return { ...answer, madeUp: toInspection(one.tool, given, answer) };
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
                usesSimulated: dependsOn.length > 0 || undefined,
                dependsOn: dependsOn.length === 0 ? undefined : dependsOn.map(describe),
              },
            ],
      ),
      usesSimulated: madeUp.size > 0 || undefined,
      warnings: warnings.size === 0 ? undefined : [...warnings.values()],
    }),
  };
};

/** Stands for `discardName` among the globals of a program. No configured server can have this name. */
const planServer = "\u0000plan";

/** In a plan, the function around the callee of every call whose answer is discarded. */
const discardName: Readonly<Record<Language, string>> = {
  typescript: "$discard",
  python: "__discard__",
};

/** The module that provides the mark in TypeScript programs. */
const markModule = {
  path: "plan/discard",
  source: `export const { discard } = globalThis.servers[${JSON.stringify(planServer)}];\n`,
};

/** Marks a program and its library so that the guest can tell which answers are discarded. `isOwn`: not a generated file. */
export const markProgram = async <Program extends Pick<GuestJob, "code" | "files" | "globals">>(
  requester: Requester,
  program: Program,
  { language, isOwn }: { readonly language: Language; readonly isOwn: (path: string) => boolean },
): Promise<Program> => {
  const mark = discardName[language];
  // Python is marked when it is compiled.
  if (language === "python") return { ...program, globals: { ...program.globals, [mark]: planServer } };
  const own = program.files.filter(({ path }) => isOwn(path));
  const given = [program.code, ...own.map(({ source }) => source)];
  const importMark = `import { discard as ${mark} } from ${JSON.stringify(markModule.path)};`;
  const [code = "", ...sources] = (await markDiscarded(requester, given, mark)).map((source, at) =>
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
