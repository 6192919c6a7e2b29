// The comparison with other systems as a chart and as tables, from benchmarks/peers/results.json.
import { drawDotPlot } from "./dot-plot.mjs";

const digits = (value) => (value >= 100 ? 0 : value >= 10 ? 1 : 2);
const count = (value) => value.toLocaleString("en-US");
const figure = (value) => (value === undefined ? "–" : count(Number(value.toFixed(digits(value)))));
const raisedMark = (peer, name) => (peer.raised?.includes(name) ? " †" : "");

/** The systems with all their figures. */
const listPeers = ({ systems, ...parts }) =>
  systems.map((system) =>
    Object.assign({}, system, ...Object.values(parts).map(({ figures }) => figures[system.name])),
  );

const measures = [
  { key: "runMs", title: "return 1", note: "ms over MCP, median" },
  { key: "callMs", title: "one tool call", note: "ms, of 200 in sequence" },
  { key: "atOnceMs", title: "100 calls at once", note: "ms, each takes 50 ms" },
  { key: "filterMs", title: "10 MB to 5 rows", note: "ms, in the program" },
];

export const drawPeers = (results) => {
  const peers = listPeers(results);
  const ours = peers.find(({ isOurs }) => isOurs);
  const shown = measures.filter(({ key }) => ours[key] !== undefined);
  const rows = peers.map((peer) => ({
    name: peer.name,
    isOurs: peer.isOurs === true,
    panels: shown.map(({ key }) =>
      peer[key] === undefined
        ? []
        : [
            {
              value: peer[key],
              label: `${figure(peer[key])}${raisedMark(peer, key)}`,
              className: peer.isOurs === true ? "ours" : "other",
            },
          ],
    ),
  }));
  return drawDotPlot({
    title: "Speed, side by side",
    subtitle: `Further left is faster; logarithmic axes; † limits raised; npm run bench -- peers, ${results.speed.date}`,
    description: peers
      .map(
        (peer) =>
          `${peer.name}: ${shown.map(({ key, title }) => `${title} ${figure(peer[key])} ms`).join(", ")}.`,
      )
      .join(" "),
    panels: shown,
    rows,
    nameWidth: 240,
    width: 900,
  });
};

const toTable = (head, rows) =>
  [
    `| ${head.join(" | ")} |`,
    `|---|${head
      .slice(1)
      .map(() => "--:|")
      .join("")}`,
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
  ].join("\n");

const nameOf = ({ name, isOurs }) => (isOurs ? `**${name}**` : name);

export const toPeerList = (results) =>
  [
    "| system | version | kind | where programs run |",
    "|---|---|---|---|",
    ...listPeers(results).map(
      (peer) => `| ${nameOf(peer)} | ${peer.version ?? "this one"} | ${peer.kind} | ${peer.engine} |`,
    ),
  ].join("\n");

export const toSpeedTable = (results) =>
  toTable(
    [
      "ms",
      "ready to answer",
      "`return 1`, p50",
      "p95",
      "runs per second",
      "one tool call",
      "100 calls of 50 ms at once",
      "10 MB filtered to 5 rows",
    ],
    listPeers(results).map((peer) => [
      nameOf(peer),
      ...["readyMs", "runMs", "slowRunMs", "runsPerSecond", "callMs", "atOnceMs", "filterMs"].map(
        (key) => `${figure(peer[key])}${raisedMark(peer, key)}`,
      ),
    ]),
  );

const seconds = (ms) => (ms === undefined ? "–" : ms === null ? "no answer" : `${figure(ms)} ms`);
const effect = (probe) => {
  if (probe === undefined) return "–";
  const calls = probe.calls === 1 ? "1 call made" : `${probe.calls} calls made`;
  return `${calls}, ${probe.isError ? "error reported" : "no error"}`;
};

export const toBehaviorTable = (results) =>
  toTable(
    [
      "",
      "endless loop, limit 2 s: answered after",
      "a ping meanwhile",
      "misspelled argument",
      "wrong result field after a write",
    ],
    listPeers(results)
      .filter(({ misspelt }) => misspelt !== undefined)
      .map((peer) => [
        nameOf(peer),
        seconds(peer.loopMs),
        seconds(peer.pingMs),
        effect(peer.misspelt),
        effect(peer.wrongField),
      ]),
  );

export const toContextTable = (results) =>
  toTable(
    ["", `tokens of ${results.context.servers} servers, ${count(results.context.tools)} tools`],
    [
      ["every tool, directly", count(results.context.tokens)],
      ...listPeers(results)
        .filter(({ tokens }) => tokens !== undefined)
        .map((peer) => [nameOf(peer), count(peer.tokens)]),
    ],
  );

/** When and how it was measured: one sentence for one complete run, else one for each part. */
export const toDateLine = ({ speed, behavior, context }) =>
  new Set([speed.date, behavior.date, context.date]).size === 1
    ? `Measured on ${speed.date}, all systems in one run: ${speed.conditions}.`
    : `Speed: ${speed.date}, ${speed.conditions}. Behavior: ${behavior.date}, ${behavior.conditions}. Context: ${context.date}.`;

const percent = (share) => `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;
/** The smallest and the largest of some figures, as a range. */
const range = (values, show) => {
  const [low, high] = [Math.min(...values), Math.max(...values)].map(show);
  return low === high ? low : `${low} to ${high}`;
};

/** The table of alternatives: what each does, and a figure. */
export const toAlternatives = ({ tasks }, results) => {
  const peers = listPeers(results);
  const task = (wanted) => tasks.find(({ name }) => name === wanted);
  const ours = peers.find(({ isOurs }) => isOurs);
  const mcporter = peers.find(({ name }) => name.startsWith("mcporter"));
  const others = peers.filter(({ isOurs, kind }) => !isOurs && (kind === "gateway" || kind === "library"));
  const single = task("single-call");
  const withoutDefinitions = ["move-document", "fifty-documents", "large-sheet"].map(
    (name) => task(name).savedWithoutDefinitions,
  );
  const atOnce = others.map(({ atOnceMs }) => atOnceMs).filter((value) => value !== undefined);
  const sent = (mistake) => others.filter((peer) => peer[mistake]?.calls > 0).length;
  const rows = [
    [
      "direct calls",
      "Best for one small call. Otherwise every definition and every result passes through the model.",
      `one small call: ${count(single.direct.total)} tokens, with us ${count(single.code.default.total)} (\`npm run bench:tokens\`)`,
    ],
    [
      "deferred tool loading of clients",
      "The model loads only the definitions it needs. Results still pass through the model.",
      `against direct calls that need no definitions at all, a program still saves ${range(withoutDefinitions, percent)} on three tasks (\`npm run bench:tokens\`)`,
    ],
    [
      "mcporter",
      "A bridge, command line and typed client for your own code. As a server, it shows the agent every tool and runs no programs.",
      `${count(results.context.servers)} servers: ${count(mcporter.tokens)} tokens in the context, with us ${count(ours.tokens)} (\`npm run bench -- peers\`)`,
    ],
    [
      "Docker's MCP toolkit",
      "Runs servers in containers behind one gateway. You can use both: its gateway is then one of your servers.",
      "not measured, because it needs Docker",
    ],
    [
      "other code-mode systems",
      "The same idea. We also check types before the first call, isolate by process, resume failed runs, and run TypeScript and Python.",
      [
        `a misspelled argument: ${sent("misspelt")} of ${others.length} sent it to the server`,
        `a wrong field after a write: ${sent("wrongField")} of ${others.length} made the write`,
        `both mistakes with us: ${ours.misspelt.calls + ours.wrongField.calls} calls`,
        `100 calls of 50 ms at once: ${figure(ours.atOnceMs)} ms, the others ${range(atOnce, figure)} ms (\`npm run bench -- peers\`)`,
      ].join("<br>"),
    ],
  ];
  return [
    "| alternative | what it does | measured |",
    "|---|---|---|",
    ...rows.map(([name, text, figures]) => `| **${name}** | ${text} | ${figures} |`),
  ].join("\n");
};
