// `setup`: creates what a sandbox needs beyond this package.
import type { Command } from "../command.js";
import { usage } from "../read-words.js";

export const setup: Command = {
  name: "setup",
  usage: ["setup python", "setup container"],
  description:
    "python: creates a virtual environment with numpy, pandas and scikit-learn from PyPI in your data folder, for the sandbox to use, with uv, venv or pip, whichever is installed. container: builds an image for Podman or Docker with this machine's Node and the Python that doctor shows; nothing is downloaded. Both finish by running a program inside and report what it found. Running setup again rebuilds it.",
  examples: [
    ["mcp-coordinator setup python", "Programs can then import pandas"],
    ["MCP_COORDINATOR_INTERPRETER=python3.13 mcp-coordinator setup python", "With another Python"],
    ["mcp-coordinator setup container", 'For "coordinator": { "executor": "container" }'],
  ],
  options: {},
  run: async ({ screen, open, words, signal }) => {
    const [sandbox] = words;
    if (words.length !== 1 || (sandbox !== "python" && sandbox !== "container")) {
      const found = words.length === 0 ? "nothing is named" : `"${words.join(" ")}" is not a sandbox`;
      throw usage("set up", `${found}, expected python or container`, "setup");
    }
    const coordinator = await open({ isQuiet: true });
    const work = coordinator.setUpSandbox({ sandbox, signal, onStep: (line) => screen.note(line) });
    const result = await screen.during(`setting up ${sandbox}`, work);
    if (screen.isJson) screen.document(result);
    else screen.print(`Made ${result.made}; a program in it found ${result.holds.join(", ")}`);
    for (const note of result.notes ?? []) screen.note(note);
    return 0;
  },
};
