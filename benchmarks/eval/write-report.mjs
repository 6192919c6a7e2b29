// Writes the report of an evaluation: a Markdown page and its charts.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawChart } from "./draw-chart.mjs";
import { summarize } from "./summarize.mjs";

const show = (figure) => figure.toLocaleString("en-US");
const toCost = (cost) => (cost === null || cost === undefined ? "" : `$${cost.toFixed(4)}`);
const row = (cells) =>
  `| ${cells
    .map((cell) =>
      String(cell ?? "")
        .replaceAll("|", "\\|")
        .replace(/\s+/g, " "),
    )
    .join(" | ")} |`;
const table = (head, align, rows) => [row(head), `|${align.join("|")}|`, ...rows.map(row)].join("\n");

const totalsOf = ({ direct, code }) =>
  table(
    ["", "tasks", "success", "turns", "calls", "tokens read", "tokens written", "cost", "searches, median"],
    ["---", ...Array(8).fill("--:")],
    [
      ["direct calls", direct],
      ["programs", code],
    ].map(([name, one]) => [
      ...[
        name,
        one.tasks,
        one.successes,
        one.turns,
        one.calls,
        show(one.inputTokens),
        show(one.outputTokens),
      ],
      ...[toCost(one.cost), one.searches],
    ]),
  );

const goalsOf = ({ goals }) =>
  goals.length === 0
    ? "No task ran in both modes."
    : table(
        ["", "found", "goal", ""],
        ["---", "---", "---", "---"],
        goals.map(({ what, found, goal, isMet }) => [what, found, goal, isMet ? "met" : "MISSED"]),
      );

const scriptedNote =
  "Recorded answers, no model: each task's own program or calls. This shows that tasks, servers and checks fit together. It says nothing about whether a model finds the right tool or writes the right program.";

const charts = [
  ["turns", "turns", "Turns per task"],
  ["tokens-read", "inputTokens", "Tokens read per task, over all turns"],
];

/** `results` are the records of `runTask`. Returns the page's path. */
export const writeReport = (folder, results, { model, isScripted = false }) => {
  mkdirSync(folder, { recursive: true });
  const names = [...new Set(results.map(({ task }) => task))];
  const find = (task, mode) => results.find((result) => result.task === task && result.mode === mode);
  for (const [file, field, title] of charts) {
    const rows = names.map((name) => ({
      name,
      direct: find(name, "direct")?.[field],
      code: find(name, "code")?.[field],
    }));
    writeFileSync(join(folder, `${file}.svg`), drawChart({ title, rows }));
  }
  const summary = summarize(results);
  const cells = (result, fields) => fields.map((field) => (result === undefined ? "" : field(result)));
  const fields = [
    ({ isSuccess }) => (isSuccess ? "yes" : "NO"),
    ({ turns }) => turns,
    ({ inputTokens }) => show(inputTokens),
    ({ cost }) => toCost(cost),
  ];
  const failures = results.filter(({ isSuccess }) => !isSuccess);
  const page = [
    `# Evaluation: ${model}`,
    ...(isScripted ? [scriptedNote] : []),
    `${results.length} results, ${summary.pairs} tasks in both modes. The totals are over these.`,
    totalsOf(summary),
    ...(isScripted ? [] : ["## Goals", goalsOf(summary)]),
    "## Tasks",
    ...charts.map(([file, , title]) => `![${title}](${file}.svg)`),
    table(
      [
        "task",
        "kind",
        "direct",
        "turns",
        "tokens read",
        "cost",
        "programs",
        "turns",
        "tokens read",
        "cost",
        "searches",
      ],
      ["---", "---", "---", "--:", "--:", "--:", "---", "--:", "--:", "--:", "--:"],
      names.map((name) => {
        const [direct, code] = [find(name, "direct"), find(name, "code")];
        return [
          name,
          (direct ?? code).kind,
          ...cells(direct, fields),
          ...cells(code, fields),
          code?.searches,
        ];
      }),
    ),
    ...(failures.length === 0
      ? []
      : [
          "## Failures",
          failures.map(({ task, mode, reason }) => `- ${task}, ${mode}: ${reason.slice(0, 300)}`).join("\n"),
        ]),
  ];
  const path = join(folder, "report.md");
  writeFileSync(path, `${page.join("\n\n")}\n`);
  return path;
};
