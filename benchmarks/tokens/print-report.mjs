// The figures as tables for people.

const show = (figure) => figure.toLocaleString("en-US");
const percent = (share) => `${(share * 100).toFixed(1)} %`;

const printTable = (head, rows) => {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  for (const row of all)
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
        .join("  "),
    );
};

const columns = ["definitions", "discovery", "program", "calls", "results", "turns", "largest", "total"];

const printTask = ({ title, direct, code, saved, isOfSeeds }) => {
  console.log(`\n${title}${isOfSeeds ? " (of the seed documents)" : ""}`);
  const verdict = saved.total < 0 ? " DIRECT CALLING WINS" : "";
  const bare = isOfSeeds
    ? ` (${percent(saved.withoutDefinitions)} if direct calls needed no definitions)`
    : "";
  printTable(
    ["", ...columns],
    [
      ["direct", ...columns.map((column) => show(direct[column]))],
      ["code", ...columns.map((column) => show(code[column]))],
    ],
  );
  console.log(
    `saved: ${percent(saved.largest)} of the largest context, ${percent(saved.total)} of the sum over turns${bare}${verdict}`,
  );
};

const printRenderings = (renderings) => {
  console.log("\nRenderings of a whole catalogue");
  const kinds = ["tools", "json", "requiredOnly", "declarations", "signatures", "names", "fiveHits"];
  printTable(
    ["", "tools", "JSON", "required only", "declarations", "signatures", "names", "5 hits"],
    renderings.map(({ name, figures }) => [name, ...kinds.map((kind) => show(figures[kind]))]),
  );
};

export const printReport = ({ tasks, renderings, skipped, goal }) => {
  console.log(
    "Tokens (o200k), direct calls against programs. A turn is one call of the model; it reads everything said before again.",
  );
  for (const task of tasks) printTask(task);
  if (renderings.length > 0) printRenderings(renderings);
  const seeds = tasks.filter(({ isOfSeeds }) => isOfSeeds);
  if (seeds.length > 0) {
    const worst = Math.min(...seeds.flatMap(({ saved }) => [saved.largest, saved.total]));
    console.log(
      `\nWorkloads of the seed documents: at least ${percent(worst)} saved, goal ${percent(goal)}: ${worst >= goal ? "met" : "MISSED"}`,
    );
  }
  const lost = tasks.filter(({ saved }) => saved.total < 0);
  if (lost.length > 0)
    console.log(`Direct calling is cheaper for: ${lost.map(({ name }) => name).join(", ")}`);
  for (const line of skipped) console.log(`Skipped: ${line}`);
};
