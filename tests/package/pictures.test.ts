// The pictures and the tables of figures are what "npm run pictures" writes from the stored results.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8").replaceAll("\r\n", "\n");
const { makePictureFiles } = (await import(
  new URL("../../scripts/pictures/picture-files.mjs", import.meta.url).href
)) as { readonly makePictureFiles: (folder: string) => Record<string, string> };

const files = makePictureFiles(root);

const listPages = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => join(folder, path));

test.each(Object.keys(files))('%s is what "npm run pictures" writes', (path) => {
  expect(read(path), 'run "npm run pictures" and commit what it writes').toBe(files[path]);
});

describe.each(readdirSync(join(root, "docs/pictures")))("docs/pictures/%s", (name) => {
  const picture = read(`docs/pictures/${name}`);

  it("is smaller than 60 KB", () => {
    expect(picture.length).toBeLessThan(60_000);
  });

  it("has a title and a description", () => {
    expect(picture).toMatch(/<title id="title">[^<]+<\/title>\n<desc id="description">[^<]+<\/desc>/);
  });

  it("has no scripts and loads nothing", () => {
    expect(picture).not.toMatch(/<script|<image|<foreignObject|@import|@font-face|href=|url\((?!#)|\son\w+=/);
  });

  it("shows no path of a machine", () => {
    expect(picture).not.toMatch(/\/(?:home|root|work|tmp|Users)\//);
  });
});

test("every picture is shown in a document, with an alternative text", () => {
  const documents = ["README.md", ...["docs", "benchmarks"].flatMap(listPages)].map(read).join("\n");
  for (const name of readdirSync(join(root, "docs/pictures")))
    expect(documents).toMatch(new RegExp(`!\\[[^\\]]{20,}\\]\\([^)]*pictures/${name}\\)`));
});
