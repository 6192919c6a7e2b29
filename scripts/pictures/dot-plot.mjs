// Draws values on logarithmic axes: a row per name, a panel per measure. Dots, because a bar has no honest length on such an axis.
import { toPicture, toText } from "./svg.mjs";

const rowHeight = 26;
const margin = 24;

const toScale = (values, from, to) => {
  const [low, high] = [Math.min(...values), Math.max(...values)].map(Math.log10);
  const span = high - low || 1;
  return (value) => Math.round((from + ((Math.log10(value) - low) / span) * (to - from)) * 10) / 10;
};

/** Numbers need more contrast than dots. */
const toTextClass = (className) => (className === "other" ? "dim" : `${className} strong`);

/** A vertical line with a label at each power of ten between the values. */
const drawGrid = (scale, values, top, bottom) => {
  const low = Math.ceil(Math.log10(Math.min(...values)));
  const high = Math.floor(Math.log10(Math.max(...values)));
  return Array.from({ length: Math.max(0, high - low + 1) }, (_, at) => 10 ** (low + at)).flatMap((value) => [
    `<line class="grid" x1="${scale(value)}" y1="${top}" x2="${scale(value)}" y2="${bottom}"/>`,
    toText(scale(value), bottom + 14, value.toLocaleString("en-US"), "tick dim middle"),
  ]);
};

const toDot = (x, y, className) => `<circle class="${className}" cx="${x}" cy="${y}" r="5"/>`;

/** `dots` of a row: { value, label, className }; two dots are joined by a line. */
const drawRow = (scale, y, dots) => {
  const placed = dots.map((dot) => ({ ...dot, x: scale(dot.value) })).sort((one, other) => one.x - other.x);
  const [first, last] = [placed[0], placed.at(-1)];
  const line =
    placed.length < 2
      ? []
      : [`<line class="line" stroke-width="2" x1="${first.x}" y1="${y}" x2="${last.x}" y2="${y}"/>`];
  return [
    ...line,
    ...placed.map(({ x, className }) => toDot(x, y, className)),
    ...placed.map(({ x, label, className }, at) =>
      placed.length > 1 && at === 0
        ? toText(x - 10, y + 4, label, `small end ${toTextClass(className)}`)
        : toText(x + 10, y + 4, label, `small ${toTextClass(className)}`),
    ),
  ];
};

/**
 * `rows`: { name, isOurs, panels: dots[] }, a list of dots for each of `panels` ({ title, note }).
 * A panel without dots shows a dash.
 */
export const drawDotPlot = ({
  title,
  subtitle,
  description,
  panels,
  rows,
  legend = [],
  nameWidth,
  width,
}) => {
  const top = 96;
  const bottom = top + rows.length * rowHeight + 6;
  const panelWidth = (width - nameWidth - margin) / panels.length;
  const body = [toText(margin, 34, title, "head"), toText(margin, 54, subtitle, "dim")];
  for (const [place, { isOurs }] of rows.entries())
    if (isOurs)
      body.push(
        `<rect class="band" x="${margin / 2}" y="${top + 3 + place * rowHeight}" width="${width - margin}" height="${rowHeight}" rx="6"/>`,
      );
  let at = margin + 5;
  if (legend.length > 0)
    for (const { name, className } of legend) {
      body.push(toDot(at, 76, className), toText(at + 12, 80, name, "small"));
      at += 30 + name.length * 6.2;
    }
  for (const [index, panel] of panels.entries()) {
    const left = nameWidth + index * panelWidth;
    if (panel.title !== undefined)
      body.push(toText(left, 78, panel.title, "small strong"), toText(left, 92, panel.note, "small dim"));
    const all = rows.flatMap((row) => row.panels[index].map(({ value }) => value));
    const scale = toScale(all, left + (legend.length > 0 ? 70 : 8), left + panelWidth - 78);
    body.push(...drawGrid(scale, all, top + 2, bottom));
    for (const [place, row] of rows.entries()) {
      const y = top + 16 + place * rowHeight;
      const dots = row.panels[index];
      body.push(
        ...(dots.length === 0 ? [toText(left + 8, y + 4, "–", "small dim")] : drawRow(scale, y, dots)),
      );
    }
  }
  for (const [place, { name, isOurs }] of rows.entries())
    body.push(toText(margin, top + 20 + place * rowHeight, name, isOurs ? "strong" : ""));
  return toPicture({ width, height: bottom + 28, title, description, body });
};
