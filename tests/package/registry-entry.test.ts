// The entry of the MCP registry, against the rules of its schema of 2025-12-11 that concern us, written here in our own words.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const { toRegistryEntry, toManifest } = (await import(
  new URL("../../scripts/bundle-files.mjs", import.meta.url).href
)) as {
  readonly toRegistryEntry: (facts: object) => Record<string, unknown> & {
    readonly packages: readonly Record<string, unknown>[];
  };
  readonly toManifest: (facts: object, platform: string) => Record<string, unknown>;
};
const facts = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as Record<
  string,
  string
>;
const entry = toRegistryEntry(facts);

it("the registry's entry has the name in package.json, and follows the registry's rules", () => {
  expect(entry.name).toBe(facts.mcpName);
  expect(entry.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(String(entry.name).length).toBeLessThanOrEqual(200);
  expect(String(entry.description).length).toBeLessThanOrEqual(100);
  expect(String(entry.title).length).toBeLessThanOrEqual(100);
  expect(entry.version).toBe(facts.version);
  const [npm, ...others] = entry.packages;
  expect(others).toEqual([]);
  expect(npm).toMatchObject({
    registryType: "npm",
    identifier: facts.name,
    version: facts.version,
    transport: { type: "stdio" },
  });
  const given = (npm?.packageArguments ?? []) as readonly Record<string, unknown>[];
  expect(given).toHaveLength(2);
  for (const argument of given) {
    if (argument.type === "positional")
      expect(argument.value ?? argument.valueHint).toEqual(expect.any(String));
    else expect(argument).toMatchObject({ type: "named", name: expect.stringMatching(/^--/) });
  }
});

it("package.json names the repository of the account that the registry's name belongs to", () => {
  const { homepage, bugs, repository } = facts as unknown as {
    readonly homepage: string;
    readonly bugs: string;
    readonly repository: { readonly url: string };
  };
  const [account, name] = String(entry.name)
    .replace(/^io\.github\./, "")
    .split("/");
  const address = `https://github.com/${account}/${name}`;

  expect(repository.url).toBe(`git+${address}.git`);
  expect(bugs).toBe(`${address}/issues`);
  expect(homepage).toBe(`${address}#readme`);
});

it("server.json is what the script generates from package.json", () => {
  const written: unknown = JSON.parse(readFileSync(new URL("../../server.json", import.meta.url), "utf8"));
  expect(written).toEqual(entry);
});

it("the bundle's manifest has the same metadata as package.json", () => {
  expect(toManifest(facts, "linux")).toMatchObject({
    name: facts.name,
    version: facts.version,
    description: facts.description,
    compatibility: {
      platforms: ["linux"],
      runtimes:
        facts.engines === undefined ? {} : { node: (facts.engines as unknown as { node: string }).node },
    },
  });
});
