// `commit`: makes exactly the calls of a plan.
import type { Command } from "../command.js";
import { inWorkspace, readText, usage, workspaceOption } from "../read-words.js";
import { showRun, watchRun } from "./run.js";

export const commit: Command = {
  name: "commit",
  usage: ["commit PLAN_ID"],
  description:
    "Makes exactly the calls that the plan lists, in order. A plan is carried out once: after a failure, commit continues where it stopped.",
  examples: [["mcp-coordinator commit 3f2a9c41d07b", "The plan with that id"]],
  options: { workspace: workspaceOption },
  run: async ({ screen, open, words, options, signal }) => {
    const [planId, ...more] = words;
    if (planId === undefined || more.length > 0)
      throw usage("commit a plan", `${words.length} ids are given, expected one`, "commit");
    const workspace = readText(options, "workspace");
    const coordinator = await open();
    const where = { screen, coordinator, workspace };
    const committing = coordinator.commitPlan(inWorkspace({ planId, signal, ...watchRun(where) }, workspace));
    return showRun({ ...where, signal }, committing);
  },
};
