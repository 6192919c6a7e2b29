// Catalogs for codegen's tests: the golden cases, the corpus of real servers, or tools written in a test.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { toServerCatalog } from "../../../src/catalog/index.js";
import type { ListedTool, ServerCatalog, Tool } from "../../../src/contracts/index.js";

const goldenFolder = resolve(import.meta.dirname, "../../golden");

/** Real tool lists, stored beside the checkout and never in it. */
const corpusFolder = resolve(import.meta.dirname, "../../../../shared/corpus/servers");

export const hasCorpus = existsSync(corpusFolder);

export const toCatalog = (server: string, tools: readonly ListedTool[]): ServerCatalog =>
  toServerCatalog({ server, tools, resources: [], resourceTemplates: [], prompts: [] }, server);

/** One tool called `place_order` of the server `shop`. */
export const toTool = (listed: Partial<ListedTool>): Tool => {
  const [tool] = toCatalog("shop", [
    { name: "place_order", inputSchema: { type: "object" }, ...listed },
  ]).tools;
  if (tool === undefined) throw new Error("The catalog is empty");
  return tool;
};

export interface GoldenCase {
  readonly name: string;
  readonly expectedFile: string;
  readonly expectedPythonFile: string;
  readonly catalog: ServerCatalog;
}

/** The folders that are catalogs. */
const listCases = (): readonly string[] =>
  readdirSync(goldenFolder).filter((name) => existsSync(join(goldenFolder, name, "tools.json")));

export const readGoldenCases = (): readonly GoldenCase[] =>
  listCases().map((name) => {
    const tools = JSON.parse(readFileSync(join(goldenFolder, name, "tools.json"), "utf8")) as ListedTool[];
    return {
      name,
      expectedFile: join(goldenFolder, name, "expected.ts"),
      expectedPythonFile: join(goldenFolder, name, "expected.py"),
      catalog: toCatalog(name, tools),
    };
  });

export const readCorpus = (): readonly ServerCatalog[] =>
  readdirSync(corpusFolder).map((file) => {
    const { tools } = JSON.parse(readFileSync(join(corpusFolder, file), "utf8")) as { tools: ListedTool[] };
    return toCatalog(file.replace(/\.json$/, ""), tools);
  });
