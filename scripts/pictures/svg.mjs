// The parts that all pictures share: escaping, the frame, the colors of light and dark mode.

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export const escapeXml = (text) => text.replace(/[&<>"]/g, (character) => escapes[character]);

export const unescapeXml = (text) =>
  Object.entries(escapes).reduceRight((rest, [character, code]) => rest.replaceAll(code, character), text);

const fonts = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif';

/** One set per mode. The picture has its own background, so it is readable on any page. */
const colors = {
  light: {
    page: "#ffffff",
    edge: "#d1d9e0",
    text: "#1f2328",
    dim: "#59636e",
    ours: "#1a7f37",
    other: "#818b98",
  },
  dark: {
    page: "#0d1117",
    edge: "#3d444d",
    text: "#f0f6fc",
    dim: "#9198a1",
    ours: "#3fb950",
    other: "#656c76",
  },
};

const toRules = ({ page, edge, text, dim, ours, other }) =>
  `.page{fill:${page};stroke:${edge}}text{fill:${text}}.dim{fill:${dim}}.ours{fill:${ours}}.other{fill:${other}}.line{stroke:${edge}}.grid{stroke:${edge};stroke-opacity:.55;stroke-dasharray:2 3}.band{fill:${ours};fill-opacity:.09}.box{fill:none;stroke:${edge}}.flow{stroke:${ours};fill:none}`;

/** A document with a title and a description for readers who do not see it. */
export const toPicture = ({ width, height, title, description, body, style = "" }) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">
<title id="title">${escapeXml(title)}</title>
<desc id="description">${escapeXml(description)}</desc>
<style>text{font-size:13px;font-family:${fonts}}.head{font-size:16px;font-weight:600}.small{font-size:11px}.tick{font-size:10px}.strong{font-weight:600}.end{text-anchor:end}.middle{text-anchor:middle}${toRules(colors.light)}@media (prefers-color-scheme:dark){${toRules(colors.dark)}}${style}</style>
<rect class="page" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${body.join("\n")}
</svg>
`;

export const toText = (x, y, text, className = "") =>
  `<text x="${x}" y="${y}"${className === "" ? "" : ` class="${className}"`}>${escapeXml(text)}</text>`;
