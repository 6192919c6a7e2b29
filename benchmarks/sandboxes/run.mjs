// npm run bench -- sandboxes [speed] [behavior] [names...]: our sandboxes next to other engines: speed, and behavior under abuse.
import { availableParallelism } from "node:os";
import { installPackages } from "../../scripts/install-packages.mjs";
import { formatLoad, median, printRows, printTable } from "../support/statistics.mjs";
import { behaviors } from "./behaviors.mjs";
import { others } from "./engines/others.mjs";
import { listOurs } from "./engines/ours.mjs";
import { listGoals } from "./goals.mjs";
import { findPython } from "./support/find-python.mjs";
import { runInside } from "./support/run-inside.mjs";

const speedDeadlineMs = 180_000;
const attemptDeadlineMs = 20_000;
const timedTries = 3;
const rounds = 3;
const parts = ["speed", "behavior"];
const words = process.argv.slice(2);
const wantedParts = parts.some((part) => words.includes(part)) ? words : parts;
const wanted = words.filter((word) => !parts.includes(word));
const isWanted = ({ name, language }) =>
  wanted.length === 0 || wanted.some((word) => name.includes(word) || language === word);
const say = (line) => console.log(line);

const listOthers = async () => {
  const found = [];
  for (const engine of others.filter(isWanted)) {
    try {
      if (engine.language === "python") await findPython();
      if (engine.packages !== undefined) await installPackages(engine.packages);
      found.push(engine);
    } catch (error) {
      say(`${engine.name} is left out: ${error.message}`);
    }
  }
  return found;
};

/** What was wrong, or nothing. */
const judge = ({ judge: judgeFacts }, facts) => {
  if (facts.isRunning !== true) return `did not start: ${facts.lastWords}`;
  if (facts.ending !== "finished")
    return facts.ending === "hung" ? "the host hung" : `the host ${facts.ending}`;
  return judgeFacts(facts) ?? (facts.isUsable ? undefined : "no run works after it");
};

const tryBehavior = async (engine, behavior) => {
  let wrong;
  for (let tries = behavior.isTimed ? timedTries : 1; tries > 0; tries--) {
    const facts = await runInside(engine, behavior.name, attemptDeadlineMs);
    wrong = judge(behavior, facts);
    if (wrong === undefined || facts.ending === "hung") break;
  }
  return wrong;
};

const figures = ["freshMs", "pooledMs", "pausedMs", "callUs", "jsonRatio", "runsPerSecond", "computeRatio"];
/** The median of each figure over the rounds, and every failure. */
const joinRounds = (all) => ({
  ...Object.fromEntries(
    figures.map((figure) => {
      const found = all.map((one) => one[figure]).filter((value) => value !== undefined);
      return [figure, found.length === 0 ? undefined : median(found)];
    }),
  ),
  failures: Object.assign({}, ...all.map(({ failures }) => failures)),
  endings: all.map(({ ending }) => ending).filter((ending) => ending !== "finished"),
});

const engines = [...(await listOurs(say)).filter(isWanted), ...(await listOthers())];
const speeds = new Map(engines.map((engine) => [engine, []]));
// In turn, so that other load affects all alike.
for (let round = 1; round <= (wantedParts.includes("speed") ? rounds : 0); round++)
  for (const engine of speeds.keys()) {
    process.stderr.write(`speed, round ${round}: ${engine.name}, ${engine.language}\n`);
    const speed = await runInside(engine, "speed", speedDeadlineMs);
    if (speed.isRunning === true) speeds.get(engine).push(speed);
    else {
      say(`${engine.name} is left out: it ${speed.ending}: ${speed.lastWords}`);
      speeds.delete(engine);
    }
  }
const results = [];
for (const [engine, all] of speeds) {
  const wrongs = new Map();
  if (wantedParts.includes("behavior"))
    process.stderr.write(`behavior: ${engine.name}, ${engine.language}\n`);
  for (const behavior of wantedParts.includes("behavior") ? behaviors : [])
    wrongs.set(behavior.name, await tryBehavior(engine, behavior));
  results.push({ engine, speed: all.length === 0 ? undefined : joinRounds(all), wrongs });
}

const toLabel = ({ name, isOurs }) => (isOurs ? `ours: ${name}` : name);
const show = (value, unit) => (value === undefined ? "–" : `${value.toFixed(value < 10 ? 2 : 0)}${unit}`);
const showSpeed = (some) =>
  printTable([
    [
      "",
      "fresh run ms",
      "from the pool ms",
      "after a pause ms",
      "one call µs",
      "10 MB JSON in",
      "runs/s",
      "compute",
    ],
    ...some.map(({ engine, speed }) => [
      toLabel(engine),
      show(speed.freshMs, ""),
      show(speed.pooledMs, ""),
      show(speed.pausedMs, ""),
      show(speed.callUs, ""),
      show(speed.jsonRatio, "x"),
      show(speed.runsPerSecond, ""),
      show(speed.computeRatio, "x"),
    ]),
  ]);
const showBehavior = (some) =>
  printTable([
    ["", ...behaviors.map(({ name }) => name)],
    ...some.map(({ engine, wrongs }) => [
      toLabel(engine),
      ...[...wrongs.values()].map((wrong) => (wrong === undefined ? "right" : "-")),
    ]),
  ]);
const listTroubles = ({ speed, wrongs }) => [
  ...Object.entries(speed?.failures ?? {}),
  ...(speed?.endings ?? []).map((ending) => ["speed", `the host ${ending}`]),
  ...[...wrongs].filter(([, wrong]) => wrong !== undefined),
];

for (const language of ["typescript", "python"]) {
  const some = results.filter(({ engine }) => engine.language === language);
  if (some.length === 0) continue;
  for (const part of parts.filter((part) => wantedParts.includes(part))) {
    say(`\n${language}: ${part}`);
    if (part === "speed") showSpeed(some);
    else showBehavior(some);
  }
  for (const result of some) {
    const troubles = listTroubles(result).map(([name, trouble]) => `${name}: ${trouble}`);
    if (troubles.length > 0) say(`${toLabel(result.engine)}: ${troubles.join("; ")}`);
  }
}
const goals = results.filter(({ engine }) => engine.isOurs).flatMap(listGoals);
if (goals.length > 0) {
  say("\ngoals of ours");
  printRows(goals);
}
say(
  `${availableParallelism()} cores, ${formatLoad()}; medians of ${rounds} rounds in turn, floors measured in the same process as what they stand beside`,
);
