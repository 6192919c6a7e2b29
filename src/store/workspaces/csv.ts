// Tables as text: rows of a CSV file as records, and back. RFC 4180, with the quotes that spreadsheets write.
import { CoordinatorError, type Json, type JsonObject } from "../../contracts/index.js";

/** The cells of every row. A line break inside quotes belongs to its cell. */
const readRows = (text: string): readonly (readonly string[])[] => {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endRow = (): void => {
    row.push(cell);
    rows.push(row);
    row = [];
    cell = "";
  };
  for (let at = text.startsWith("\ufeff") ? 1 : 0; at < text.length; at++) {
    const sign = text[at];
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else isQuoted = false;
    } else if (sign === '"' && cell === "") isQuoted = true;
    else if (sign === ",") {
      row.push(cell);
      cell = "";
    } else if (sign === "\n" || sign === "\r") {
      if (sign === "\r" && text[at + 1] === "\n") at++;
      endRow();
    } else cell += sign;
  }
  if (isQuoted)
    throw new CoordinatorError("FILE_FAILED", "Cannot read the table: a quoted cell has no end", {
      details: { errno: "EINVAL" },
    });
  if (cell !== "" || row.length > 0) endRow();
  return rows.filter((cells) => cells.length > 1 || cells[0] !== "");
};

/** The rows below the header, as records of texts. */
export const parseCsv = (text: string): readonly Readonly<Record<string, string>>[] => {
  const [header = [], ...rows] = readRows(text);
  return rows.map((cells) => Object.fromEntries(header.map((name, column) => [name, cells[column] ?? ""])));
};

const toCell = (value: Json | undefined): string => {
  if (value === undefined || value === null) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Records as a table: the header has every field, in the order in which they first occur. */
export const renderCsv = (records: readonly JsonObject[]): string => {
  const header = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const lines = [header, ...records.map((record) => header.map((name) => record[name]))];
  return lines.map((cells) => `${cells.map(toCell).join(",")}\n`).join("");
};
