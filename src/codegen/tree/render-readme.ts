// The README files of a tree: what is there and how it is used.
import { toPlainLines } from "../typescript/render-comment.js";
import { generatedMarker } from "./generated-file.js";

interface Entry {
  readonly name: string;
  /** Relative to the README. */
  readonly link: string;
  /** A server's words: untrusted. */
  readonly description: string;
}

interface ReadmeOptions {
  readonly title: string;
  /** Markdown of ours. */
  readonly introduction: string;
  readonly entries: readonly Entry[];
}

const longestDescription = 160;

/** One line that Markdown takes as plain words. */
const toPlainText = (text: string): string => {
  const [first = ""] = toPlainLines(text.trimStart(), longestDescription);
  return first.trim().replace(/[\\`*_[\]<>|~#&!]/g, "\\$&");
};

const renderEntry = ({ name, link, description }: Entry): string => {
  const text = toPlainText(description);
  return `- [\`${name}\`](${encodeURI(link)})${text === "" ? "" : `: ${text}`}\n`;
};

/** Names are identifiers; titles and descriptions may be anything. */
export const renderReadme = ({ title, introduction, entries }: ReadmeOptions): string =>
  `<!-- ${generatedMarker} -->\n\n# ${toPlainText(title)}\n\n${introduction}\n\n${entries.map(renderEntry).join("")}`;
