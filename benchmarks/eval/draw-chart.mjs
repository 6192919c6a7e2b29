// A bar chart as SVG: two bars per task, readable on light and dark pages.

const colors = { direct: "#8a8f98", code: "#2f81f7" };
const labels = { direct: "direct calls", code: "programs" };
const rowHeight = 26;
const left = 170;
const width = 760;
const right = 90;

const toSafeText = (text) => String(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** `rows`: `{ name, direct, code }`; a missing figure has no bar. */
export const drawChart = ({ title, rows, format = (value) => value.toLocaleString("en-US") }) => {
  const top = 58;
  const height = top + rows.length * rowHeight + 10;
  const largest = Math.max(1, ...rows.flatMap(({ direct, code }) => [direct ?? 0, code ?? 0]));
  const scale = (width - left - right) / largest;
  const bar = (value, mode, y) =>
    value === undefined
      ? ""
      : `<rect x="${left}" y="${y}" width="${Math.max(1, value * scale).toFixed(1)}" height="9" rx="2" fill="${colors[mode]}"/><text x="${(left + Math.max(1, value * scale) + 5).toFixed(1)}" y="${y + 8}" class="figure">${toSafeText(format(value))}</text>`;
  const lines = rows.map(({ name, direct, code }, at) => {
    const y = top + at * rowHeight;
    return `<text x="${left - 8}" y="${y + 13}" class="name">${toSafeText(name)}</text>${bar(direct, "direct", y)}${bar(code, "code", y + 10)}`;
  });
  const legend = Object.entries(labels).map(
    ([mode, label], at) =>
      `<rect x="${left + at * 120}" y="34" width="10" height="10" rx="2" fill="${colors[mode]}"/><text x="${left + at * 120 + 15}" y="43" class="figure">${label}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${toSafeText(title)}">
<style>text{font:12px system-ui,sans-serif;fill:#57606a}.title{font-weight:600;font-size:14px}.name{text-anchor:end}.figure{font-size:11px}@media (prefers-color-scheme:dark){text{fill:#9da7b3}}</style>
<text x="8" y="22" class="title">${toSafeText(title)}</text>
${[...legend, ...lines].join("\n")}
</svg>
`;
};
