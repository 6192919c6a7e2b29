// Aliases of servers in Python: their configured spelling and a bridge's prefix, never another server's name or a Python built-in.
import { describe, expect, it } from "vitest";
import { toServerIdentifiers } from "../../../../src/catalog/index.js";
import { toPythonAliases } from "../../../../src/codegen/index.js";

const aliasesOf = (...servers: string[]) => {
  const aliases = toPythonAliases(toServerIdentifiers(servers));
  return Object.fromEntries([...aliases].filter(([, server]) => servers.includes(server)));
};

describe("toPythonAliases()", () => {
  it("spells a server as it is configured and in snake_case, with and without the prefix", () => {
    expect(aliasesOf("my-files")).toEqual({ my_files: "my-files", mcp_my_files: "my-files" });
    expect(aliasesOf("semantic_parser")).toEqual({
      semantic_parser: "semantic_parser",
      mcp_semantic_parser: "semantic_parser",
    });
    expect(aliasesOf("github")).toEqual({ mcp_github: "github" });
  });

  it("creates no single word that could be a Python built-in", () => {
    const names = Object.keys(aliasesOf("Print", "class", "Open AI"));

    expect(names).not.toContain("print");
    expect(names).not.toContain("class");
    expect(names).toEqual(expect.arrayContaining(["mcp_print", "open_ai"]));
    expect(names.every((name) => /^[A-Za-z_]\w*$/.test(name))).toBe(true);
  });

  it("leaves a name to the server that owns it", () => {
    expect(aliasesOf("my_files", "my-files")).toMatchObject({
      my_files: "my_files",
      mcp_my_files: "my_files",
    });
    expect(aliasesOf("mcp_github", "github").mcp_github).toBe("mcp_github");
  });

  it("creates aliases for servers that were added later", () => {
    const identifiers = new Map([["one", "one"]]);
    expect([...toPythonAliases(identifiers).keys()]).toEqual(["mcp_one"]);
    identifiers.set("two", "two");
    expect([...toPythonAliases(identifiers).keys()]).toEqual(["mcp_one", "mcp_two"]);
  });
});
