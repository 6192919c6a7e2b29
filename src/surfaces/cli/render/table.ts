// Rows as aligned columns that fit the terminal.
import { cut, pad, toOneLine, widthOf } from "./plain-text.js";

export interface TableOptions {
  readonly columns: number;
  readonly head?: readonly string[] | undefined;
  readonly style?: ((row: "head" | "body", column: number, text: string) => string) | undefined;
  /** Columns to shrink, in order; by default the last one. */
  readonly flexible?: readonly number[] | undefined;
}

const gap = "  ";
const smallest = 8;

const totalOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1));

/** The lines of a table. Long texts end with "…". */
export const renderTable = (
  rows: readonly (readonly string[])[],
  { columns, head, style = (_row, _column, text) => text, flexible }: TableOptions,
): readonly string[] => {
  const body = rows.map((row) => row.map(toOneLine));
  const all = head === undefined ? body : [head, ...body];
  const whole = Math.max(0, ...all.map((row) => row.length));
  const widths = Array.from({ length: whole }, (_, column) =>
    Math.max(0, ...all.map((row) => widthOf(row[column] ?? ""))),
  );
  for (const column of flexible ?? [whole - 1]) {
    const total = totalOf(widths);
    const width = widths[column] ?? 0;
    if (total > columns) widths[column] = Math.max(Math.min(width, smallest), width - (total - columns));
  }
  // If the screen is too narrow for all columns, show the first ones in full rather than all of them cut.
  while (widths.length > 2 && totalOf(widths) > columns) widths.pop();
  const count = widths.length;
  return all.map((row, index) => {
    const kind = head !== undefined && index === 0 ? "head" : "body";
    return widths
      .map((width, column) => {
        const text = cut(row[column] ?? "", width);
        return style(kind, column, column === count - 1 ? text : pad(text, width));
      })
      .join(gap)
      .trimEnd();
  });
};
