// `doctor`: what works here, what does not, and the step that would mend it.
import type { Diagnosis, ExecutorDiagnosis } from "../../../coordinator/index.js";
import type { Command } from "../command.js";
import { toPlainText, wrap } from "../render/plain-text.js";
import { renderTable } from "../render/table.js";
import type { Screen } from "../screen.js";

const describeChecks = ({ isAvailable, checks }: ExecutorDiagnosis): string => {
  if (!isAvailable) return "unavailable";
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
    columns: screen.columns,
    head: ["SANDBOX", "RUNS", "SELF-TEST"],
    style: (row, column, text) => {
      if (row === "head") return screen.style("bold", text);
      if (column !== 2) return text;
      const state = text.trim();
      return screen.style(state === "ok" ? "green" : state === "unavailable" ? "dim" : "red", text);
    },
  });
  screen.print(head);
  const detail = (label: string, text: string): void => {
    for (const line of wrap(`${label} ${text}`, screen.columns - 4))
      screen.print(screen.style("dim", `    ${line}`));
  };
  for (const [index, { isAvailable, walls, gaps, reason, fix }] of sandboxes.entries()) {
    screen.print(lines[index] ?? "");
    if (isAvailable) detail("walls:", walls.join(", "));
    if (isAvailable && gaps.length > 0) detail("does not stop:", gaps.join("; "));
    if (!isAvailable) detail("missing:", toPlainText(reason ?? ""));
    if (!isAvailable && fix !== undefined) detail("to get it:", toPlainText(fix));
  }
  screen.print("");
  for (const { language, executor, reason } of chosen) {
    screen.print(`${language}: ${executor === undefined ? "no sandbox, " : ""}${toPlainText(reason)}`);
  }
};

const printServers = (screen: Screen, { servers }: Diagnosis): void => {
  if (servers.length === 0) {
    screen.print('No servers are configured: pass --config PATH, or put a "mcp.json" into this folder');
    return;
  }
  const rows = servers.map(({ name, status, toolCount, error }) => [
    name,
    status,
    toolCount === undefined ? "" : String(toolCount),
    error === undefined ? "" : `${error.message}. ${error.hint}`,
  ]);
  const table = renderTable(rows, {
    columns: screen.columns,
    head: ["SERVER", "STATUS", "TOOLS", "PROBLEM AND NEXT STEP"],
    style: (row, column, text) => {
      if (row === "head") return screen.style("bold", text);
      return column === 1 ? screen.style(text.trim() === "failed" ? "red" : "green", text) : text;
    },
  });
  for (const line of table) screen.print(line);
};

export const doctor: Command = {
  name: "doctor",
  summary: "Try every server and every sandbox, and say what is wrong",
  usage: ["doctor"],
  description:
    "Starts each server, and in each sandbox really tries to read a file, the environment and a socket, and to spin for ever. A * marks the sandboxes that programs get. Ends with 1 when something is wrong.",
  examples: [
    ["mcp-coordinator doctor", "Everything, for a person"],
    ["mcp-coordinator doctor --json", "The same for a script, with every check"],
  ],
  options: {},
  run: async ({ screen, open }) => {
    const coordinator = await open();
    const found = await screen.during("looking at servers and sandboxes", coordinator.diagnose());
    if (screen.isJson) {
      screen.document(found);
      return found.isHealthy ? 0 : 1;
    }
    screen.print(`Node ${found.node}; configuration: ${found.sources.join(", ") || "none found"}`);
    screen.print("");
    printServers(screen, found);
    screen.print("");
    printSandboxes(screen, found);
    return found.isHealthy ? 0 : 1;
  },
};
