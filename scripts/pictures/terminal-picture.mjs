// Draws the output of a command as a terminal that scrolls. Without animation it shows the last screen.
import { escapeXml, unescapeXml } from "./svg.mjs";

/** As many rows as the last three sections have: calls, output, tokens. */
const [columns, rows] = [80, 24];
const [cellWidth, lineHeight, margin, barHeight] = [8.4, 19, 18, 34];
const styles = new Map([
  ["1", "b"],
  ["2", "d"],
  ["31", "r"],
  ["32", "g"],
  ["33", "y"],
  ["36", "c"],
]);

/** A line with escape sequences → parts with one style each. */
const readParts = (line) => {
  const active = new Set();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it reads escape sequences
  return line.split(/(\u001b\[[\d;]*m)/).flatMap((part) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it reads escape sequences
    const codes = /^\u001b\[([\d;]*)m$/.exec(part)?.[1];
    if (codes === undefined) return part === "" ? [] : [{ text: part, style: [...active].join(" ") }];
    for (const code of codes.split(";")) {
      if (code === "" || code === "0") active.clear();
      else if (code === "22") for (const name of ["b", "d"]) active.delete(name);
      else if (code === "39") for (const name of ["r", "g", "y", "c"]) active.delete(name);
      else if (styles.has(code)) active.add(styles.get(code));
    }
    return [];
  });
};

/** Words keep their column in any font: each group between wide gaps is positioned separately. */
const toLine = (line, y) => {
  let column = 0;
  const spans = readParts(line).flatMap(({ text, style }) =>
    text.split(/( {2,})/).flatMap((word) => {
      const x = Math.round((margin + column * cellWidth) * 10) / 10;
      column += word.length;
      if (word.trim() === "") return [];
      const indent = word.length - word.trimStart().length;
      const place = Math.round((x + indent * cellWidth) * 10) / 10;
      return [
        `<tspan x="${place}"${style === "" ? "" : ` class="${style}"`}>${escapeXml(word.trimStart())}</tspan>`,
      ];
    }),
  );
  return spans.length === 0 ? "" : `<text y="${y}">${spans.join("")}</text>`;
};

/** Sections begin at bold titles after an empty line. */
const toSections = (lines) => {
  const sections = [[]];
  for (const [at, line] of lines.entries()) {
    if (line === "" && (lines[at + 1] ?? "").startsWith("\u001b[1m")) sections.push([]);
    sections.at(-1).push(line);
  }
  return sections;
};

const percent = (share) => `${Math.round(share * 1000) / 10}%`;

/** The finished screen is shown first, because some viewers show only the first frame. */
const posterSeconds = 2;

/** Each section appears and stays long enough to be read; after the last one, the animation repeats. */
const toTimes = (sections) => {
  let seconds = posterSeconds + 1.2;
  const starts = sections.map((section) => {
    const start = seconds;
    seconds += 1 + section.length * 0.15;
    return start;
  });
  return { starts, total: Math.ceil(seconds + 4) };
};

export const drawTerminal = ({ command, output, title, description }) => {
  const sections = toSections(output.replace(/\s+$/, "").split("\n"));
  sections[0].unshift(`$ \u001b[1m${command}\u001b[22m`);
  const { starts, total } = toTimes(sections);
  const poster = posterSeconds / total;
  const first = barHeight + 24;
  const rules = [];
  const scrolls = [];
  let line = 0;
  const groups = sections.map((section, at) => {
    const body = section
      .map((text, index) => toLine(text, first + (line + index) * lineHeight))
      .filter(Boolean);
    line += section.length;
    const start = starts[at] / total;
    if (at > 0)
      rules.push(
        `@keyframes s${at}{0%,${percent(poster)}{opacity:1}${percent(poster + 0.001)},${percent(start)}{opacity:0}${percent(start + 0.004)},100%{opacity:1}}.s${at}{animation:s${at} ${total}s infinite}`,
      );
    const place = Math.max(0, line - rows) * lineHeight;
    scrolls.push([start, section.length > rows ? (line - section.length) * lineHeight : place, place]);
    return `<g class="s${at}">\n${body.join("\n")}\n</g>`;
  });
  const end = scrolls.at(-1)[2];
  const frames = scrolls.flatMap(([start, top, offset], at) => {
    const before = at === 0 ? 0 : scrolls[at - 1][2];
    // A section that is longer than the screen is shown from its top.
    const stops =
      offset > top
        ? [
            [0, before],
            [0.03, top],
            [0.14, top],
            [0.2, offset],
          ]
        : [
            [0, before],
            [0.03, offset],
          ];
    return stops.map(([share, place]) => `${percent(start + share)}{transform:translateY(-${place}px)}`);
  });
  rules.push(
    `@keyframes scroll{0%,${percent(poster)}{transform:translateY(-${end}px)}${percent(poster + 0.001)}{transform:translateY(0)}${frames.join("")}100%{transform:translateY(-${end}px)}}.scroll{animation:scroll ${total}s infinite}`,
  );
  const width = Math.ceil(columns * cellWidth + 2 * margin);
  const height = barHeight + rows * lineHeight + 20;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">
<title id="title">${escapeXml(title)}</title>
<desc id="description">${escapeXml(description)}</desc>
<style>text{font-size:14px;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;fill:#d1d7e0}.b{font-weight:700;fill:#f0f6fc}.d{fill:#9198a1}.r{fill:#ff7b72}.g{fill:#3fb950}.y{fill:#d29922}.c{fill:#56d4dd}
@media (prefers-reduced-motion:no-preference){${rules.join("\n")}}</style>
<clipPath id="screen"><rect x="0" y="${barHeight + 10}" width="${width}" height="${height - barHeight - 18}"/></clipPath>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="#0d1117" stroke="#3d444d"/>
<circle cx="22" cy="18" r="6" fill="#ff5f57"/><circle cx="42" cy="18" r="6" fill="#febc2e"/><circle cx="62" cy="18" r="6" fill="#28c840"/>
<text class="d" x="${width / 2}" y="23" text-anchor="middle">${escapeXml(command)}</text>
<g clip-path="url(#screen)"><g class="scroll" transform="translate(0 -${end})">
${groups.join("\n")}
</g></g>
</svg>
`;
};

/** The lines of a drawn terminal as text, with single spaces. */
export const readTerminal = (picture) =>
  [...picture.matchAll(/<text y="[\d.]+">(.*?)<\/text>/g)].map(([, inner]) =>
    unescapeXml(
      inner
        .replace(/<tspan[^>]*>/g, " ")
        .replaceAll("</tspan>", "")
        .replace(/\s+/g, " ")
        .trim(),
    ),
  );

/** Up to the client's configuration, which has a path of this machine. */
export const toShownOutput = (output) =>
  output.replaceAll("\r", "").split(/\n[^\n]*For your own client's configuration/)[0];
