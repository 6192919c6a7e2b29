// docs/configuration.md has examples that load; its tables are compared in tests/package/generated-files.test.ts.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openProject } from "./open-project.js";

const document = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8");

describe("docs/configuration.md", () => {
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
