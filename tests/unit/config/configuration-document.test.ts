// docs/configuration.md says what the code does: its tables and its examples.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { settingsSchema } from "../../../src/config/settings-schema.js";
import { limitTable } from "../../../src/contracts/index.js";
import { openProject } from "./open-project.js";

const document = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8");

/** The rows of the table that follows a text, each a list of cells. */
const readTable = (after: string): readonly (readonly string[])[] => {
  const lines = document.slice(document.indexOf(after)).split("\n");
  const start = lines.findIndex((line) => line.startsWith("| ---")) + 1;
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
  return lines.slice(start, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
};

const row = (name: string, fallback: number, maximum: number, meaning: string): readonly string[] => [
  `\`${name}\``,
  fallback.toLocaleString("en-US"),
  maximum.toLocaleString("en-US"),
  meaning,
];

describe("docs/configuration.md", () => {
  it("shows the table of limits", () => {
    const wanted = Object.entries(limitTable).map(([name, limit]) =>
      row(name, limit.default, limit.maximum, limit.meaning),
    );
    expect(readTable("`limits` —")).toEqual(wanted);
  });

  it("shows the table of timeouts", () => {
    const { timeouts } = settingsSchema.shape;
    const schema = z.toJSONSchema(timeouts, { io: "input" });
    const wanted = Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const { default: fallback, maximum, description } = property as z.core.JSONSchema.BaseSchema;
      return row(name, Number(fallback), Number(maximum), String(description));
    });
    expect(readTable("`timeouts` —")).toEqual(wanted);
  });

  it("names every setting", () => {
    const others = Object.keys(settingsSchema.shape).filter((name) => !["limits", "timeouts"].includes(name));
    expect(readTable("Others:").map(([name]) => name)).toEqual(others.map((name) => `\`${name}\``));
  });

  it("has examples that load without a problem", async () => {
    const examples = [...document.matchAll(/^```json\n(.*?)^```/gms)].map(([, text = ""]) => text);
    expect(examples.length).toBeGreaterThan(2);
    for (const example of examples) {
      const { load } = openProject({ "project/mcp.json": example });
      const { servers } = await load({ environment: { GITHUB_TOKEN: "x", NOTES_TOKEN: "x" } });
      expect(servers.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    }
  });
});
