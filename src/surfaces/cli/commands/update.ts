// `update`: installs or updates the packages of servers now.
import type { FetchedServer } from "../../../coordinator/index.js";
import { type Command, type CommandContext, toExitCode } from "../command.js";
import { noteError } from "../render/error.js";
import { renderTable } from "../render/table.js";
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
  const style = (row: "head" | "body", _column: number, text: string): string =>
    row === "head" ? screen.style("bold", text) : text;
  const head = ["NAME", "PACKAGE", "VERSION", ""];
  for (const line of renderTable(rows, { columns: screen.tableColumns, head, style })) screen.print(line);
};

/** How long to wait for servers to list their tools. */
const maxListingMs = 5000;

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
  if (done > 0) screen.note(`${done} server${done === 1 ? " is" : "s are"} installed`);
  for (const { error } of failed) if (error !== undefined) noteError(screen, error);
  // The client's first agent then sees the tools in the descriptions.
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxListingMs);
  });
  // Not `waitMs`: a server that takes longer has not failed.
  const listing = coordinator.listTools().then(
    () => {},
    () => {},
  );
  await screen.during("listing the tools", Promise.race([listing, late]));
  clearTimeout(timer);
};

export const update: Command = {
  name: "update",
  usage: ["update [SERVER]..."],
  description:
    "Installs missing packages, and newer versions of packages that are not pinned. Without this command that happens once a day, in the background. Running servers are not affected; the next start uses the new version.",
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
