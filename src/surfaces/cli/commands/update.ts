// `update` and `setup`: install the packages of servers, and what a sandbox needs beyond this package.
import { settleWithin } from "../../../contracts/index.js";
import type { FetchedServer } from "../../../coordinator/index.js";
import { type Command, type CommandContext, toExitCode } from "../command.js";
import { misread } from "../read-words.js";
import { noteError } from "../render/error.js";
import { plural } from "../render/plain-text.js";
import type { Screen } from "../screen.js";

const toState = ({ launch, before, error }: FetchedServer): string => {
  if (error !== undefined) return "failed";
  if (launch?.package === undefined) return `as written: ${launch?.reason ?? ""}`;
  return before === undefined ? "up to date" : `was ${before}`;
};

const print = (screen: Screen, fetched: readonly FetchedServer[]): void => {
  const rows = fetched.map((one) => [
    one.server,
    one.launch?.package?.name ?? "",
    one.launch?.package?.version ?? "",
    toState(one),
  ]);
  screen.table(rows, { head: ["NAME", "PACKAGE", "VERSION", ""] });
};

/** How long to wait for servers to list their tools. On a busy machine, several take longer than a few seconds together. */
const maxListingMs = 20_000;

/** After a configuration was written: installs its packages and lists its tools before the client starts. A failure is reported on the server's first use. */
export const fetchAhead = async (
  { screen, open }: Pick<CommandContext, "screen" | "open">,
  config: readonly string[],
  trustsNamed: boolean,
): Promise<void> => {
  if (screen.isJson || config.length === 0) return;
  // If a person declined to trust an item, do not ask again and do not install it.
  const coordinator = await open({ config, trustsNamed, isQuiet: true, isUnattended: true });
  const fetched = await screen.during("checking the packages", coordinator.fetchServers());
  const failed = fetched.filter(({ error }) => error !== undefined);
  const done = fetched.length - failed.length;
  if (done > 0) screen.note(`${plural(done, "server")} ${done === 1 ? "is" : "are"} installed`);
  for (const { error } of failed) if (error !== undefined) noteError(screen, error);
  // The client's first agent then sees the tools in the descriptions.
  // Not `waitMs`: a server that takes longer has not failed.
  await screen.during("listing the tools", settleWithin(coordinator.listTools(), maxListingMs));
};

export const update: Command = {
  name: "update",
  usage: ["update [SERVER]..."],
  description:
    "Installs missing packages, and newer versions of packages that are not pinned. This also happens once a day in the background. Running servers are not affected; the next start uses the new version.",
  examples: [
    ["mcp-coordinator update", "All servers started by npx, uvx or a container runtime"],
    ["mcp-coordinator update github", "One of them"],
  ],
  options: {},
  run: async ({ screen, open, words }) => {
    const coordinator = await open();
    const servers = words.length === 0 ? undefined : words;
    const fetching = coordinator.fetchServers({ servers, isRefreshed: true });
    const fetched = await screen.during("asking the registries", fetching);
    const failed = fetched.find(({ error }) => error !== undefined)?.error;
    if (screen.isJson) screen.document(fetched);
    else if (fetched.length > 0) print(screen, fetched);
    else screen.note("No server comes from a package");
    if (!screen.isJson) for (const { error } of fetched) if (error !== undefined) noteError(screen, error);
    return failed === undefined ? 0 : toExitCode(failed);
  },
};

export const setup: Command = {
  name: "setup",
  usage: ["setup python", "setup container"],
  description:
    "python creates a virtual environment in your data folder for the sandbox to use, with numpy, pandas and scikit-learn from PyPI. It uses uv, venv or pip, whichever is installed. container builds an image for Podman or Docker with this machine's Node and the Python that doctor shows; nothing is downloaded. Both finish by running a program inside, and report what it found. Running setup again rebuilds what it created.",
  examples: [
    ["mcp-coordinator setup python", "Programs can then import pandas"],
    ["MCP_COORDINATOR_INTERPRETER=python3.13 mcp-coordinator setup python", "With another Python"],
    ["mcp-coordinator setup container", 'For "coordinator": { "executor": "container" }'],
  ],
  options: {},
  run: async ({ screen, open, words, signal }) => {
    const [sandbox] = words;
    if (words.length !== 1 || (sandbox !== "python" && sandbox !== "container")) {
      throw misread("setup", words, ["python", "container"]);
    }
    const coordinator = await open({ isQuiet: true });
    const work = coordinator.setUpSandbox({ sandbox, signal, onStep: (line) => screen.note(line) });
    const result = await screen.during(`setting up ${sandbox}`, work);
    if (screen.isJson) screen.document(result);
    else screen.print(`Created ${result.made}; a program in it found ${result.holds.join(", ")}`);
    for (const note of result.notes ?? []) screen.note(note);
    return 0;
  },
};
