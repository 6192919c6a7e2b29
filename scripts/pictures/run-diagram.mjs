// Draws a run: from the agent through the host and its sandbox to the servers, and back. The steps are those of docs/architecture.md.
import { toPicture, toText } from "./svg.mjs";

const [width, height] = [900, 330];

/** Middleware that decides nothing about a call, so that the picture leaves it out. */
const plumbing = new Set(["answerFailures", "checkStopped", "refusals", "questions", "decisions"]);
const shownNames = { follow: "journal" };

/** The steps of a run and the stages of a call, as the page names them. */
const readSteps = (architecture) => {
  const steps = /\*\*(admit(?: → \w+)+)\*\*/.exec(architecture)?.[1]?.split(" → ");
  const [table = ""] = architecture.split("### The middleware of the bridge")[1]?.split("\n#") ?? [];
  const stages = [...table.matchAll(/^\| `(\w+)` \|/gm)]
    .filter(([, name]) => !plumbing.has(name))
    .map(([, name]) => shownNames[name] ?? name);
  if (steps === undefined || stages.length < 5)
    throw new Error("Cannot draw the run: docs/architecture.md names no steps of a run or no middleware");
  return { steps, stages };
};

const box = ({ x, y, wide, high, title, lines, className = "box" }) => [
  `<rect class="${className}" x="${x}" y="${y}" width="${wide}" height="${high}" rx="8"/>`,
  toText(x + wide / 2, y + 24, title, "strong middle"),
  ...lines.map((line, at) => toText(x + wide / 2, y + 46 + at * 18, line, "small dim middle")),
];

/** A row of chips; the one that is `marked` is where a wrong program is refused. */
const chips = (x, y, names, wide, marked) =>
  names.flatMap((name, at) => [
    `<rect class="box" x="${x + at * wide}" y="${y}" width="${wide - 8}" height="26" rx="13"/>`,
    toText(
      x + at * wide + (wide - 8) / 2,
      y + 17,
      name,
      name === marked ? "small strong middle" : "small middle",
    ),
  ]);

const arrow = (fromX, fromY, toX, toY, label, labelX, labelY, anchor = "middle") => [
  `<line class="flow" stroke-width="2" marker-end="url(#head)" x1="${fromX}" y1="${fromY}" x2="${toX}" y2="${toY}"/>`,
  ...(label === "" ? [] : [toText(labelX, labelY, label, `small dim ${anchor}`)]),
];

export const drawRun = (architecture) => {
  const { steps, stages } = readSteps(architecture);
  const stepWidth = (width - 48 - 240) / steps.length;
  const stageWidth = 440 / Math.ceil(stages.length / 2);
  const half = Math.ceil(stages.length / 2);
  const body = [
    `<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="ours" d="M0 0 8 4 0 8z"/></marker></defs>`,
    toText(24, 34, "One run", "head"),
    ...box({ x: 24, y: 60, wide: 150, high: 66, title: "agent", lines: ["writes one program"] }),
    `<rect class="box" x="232" y="52" width="644" height="84" rx="8"/>`,
    toText(246, 72, "run_code", "strong"),
    toText(862, 72, "a wrong program is refused at check: nothing was called", "small dim end"),
    ...chips(246, 88, steps, stepWidth, "check"),
    ...arrow(174, 84, 230, 84, "program", 202, 76),
    ...arrow(232, 112, 177, 112, "result", 204, 128),
    ...box({
      x: 24,
      y: 190,
      wide: 190,
      high: 112,
      title: "sandbox",
      className: "box",
      lines: [
        "the program, in a fresh isolate",
        "in a locked-down process;",
        "intermediate results stay here",
      ],
    }),
    ...arrow(232, 138, 150, 187, "execute", 182, 158, "end"),
    `<rect class="box" x="272" y="190" width="470" height="112" rx="8"/>`,
    toText(286, 212, "bridge: every call passes", "strong"),
    ...chips(286, 226, stages.slice(0, half), stageWidth, ""),
    ...chips(286, 262, stages.slice(half), stageWidth, ""),
    ...arrow(214, 234, 269, 234, "call", 242, 226),
    ...arrow(272, 266, 217, 266, "answer", 244, 282),
    ...box({ x: 790, y: 190, wide: 86, high: 112, title: "servers", lines: ["your own,", "unchanged"] }),
    ...arrow(742, 234, 787, 234, "", 0, 0),
    ...arrow(790, 266, 745, 266, "", 0, 0),
  ];
  return toPicture({
    width,
    height,
    title: "One run",
    description: `The agent sends a program to run_code, which takes these steps: ${steps.join(", ")}. The program runs in a sandbox. Each of its calls passes through the bridge (${stages.join(", ")}) to your MCP servers. Only the result goes back to the agent.`,
    body,
  });
};
