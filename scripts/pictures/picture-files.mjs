// Everything that is drawn or written from stored figures and documents. `npm run pictures` writes it; a test compares it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { replacePart } from "../generated-files.mjs";
import {
  drawPeers,
  toAlternatives,
  toBehaviorTable,
  toContextTable,
  toDateLine,
  toPeerList,
  toSpeedTable,
} from "./peer-chart.mjs";
import { drawRun } from "./run-diagram.mjs";
import { drawTokens, toAllTokens, toTokenTable } from "./token-chart.mjs";

/** Path → content. */
export const makePictureFiles = (folder) => {
  const read = (path) => readFileSync(join(folder, path), "utf8").replaceAll("\r\n", "\n");
  const tokens = JSON.parse(read("benchmarks/tokens/results.json"));
  const peers = JSON.parse(read("benchmarks/peers/results.json"));
  const withParts = (path, parts) =>
    Object.entries(parts).reduce(
      (text, [name, content]) => replacePart(text, name, content, "npm run pictures"),
      read(path),
    );
  return {
    "docs/pictures/tokens.svg": drawTokens(tokens),
    "docs/pictures/speed.svg": drawPeers(peers),
    "docs/pictures/one-run.svg": drawRun(read("docs/architecture.md")),
    "README.md": withParts("README.md", { tokens: toTokenTable(tokens) }),
    "benchmarks/tokens/README.md": withParts("benchmarks/tokens/README.md", { tokens: toAllTokens(tokens) }),
    "docs/comparison.md": withParts("docs/comparison.md", {
      date: toDateLine(peers),
      alternatives: toAlternatives(tokens, peers),
      systems: toPeerList(peers),
      speed: toSpeedTable(peers),
      behavior: toBehaviorTable(peers),
      context: toContextTable(peers),
    }),
  };
};
