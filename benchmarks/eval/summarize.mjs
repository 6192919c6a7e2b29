// The figures of the report: totals of each mode over the tasks that ran in both, beside the goals.
import { median } from "../support/statistics.mjs";

/** The goals of the coordinator. */
const goals = { turns: 0.6, inputTokens: 0.1, searches: 1 };

const sum = (results, field) => results.reduce((total, result) => total + (result[field] ?? 0), 0);

const total = (results) => ({
  tasks: results.length,
  successes: results.filter(({ isSuccess }) => isSuccess).length,
  turns: sum(results, "turns"),
  calls: sum(results, "calls"),
  inputTokens: sum(results, "inputTokens"),
  outputTokens: sum(results, "outputTokens"),
  cost: results.every(({ cost }) => cost !== null) ? sum(results, "cost") : null,
  searches: results.length === 0 ? 0 : median(results.map(({ searches }) => searches)),
});

export const summarize = (results) => {
  const ofMode = (mode) => results.filter((result) => result.mode === mode);
  const names = new Set(ofMode("direct").map(({ task }) => task));
  const both = ofMode("code").filter(({ task }) => names.has(task));
  const paired = new Set(both.map(({ task }) => task));
  const direct = total(ofMode("direct").filter(({ task }) => paired.has(task)));
  const code = total(both);
  const ratio = (field) => (direct[field] === 0 ? undefined : code[field] / direct[field]);
  const rows =
    both.length === 0
      ? []
      : [
          {
            what: "success",
            found: `${code.successes} and ${direct.successes} of ${code.tasks}`,
            goal: "at least as many as direct",
            isMet: code.successes >= direct.successes,
          },
          ...["turns", "inputTokens"].map((field) => ({
            what: field === "turns" ? "turns" : "tokens read",
            found: `${ratio(field)?.toFixed(2)}x`,
            goal: `at most ${goals[field]}x`,
            isMet: (ratio(field) ?? 0) <= goals[field],
          })),
          {
            what: "searches per task, median",
            found: String(code.searches),
            goal: `at most ${goals.searches}`,
            isMet: code.searches <= goals.searches,
          },
        ];
  return {
    direct,
    code,
    goals: rows,
    pairs: paired.size,
    all: { direct: total(ofMode("direct")), code: total(ofMode("code")) },
  };
};
