// `doctor`: what works here, what does not, and how to fix it.
import { describeUpdate, toCoordinatorError } from "../../../contracts/index.js";
import {
  type Coordinator,
  type DiagnoseProgress,
  type Diagnosis,
  type ExecutorDiagnosis,
  type ServerDiagnosis,
  withOwnCommand,
} from "../../../coordinator/index.js";
import type { Command, CommandContext } from "../command.js";
import { confirm } from "../prompt/choose.js";
import {
  cut,
  renderBytes,
  renderDuration,
  renderTable,
  shortenHome,
  toPlainText,
  wrap,
} from "../render/plain-text.js";
import { describeLaunch } from "../render/servers.js";
import type { Screen } from "../screen.js";
import { clientOption, nameServerStatus, openAsClient, styleServerStatus } from "./servers.js";

/** Optional, unless the settings use it: then it is listed as a problem. */
const notSetUp = "not set up";

const describeChecks = ({ isAvailable, checks }: ExecutorDiagnosis): string => {
  if (!isAvailable) return notSetUp;
  const failed = checks.filter(({ isPassed }) => !isPassed);
  if (failed.length === 0) return "ok";
  return failed.map(({ what, language, found }) => `${language} ${what}: ${found}`).join("; ");
};

const printSandboxes = (screen: Screen, { sandboxes, chosen }: Diagnosis): void => {
  const used = new Set(chosen.map(({ executor }) => executor));
  const rows = sandboxes.map((sandbox) => [
    `${sandbox.name}${used.has(sandbox.name) ? " *" : ""}`,
    sandbox.languages.join(", "),
    describeChecks(sandbox),
  ]);
  const [head = "", ...lines] = renderTable(rows, {
    columns: screen.tableColumns,
    head: ["SANDBOX", "RUNS", "SELF-TEST"],
    style: (row, column, text) => {
      if (row === "head") return screen.style("bold", text);
      if (column !== 2) return text;
      const state = text.trim();
      return screen.style(state === "ok" ? "green" : state === notSetUp ? "dim" : "red", text);
    },
  });
  screen.print(head);
  const detail = (label: string, text: string): void => {
    for (const line of wrap(`${label} ${text}`, screen.columns - 4))
      screen.print(screen.style("dim", `    ${line}`));
  };
  for (const [index, sandbox] of sandboxes.entries()) {
    const { isAvailable, walls, gaps, reason, fix, missingLibraries = [] } = sandbox;
    screen.print(lines[index] ?? "");
    if (isAvailable) detail("protection:", walls.join(", "));
    if (isAvailable && gaps.length > 0) detail("does not stop:", gaps.join("; "));
    if (missingLibraries.length > 0) detail("without:", missingLibraries.join(", "));
    if (!isAvailable) detail("missing:", toPlainText(reason ?? ""));
    if (!isAvailable && fix !== undefined) detail("to get it:", toPlainText(fix));
  }
  screen.print("");
  for (const { language, executor, reason } of chosen) {
    screen.print(`${language}: ${executor === undefined ? "no sandbox, " : ""}${toPlainText(reason)}`);
  }
};

/** What does not work comes first. */
const rankServer = ({ error, status }: ServerDiagnosis): number =>
  error !== undefined ? 0 : status === "disabled" ? 2 : 1;

/** The reason without the name, which is in the same row. */
const toReason = ({ name, error }: ServerDiagnosis): string => {
  const message = error?.message ?? "";
  const at = message.indexOf(": ");
  return at > 0 && message.slice(0, at).includes(`"${name}"`) ? message.slice(at + 2) : message;
};

const printServers = (screen: Screen, { servers }: Diagnosis): void => {
  if (servers.length === 0) {
    screen.print(
      withOwnCommand('No servers are configured: run "mcp-coordinator init", or pass --config PATH'),
    );
    return;
  }
  const sorted = servers.toSorted((one, other) => rankServer(one) - rankServer(other));
  const rows = sorted.map((server) => [
    server.name,
    nameServerStatus(server.status),
    server.toolCount === undefined ? "" : String(server.toolCount),
    server.durationMs === undefined || server.error !== undefined ? "" : renderDuration(server.durationMs),
    server.error === undefined || server.status === "untrusted"
      ? shortenHome(server.target)
      : toReason(server),
  ]);
  const table = renderTable(rows, {
    columns: screen.tableColumns,
    head: ["SERVER", "STATUS", "TOOLS", "READY IN", "STARTS, OR WHAT IS WRONG"],
    style: (row, column, text) => {
      if (row === "head") return screen.style("bold", text);
      return column === 1 ? screen.style(styleServerStatus(text.trim()), text) : text;
    },
  });
  for (const [at, line] of table.entries()) {
    screen.print(line);
    // The first line is the head.
    const server = sorted[at - 1];
    if (server?.launch === undefined) continue;
    const notes = [describeLaunch(screen, server.launch), describeUpdate(server.name, server.launch)];
    for (const note of notes.flatMap((text) => (text === undefined ? [] : wrap(text, screen.columns - 4))))
      screen.print(screen.style("dim", `    ${toPlainText(note)}`));
  }
};

const printMachine = (screen: Screen, { runtimes, folders }: Diagnosis): void => {
  const rows = [
    ...runtimes.map(({ what, found, reason }) => [what, found ?? `none: ${reason ?? ""}`]),
    ...folders.map(({ what, path, bytes, isCounted, freeBytes, isWritable }) => {
      const free = freeBytes === undefined ? "" : `, ${renderBytes(freeBytes)} free`;
      const state = isWritable ? "" : ", cannot be written";
      return [
        what,
        `${shortenHome(path)}, ${isCounted ? "" : "more than "}${renderBytes(bytes)}${free}${state}`,
      ];
    }),
  ];
  screen.table(rows, { head: ["MACHINE", ""] });
};

const describeOptional = (sandboxes: Diagnosis["sandboxes"]): string => {
  const names = sandboxes.filter(({ isAvailable }) => !isAvailable).map(({ name }) => name);
  return names.length === 0 ? "" : `. Not set up, and not needed by your settings: ${names.join(", ")}`;
};

const stderrLines = 4;

const printProblems = (screen: Screen, diagnosis: Diagnosis): void => {
  const { problems, servers, sandboxes, isHealthy } = diagnosis;
  const serious = problems.filter(({ isSerious }) => isSerious).length;
  screen.print(
    isHealthy
      ? screen.style("green", `Everything that is needed works${describeOptional(sandboxes)}`)
      : screen.style("red", serious === 1 ? "One thing is wrong" : `${serious} things are wrong`),
  );
  const write = (label: string, text: string): void => {
    for (const [at, line] of wrap(toPlainText(text), screen.columns - 7).entries())
      screen.print(`${at === 0 ? label : "      "} ${line}`);
  };
  for (const { subject, problem, fix, isSerious, pointer } of problems) {
    write(isSerious ? screen.style("red", "wrong ") : screen.style("yellow", "note  "), problem);
    for (const line of pointer?.split("\n") ?? []) screen.print(`       ${toPlainText(line)}`);
    const stderr = servers.find(({ name }) => subject === `server ${name}`)?.stderr;
    for (const line of stderr?.split("\n").slice(-stderrLines) ?? [])
      screen.print(screen.style("dim", `       │ ${cut(toPlainText(line), screen.columns - 10)}`));
    if (fix !== "") write(screen.style("cyan", "fix   "), fix);
  }
};

/** An unreadable configuration does not prevent the other checks. */
const openAnyway = async (context: CommandContext) => {
  const { open } = context;
  try {
    return await openAsClient(context);
  } catch (thrown) {
    const problem = toCoordinatorError(thrown);
    if (!problem.code.startsWith("CONFIG_")) throw thrown;
    return { coordinator: await open({ config: {}, isQuiet: true }), problems: [problem] };
  }
};

/** Whether anything was removed. The folder is determined by the coordinator, never by a server's output. */
const repair = async (
  { screen, options }: CommandContext,
  coordinator: Coordinator,
  { servers }: Diagnosis,
): Promise<boolean> => {
  const mayAll = options.facts.has("yes");
  let isChanged = false;
  for (const { name, isDamaged, error } of servers) {
    if (isDamaged !== true) continue;
    screen.note(toPlainText(`${error?.message ?? name}. ${error?.hint ?? ""}`));
    if (!mayAll && !screen.canAsk) {
      screen.note("There is no terminal to ask at: --fix --yes removes it.");
      continue;
    }
    if (!mayAll && !(await confirm(screen, "Remove the folder?"))) continue;
    const { removed } = await coordinator.repairServer({ server: name });
    if (removed !== undefined) screen.note(`Removed ${shortenHome(removed)}`);
    isChanged ||= removed !== undefined;
  }
  return isChanged;
};

export const doctor: Command = {
  name: "doctor",
  usage: ["doctor [--fix]"],
  description:
    "Reads the configuration and starts each server. In each sandbox it tries to read a file and the environment, to open a socket, and to loop forever. It looks for Node, Python and a container runtime, and checks that the data folders are writable. What is wrong comes first, with the next step. A * marks the sandboxes that programs run in. Exits with 1 if something is wrong.",
  examples: [
    ["mcp-coordinator doctor", "Check everything"],
    ["mcp-coordinator doctor --json", "The same for a script, with every check"],
  ],
  options: {
    fix: {
      type: "boolean",
      summary: "Remove damaged server installations, asking before each; the next start reinstalls them",
    },
    yes: { type: "boolean", short: "y", summary: "With --fix: do not ask" },
    client: clientOption,
  },
  run: async (context) => {
    const { screen, options } = context;
    const { coordinator, problems } = await openAnyway(context);
    const onProgress = ({ done, total, waiting }: DiagnoseProgress): void => {
      const names = waiting.slice(0, 3).join(", ");
      screen.noteActivity(
        waiting.length === 0
          ? undefined
          : `servers: ${done} of ${total}, waiting for ${names}${waiting.length > 3 ? ", …" : ""}`,
      );
    };
    const look = (): Promise<Diagnosis> =>
      screen.during("checking servers and sandboxes", coordinator.diagnose({ problems, onProgress }));
    let found = await look();
    if (options.facts.has("fix") && (await repair(context, coordinator, found))) found = await look();
    if (screen.isJson) {
      screen.document(found);
      return found.isHealthy ? 0 : 1;
    }
    printProblems(screen, found);
    screen.print("");
    const sources = found.sources.map(shortenHome).join(", ") || "none found";
    for (const line of wrap(`Configuration: ${sources}`, screen.columns)) screen.print(line);
    screen.print("");
    printServers(screen, found);
    screen.print("");
    printSandboxes(screen, found);
    screen.print("");
    printMachine(screen, found);
    return found.isHealthy ? 0 : 1;
  },
};
