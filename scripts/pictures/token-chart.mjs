// The token figures of tasks as a chart and as tables, from benchmarks/tokens/results.json.
import { drawDotPlot } from "./dot-plot.mjs";

const count = (value) => value.toLocaleString("en-US");
/** Never rounded up. */
const percent = (share) => `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;
const toolCount = (tools) => `${count(tools)} tools`;

const totals = ({ direct, code }) => [direct.total, code.default.total];

/** The tasks of the README, in the order in which they explain it. */
const shown = {
  "move-document": "move a transcript between two servers",
  "fifty-documents": "summarize fifty documents",
  "real-servers": "two calls over 187 real servers",
  "events-at-once": "create 31 events in one turn",
  "single-call": "one small call",
};

export const drawTokens = ({ date, tasks }) => {
  const rows = tasks.map((task) => {
    const [direct, code] = totals(task);
    return {
      name: task.title,
      isOurs: false,
      panels: [
        [
          { value: direct, label: count(direct), className: "other" },
          { value: code, label: count(code), className: "ours" },
        ],
      ],
    };
  });
  return drawDotPlot({
    title: "Tokens that a task costs, over all turns",
    subtitle: `Real servers, o200k, logarithmic axis; npm run bench:tokens, ${date}`,
    description: tasks
      .map((task) => `${task.title}: ${totals(task).map(count).join(" by direct calls, ")} by one program.`)
      .join(" "),
    panels: [{}],
    rows,
    legend: [
      { name: "direct calls", className: "other" },
      { name: "one program", className: "ours" },
    ],
    nameWidth: 330,
    width: 900,
  });
};

/** The table of the README. */
export const toTokenTable = ({ tasks }) =>
  [
    "| task | direct calls | one program | saved |",
    "|---|--:|--:|--:|",
    ...Object.entries(shown).flatMap(([wanted, title]) => {
      const task = tasks.find(({ name }) => name === wanted);
      if (task === undefined) return [];
      const [direct, code] = totals(task);
      const saved = code > direct ? "direct calling wins" : percent(1 - code / direct);
      return [`| ${title}, ${toolCount(task.tools)} | ${count(direct)} | ${count(code)} | ${saved} |`];
    }),
  ].join("\n");

/** The table of the benchmark's page. */
export const toAllTokens = ({ tasks }) =>
  [
    "| task | direct | default | saved | minimal | saved | largest context |",
    "|---|--:|--:|--:|--:|--:|--:|",
    ...tasks.map(({ name, direct, code }) => {
      const cells = [code.default, code.minimal].map(
        ({ total }) => `${count(total)} | ${percent(1 - total / direct.total)}`,
      );
      const largest = `${count(direct.largest)} → ${count(code.default.largest)} / ${count(code.minimal.largest)}`;
      return `| \`${name}\` | ${count(direct.total)} | ${cells.join(" | ")} | ${largest} |`;
    }),
  ].join("\n");
