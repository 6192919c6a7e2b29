// `setup`: what a sandbox needs beyond this package, made in one step.
import type { Command } from "../command.js";
import { usage } from "../read-words.js";

export const setup: Command = {
  name: "setup",
  usage: ["setup python", "setup container"],
  description:
    "python: a virtual environment with numpy, pandas and scikit-learn in your data folder, which the Python sandbox then uses. container: an image with this machine's Node and Python for Podman or Docker; nothing is downloaded.",
  examples: [
    ["mcp-coordinator setup python", "Programs can then import pandas"],
    ["mcp-coordinator setup container", 'For "coordinator": { "executor": "container" }'],
  ],
  options: {},
  run: async ({ screen, open, words, signal }) => {
    const [sandbox] = words;
    if (words.length !== 1 || (sandbox !== "python" && sandbox !== "container")) {
      const found = words.length === 0 ? "nothing is named" : `"${words.join(" ")}" is not a sandbox`;
      throw usage("set up", `${found}, wanted python or container`, "setup");
    }
    const coordinator = await open();
    const work = coordinator.setUpSandbox({ sandbox, signal, onStep: (line) => screen.note(line) });
    const result = await screen.during(`setting up ${sandbox}`, work);
    if (screen.isJson) screen.document(result);
    else screen.print(`Made ${result.made} with ${result.holds.join(", ")}`);
    return 0;
  },
};
