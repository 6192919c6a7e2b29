// Parses CSV into records and formats records as CSV. RFC 4180, with the quotes that spreadsheets write.

const { isArray } = Array;
const { fromEntries, keys } = Object;
const { stringify } = JSON;

/** The cells of every row. A line break inside quotes belongs to its cell. @param {string} text */
const readRows = (text) => {
  /** @type {string[][]} */
  const rows = [];
  let row = /** @type {string[]} */ ([]);
  let cell = "";
  let isQuoted = false;
  const endRow = () => {
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
  if (isQuoted) throw new SyntaxError("Cannot read the table: a quoted cell is not closed");
  if (cell !== "" || row.length > 0) endRow();
  return rows.filter((cells) => cells.length > 1 || cells[0] !== "");
};

/** The rows below the header, as records of strings. @param {string} text */
export const parseCsv = (text) => {
  const [header = [], ...rows] = readRows(text);
  return rows.map((cells) => fromEntries(header.map((name, column) => [name, cells[column] ?? ""])));
};

const toCell = (/** @type {unknown} */ value) => {
  if (value === undefined || value === null) return "";
  const isPlain = typeof value === "object" && !(value instanceof Date);
  const text = isPlain ? stringify(value) : value instanceof Date ? value.toISOString() : `${value}`;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/**
 * Records as CSV: the header has every field, in order of first occurrence. Rows that are arrays are written as they are.
 * @param {readonly any[]} rows
 */
export const renderCsv = (rows) => {
  const isListed = rows.length > 0 && rows.every((row) => isArray(row));
  const header = isListed ? [] : [...new Set(rows.flatMap((row) => keys(row)))];
  const lines = isListed ? rows : [header, ...rows.map((row) => header.map((name) => row[name]))];
  return lines.map((cells) => `${cells.map(toCell).join(",")}\n`).join("");
};
