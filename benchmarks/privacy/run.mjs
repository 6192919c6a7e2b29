// npm run bench -- privacy: what the detectors of personal data find, what they hide by mistake, and how long 1 MB takes.
import { hiddenKinds, hideInText, PrivacyTokenMap } from "../../dist/policy/index.js";
import { findInText } from "../../dist/policy/privacy/find-in-text.js";
import { formatLoad, median, printRows } from "../support/statistics.mjs";
import { hasCorpus, hasSentences, makeRows, measureCorpus, measureSentences } from "./measure.mjs";

const rows = [];
if (hasSentences) {
  const { counts, wrong } = measureSentences(findInText);
  for (const [kind, { found, all }] of counts) {
    const goal = kind === "phone" ? 85 : 100;
    const share = (100 * found) / all;
    rows.push({
      what: `${kind}: ${found} of ${all} found`,
      ours: share,
      unit: "%",
      goal: `${goal} %`,
      isMet: share >= goal,
    });
  }
  rows.push({
    what: "found, but no such value",
    ours: wrong.length,
    unit: "",
    goal: "2",
    isMet: wrong.length <= 2,
  });
} else console.log("Sentences with personal values are not beside the checkout (../shared/policy-data).");
if (hasCorpus) {
  const { leaves, alarms } = measureCorpus({ hideInText, PrivacyTokenMap, hiddenKinds });
  const rate = (10_000 * alarms.length) / leaves;
  rows.push({
    what: `hidden by mistake in 10,000 of ${leaves} technical values`,
    ours: rate,
    unit: "",
    goal: "1",
    isMet: rate <= 1,
  });
  for (const alarm of alarms) console.log(`by mistake: ${alarm}`);
} else console.log("Listings of real servers are not beside the checkout (../shared/corpus).");
const text = makeRows(1_000_000);
const kinds = new Set(hiddenKinds);
const hide = () => hideInText(text, new PrivacyTokenMap(), { kinds, scope: "", origin: "crm" });
/** Processor time, so that other work on the machine does not count. */
const times = Array.from({ length: 20 }, () => {
  const from = process.cpuUsage();
  hide();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
});
// The first rounds warm up.
const time = median(times.slice(5));
rows.push({ what: "1 MB of rows, processor time", ours: time, unit: "ms", goal: "60 ms", isMet: time <= 60 });
printRows(rows);
console.log(formatLoad());
