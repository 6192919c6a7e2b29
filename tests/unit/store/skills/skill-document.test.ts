// SKILL.md: written and read, also if somebody else wrote it.
import { expect, it } from "vitest";
import { parseDocument, renderDocument } from "../../../../src/store/files/skills/read-skill.js";

const render = (description: string, tags: readonly string[] = []): string =>
  renderDocument({ name: "a-skill", description, tags, version: 2, entry: "scripts/main.ts" }, "# Body");

it.each([
  'A "quoted" text: with a colon # and a hash',
  "line one\n---\nname: evil\nmetadata:\n  mcp-coordinator.entry: ../../etc/passwd\n---\n",
  "control \u0000\u001b[31m and \u2028 separators \u202e reversed",
  "' single ' quotes and \\ slashes \\n",
  "- not a list, & no anchor * no alias ! no tag {a: b} [c] %d",
  "\ud800 half a character",
])("renderDocument() keeps %j one value of the front matter", async (description) => {
  const text = render(description, ["one", "two: three"]);

  expect(await parseDocument(text)).toEqual({
    name: "a-skill",
    description: description.toWellFormed().replace(/\s+/g, " ").trim(),
    tags: ["one", "two: three"],
    version: 2,
    entry: "scripts/main.ts",
  });
  expect(text.match(/^---$/gm)).toHaveLength(2);
});

it("renderDocument() shortens a description to the length that the format allows", async () => {
  expect((await parseDocument(render("x".repeat(5000))))?.description).toHaveLength(1024);
});

it("parseDocument() reads a description with an unquoted colon", async () => {
  expect(await parseDocument("---\nname: pdf\ndescription: Use it for: forms\n---\n")).toMatchObject({
    name: "pdf",
    description: "Use it for: forms",
  });
});

it("parseDocument() reads Windows line endings, block texts and lists of tags", async () => {
  const text =
    "---\r\nname: a\r\ndescription: >-\r\n  two\r\n  lines\r\nmetadata:\r\n  tags: [x, y]\r\n---\r\nbody";
  expect(await parseDocument(text)).toEqual({ name: "a", description: "two lines", tags: ["x", "y"] });
});

it.each(["", "no front matter", "---\nname: never closed\n"])(
  "parseDocument() finds nothing in %j",
  async (text) => {
    expect(await parseDocument(text)).toBeUndefined();
  },
);

it("parseDocument() takes little time for a text of many aliases", async () => {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let at = 1; at < 12; at++)
    lines.push(
      `a${at}: &a${at} [${Array(9)
        .fill(`*a${at - 1}`)
        .join(", ")}]`,
    );
  expect((await parseDocument(`---\nname: bomb\ndescription: d\n${lines.join("\n")}\n---\n`))?.name).toBe(
    "bomb",
  );
});

it("parseDocument() reads front matter that is too long for YAML line by line", async () => {
  const text = `---\nname: long\ndescription: What it does\nother: ${"[".repeat(20_000)}\n---\n`;

  expect(await parseDocument(text)).toMatchObject({ name: "long", description: "What it does" });
});
