// Rows of named texts → a Markdown table with straight columns.

export const formatTable = (rows) => {
  const names = Object.keys(rows[0] ?? {});
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => row[name].length)));
  const toLine = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  return [
    toLine(names),
    toLine(widths.map((width) => "-".repeat(width))),
    ...rows.map((row) => toLine(names.map((name) => row[name]))),
  ].join("\n");
};
