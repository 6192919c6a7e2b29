// Prints the figures as tables.

const show = (figure) => figure.toLocaleString("en-US");
/** Never rounded up. */
const percent = (share) => `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;

const printTable = (head, rows) => {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  for (const row of all)
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
        .join("  ")
        .trimEnd(),
    );
};

const columns = ["definitions", "discovery", "program", "calls", "results", "turns", "largest", "total"];

const printTask = ({ title, direct, code, isOfSeeds }) => {
  console.log(`\n${title}${isOfSeeds ? " (of the reference documents)" : ""}`);
  const cells = (figures) => columns.map((column) => show(figures[column]));
  printTable(
    ["", ...columns, "saved: largest", "total", ""],
    [
      ["direct", ...cells(direct), "", "", ""],
      ...Object.entries(code).map(([surface, figures]) => [
        `code, ${surface}`,
        ...cells(figures),
        percent(figures.saved.largest),
        percent(figures.saved.total),
        figures.saved.total < 0 ? "DIRECT WINS" : "",
      ]),
    ],
  );
};

const printRenderings = (renderings) => {
  console.log("\nRenderings of a whole catalog");
  const kinds = ["tools", "json", "requiredOnly", "declarations", "signatures", "names", "fiveHits"];
  printTable(
    ["", "tools", "JSON", "required only", "declarations", "signatures", "names", "5 hits"],
    renderings.map(({ name, figures }) => [name, ...kinds.map((kind) => show(figures[kind]))]),
  );
};

const printGoal = (seeds, goal) => {
  console.log(`\nThe least that is saved on the workloads of the reference documents, goal ${percent(goal)}`);
  for (const surface of Object.keys(seeds[0].code)) {
    const least = (measure) => Math.min(...seeds.map(({ code }) => code[surface].saved[measure]));
    const judge = (measure) => `${percent(least(measure))} ${least(measure) >= goal ? "met" : "MISSED"}`;
    console.log(
      `  ${surface}: ${judge("largest")} of the largest context, ${judge("total")} of the sum over turns; ${percent(least("withoutDefinitions"))} of that if direct calls needed no definitions`,
    );
  }
};

/** Turns and tokens read over all turns, by the tokens that the catalog may take up front. */
export const printBudgets = (tasks) => {
  const budgets = Object.keys(tasks[0].code).sort((one, other) => one - other);
  const sum = (budget, figure) => tasks.reduce((total, { code }) => total + code[budget][figure], 0);
  const cell = ({ turns, total }) => `${turns} / ${show(total)}`;
  printTable(
    ["turns / tokens over all turns", ...budgets],
    [
      ...tasks.map(({ name, code }) => [name, ...budgets.map((budget) => cell(code[budget]))]),
      ["all", ...budgets.map((budget) => cell({ turns: sum(budget, "turns"), total: sum(budget, "total") }))],
    ],
  );
};

export const printReport = ({ tasks, renderings, skipped, goal }) => {
  console.log(
    "Tokens (o200k), direct calls against programs. A turn is one call of the model; it reads everything said before again.",
  );
  for (const task of tasks) printTask(task);
  if (renderings.length > 0) printRenderings(renderings);
  const seeds = tasks.filter(({ isOfSeeds }) => isOfSeeds);
  if (seeds.length > 0) printGoal(seeds, goal);
  const lost = tasks.filter(({ code }) => Object.values(code).some(({ saved }) => saved.total < 0));
  if (lost.length > 0)
    console.log(`Direct calling is cheaper for: ${lost.map(({ name }) => name).join(", ")}`);
  for (const line of skipped) console.log(`Skipped: ${line}`);
};
