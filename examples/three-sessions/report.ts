// Third process: writes the results of the first two to a report.
const lines = Object.entries(byCity)
  .sort(([, a], [, b]) => b - a)
  .map(([city, total]) => `${city},${total.toFixed(2)}`);
await workspace.writeText("report.csv", `city,total\n${lines.join("\n")}\n`);
return { orders: found.length, best: lines[0] };
