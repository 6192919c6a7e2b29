// `undo`: lists the inverse calls of a run, asks once, and makes them, the last call first.
import type { Coordinator, UndoPlan, UndoStep } from "../../../coordinator/index.js";
import { type Command, type CommandContext, pausedExitCode } from "../command.js";
import { confirm } from "../prompt/choose.js";
import { idHint, readText, usage, workspaceOption } from "../read-words.js";
import { showRun, watchRun } from "../render/run.js";
import type { Screen } from "../screen.js";

const toRow = ({ sequence, server, tool, state, call, check }: UndoStep): readonly string[] => [
  String(sequence),
  `${server}.${tool}`,
  state,
  call === undefined ? "" : `${call.server}.${call.tool}`,
  call === undefined ? "" : JSON.stringify(call.arguments),
  check === undefined ? "" : `${check.expect.map(({ path }) => path.join(".")).join(", ")} is unchanged`,
];

const print = (screen: Screen, { steps }: UndoPlan): void => {
  const undone = steps.filter(({ call }) => call !== undefined);
  const head = ["CALL", "TOOL", "STATE", "INVERSE CALL", "ARGUMENTS", "ONLY IF"];
  if (undone.length > 0) screen.table(undone.map(toRow), { head, flexible: [4] });
  const others = steps.filter(({ call }) => call === undefined);
  if (others.length === 0) return;
  screen.print("");
  screen.print(screen.style("yellow", "These calls cannot be undone"));
  for (const { sequence, server, tool, reason = "" } of others)
    screen.print(screen.plain(`${sequence}  ${server}.${tool}: ${reason}`));
};

const count = ({ steps }: UndoPlan, wanted: UndoStep["state"]): number =>
  steps.filter(({ state }) => state === wanted).length;

/** What there is to say if nothing is left to do. */
const explainNothing = (plan: UndoPlan): string => {
  const done = count(plan, "done");
  if (done > 0)
    return `Nothing to do: ${done === 1 ? "its call was" : "its calls were"} undone by ${plan.undoId}`;
  return "Nothing to undo: the run has no call with an inverse call";
};

const confirmPlan = (screen: Screen, plan: UndoPlan): Promise<boolean> => {
  const ready = count(plan, "ready");
  return confirm(
    screen,
    `Make ${ready === 1 ? "this inverse call" : `these ${ready} inverse calls`}, from the top?`,
  );
};

const start = async (
  { screen, options, signal }: CommandContext,
  coordinator: Coordinator,
  plan: UndoPlan,
  workspace: string | undefined,
): Promise<number> => {
  const where = { screen, coordinator, workspace };
  const isAsked = !options.facts.has("yes");
  const undoing = coordinator.undoRun({
    runId: plan.runId,
    workspace,
    // Only a person who answered at a terminal has approved the calls. The option may come from an agent with a shell.
    approved: isAsked ? plan : undefined,
    signal,
    ...watchRun(where),
  });
  const made = undoing.then(({ result }) => {
    if (result === undefined) throw new Error("Another process has undone the run");
    return result;
  });
  const exitCode = await showRun({ ...where, signal }, made);
  const { plan: after } = await undoing;
  if (!screen.isJson) screen.note(`${count(after, "done")} undone, ${count(after, "ready")} left`);
  return exitCode;
};

export const undo: Command = {
  name: "undo",
  usage: ["undo RUN_ID [--yes]", "undo RUN_ID --dry-run"],
  description:
    "Lists the inverse calls for the calls of a run, the last call first, and the calls that have no inverse. Then asks once and makes the inverse calls, as a separate run under the current policy. It stops at the first call that fails. The same command continues where it stopped, and never repeats an inverse call. Inverse calls are declared under undo in policy.yaml. Without a terminal and without --yes it only lists, and exits with 5 if something could be undone.",
  examples: [
    ["mcp-coordinator undo 3f2a9c41d07b", "Show the inverse calls, ask, and make them"],
    ["mcp-coordinator undo 3f2a9c41d07b --dry-run", "Only show them"],
  ],
  options: {
    yes: {
      type: "boolean",
      short: "y",
      summary: "Do not ask. Calls that the policy asks about still wait for a person",
    },
    "dry-run": { type: "boolean", summary: "Show the inverse calls and make none" },
    workspace: workspaceOption,
  },
  run: async (context) => {
    const { screen, open, words, options } = context;
    const [runId, ...more] = words;
    if (runId === undefined || more.length > 0)
      throw usage("undo a run", `${words.length} ids are given, expected one`, "undo", idHint);
    const workspace = readText(options, "workspace");
    const coordinator = await open();
    const plan = await coordinator.planUndo({ runId, workspace });
    const isReady = count(plan, "ready") > 0;
    const isDryRun = options.facts.has("dry-run");
    const mayAsk = screen.canAsk && !screen.isJson;
    const isListed = isDryRun || !(isReady || count(plan, "uncertain") > 0);
    if (screen.isJson && (isListed || !options.facts.has("yes"))) screen.document(plan);
    if (!screen.isJson) {
      print(screen, plan);
      if (!isReady && count(plan, "uncertain") === 0) screen.note(explainNothing(plan));
    }
    if (isListed) return 0;
    if (!options.facts.has("yes")) {
      if (!mayAsk) {
        if (!screen.isJson) screen.note("Nothing was undone. To make these calls, run it again with --yes");
        return pausedExitCode;
      }
      if (isReady && !(await confirmPlan(screen, plan))) {
        screen.note("Nothing was undone");
        return 1;
      }
    }
    return start(context, coordinator, plan, workspace);
  },
};
