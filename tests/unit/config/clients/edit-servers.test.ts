// Edits of servers in real client files change nothing else in them.
import { describe, expect, it } from "vitest";
import type { FileFormat } from "../../../../src/config/clients/client.js";
import { editServers, listServers, parseClientFile } from "../../../../src/config/clients/edit-servers.js";

const ours = { command: "npx", args: ["-y", "mcp-coordinator", "serve"] };

const json = `// my servers
{
  "theme": "dark", /* kept */
  "mcpServers": {
    // the first
    "one": { "command": "a", "args": ["x"] }, // about one
    // the second
    "two": {
      "command": "b" // inside two
    },
    "three": { "url": "https://example.com/mcp" } // about three
  },
  "last": [1, 2, 3]
}
`;

const toml = `# my settings
model = "o"   # kept

[mcp_servers.one]   # about one
command = "a"
args = ["x"]

[mcp_servers.one.env]
TOKEN = "t"

# the second
[mcp_servers."two words"]
command = '''b'''

[mcp_servers.three]
url = "https://example.com/mcp"

[profiles.fast]
model = "f" # kept too
`;

const yaml = `# my settings
GOOSE_MODEL: "o"   # kept
extensions:
  # the first
  one:
    cmd: a
    args: [x]   # about args
    enabled: true
  # the second
  two:
    cmd: b
    envs:
      TOKEN: 'quoted'

  three: { type: streamable_http, uri: https://example.com/mcp }
last:
- 1
`;

const list = `name: mine
mcpServers:
  # the first
  - name: one
    command: a
  - name: two
    command: b
    args:
      - x
models:
  - name: one # not a server
`;

interface Sample {
  readonly format: FileFormat;
  readonly text: string;
  readonly keys: readonly string[];
  readonly isList?: boolean;
}

const samples: Readonly<Record<string, Sample>> = {
  json: { format: "json", text: json, keys: ["mcpServers"] },
  toml: { format: "toml", text: toml, keys: ["mcp_servers"] },
  yaml: { format: "yaml", text: yaml, keys: ["extensions"] },
  "a yaml list": { format: "yaml", text: list, keys: ["mcpServers"], isList: true },
};

const disguises: Readonly<Record<string, (text: string, format: FileFormat) => string>> = {
  "as it is": (text) => text,
  "with CRLF": (text) => text.replaceAll("\n", "\r\n"),
  "with a byte order mark": (text) => `\ufeff${text}`,
  "without a final newline": (text) => text.trimEnd(),
  "with tabs": (text, format) => (format === "json" ? text.replaceAll("  ", "\t") : text),
  "with trailing commas": (text, format) =>
    format === "json" ? text.replace("} // about three", "}, // about three").replace("3]\n", "3],\n") : text,
  "on one line": (text, format) =>
    format === "json" ? JSON.stringify(JSON.parse(text.replace(/(?<!:)\/\/.*|\/\*.*?\*\//g, ""))) : text,
  "with three spaces": (text, format) => (format === "json" ? text.replaceAll("  ", "   ") : text),
};

const cases = Object.entries(samples).flatMap(([sample, facts]) =>
  Object.entries(disguises).map(([disguise, change]) => ({
    sample,
    disguise,
    ...facts,
    text: change(facts.text, facts.format),
  })),
);

const subsets = (names: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: 2 ** names.length }, (_, bits) => names.filter((_name, at) => (bits >> at) % 2 === 1));

describe.each(cases)("editServers() of $sample $disguise", ({ format, text, keys, isList = false }) => {
  const place = { format, path: "file" };
  const value = isList ? { name: "coordinator", ...ours } : ours;

  it("removes any of the servers and adds ours, and keeps the rest", async () => {
    const before = await parseClientFile(text, format, "file");
    const names = listServers(before, { keys, isList }).map(([name]) => name);
    expect(names.length).toBeGreaterThan(1);
    for (const remove of subsets(names)) {
      const after = await editServers(text, { keys, isList, remove, set: [["coordinator", value]] }, place);
      const left = listServers(await parseClientFile(after, format, "file"), { keys, isList }).map(
        ([name]) => name,
      );
      expect(new Set(left)).toEqual(
        new Set(["coordinator", ...names.filter((name) => !remove.includes(name))]),
      );
    }
  });

  it("keeps line ends, the byte order mark and every comment on its own line", async () => {
    const names = listServers(await parseClientFile(text, format, "file"), { keys, isList }).map(
      ([name]) => name,
    );
    const after = await editServers(
      text,
      { keys, isList, remove: names, set: [["coordinator", value]] },
      place,
    );
    expect(after.includes("\r\n")).toBe(text.includes("\r\n"));
    if (text.includes("\r\n")) expect(after.replaceAll("\r\n", "")).not.toContain("\n");
    expect(after.startsWith("\ufeff")).toBe(text.startsWith("\ufeff"));
    const comments = text.split(/\r?\n/).filter((line) => /^\s*(?:\/\/|#)/.test(line));
    for (const comment of comments) expect(after).toContain(comment.trim());
    for (const kept of ["kept", "kept too", "last"]) expect(after.includes(kept)).toBe(text.includes(kept));
  });

  it("replaces an existing value", async () => {
    const once = await editServers(text, { keys, isList, remove: [], set: [["coordinator", value]] }, place);
    const other = { ...value, command: "node" };
    const twice = await editServers(once, { keys, isList, remove: [], set: [["coordinator", other]] }, place);
    const found = new Map(listServers(await parseClientFile(twice, format, "file"), { keys, isList }));
    expect(found.get("coordinator")).toEqual(other);
  });

  it("can remove every server", async () => {
    const names = listServers(await parseClientFile(text, format, "file"), { keys, isList }).map(
      ([name]) => name,
    );
    const after = await editServers(text, { keys, isList, remove: names, set: [] }, place);
    expect(listServers(await parseClientFile(after, format, "file"), { keys, isList })).toEqual([]);
  });
});

describe("editServers()", () => {
  it("writes JSON in the file's own style and keeps comments in place", async () => {
    const edit = { keys: ["mcpServers"], remove: ["one", "three"], set: [["coordinator", ours]] as const };
    expect(await editServers(json, edit, { format: "json", path: "file" })).toBe(`// my servers
{
  "theme": "dark", /* kept */
  "mcpServers": {
    // the first
    "coordinator": {
      "command": "npx",
      "args": ["-y", "mcp-coordinator", "serve"]
    }, // about one
    // the second
    "two": {
      "command": "b" // inside two
    }
  },
  "last": [1, 2, 3]
}
`);
  });

  it.each([
    ["json", "", ["mcpServers"]],
    ["json", "{}", ["mcpServers"]],
    ["json", '{ "projects": { "/a/b": {} } }', ["projects", "/a/b", "mcpServers"]],
    ["json", '{ "mcpServers": { /* none */ } }', ["mcpServers"]],
    ["toml", "", ["mcp_servers"]],
    ["toml", "a = 1", ["mcp_servers"]],
    ["toml", '[mcp_servers]\none = { command = "a" }\ntwo.command = "b"\n', ["mcp_servers"]],
    ["yaml", "", ["extensions"]],
    ["yaml", "# nothing\na: 1\n", ["extensions"]],
    ["yaml", "extensions: { one: { cmd: a } }\n", ["extensions"]],
    ["yaml", "extensions:\n", ["extensions"]],
  ] as const)("creates the missing keys in %s %j", async (format, text, keys) => {
    const after = await editServers(
      text,
      { keys, remove: ["one"], set: [["coordinator", ours]] },
      { format, path: "file" },
    );
    const found = new Map(listServers(await parseClientFile(after, format, "file"), { keys }));
    expect(found.get("coordinator")).toEqual(ours);
    expect(found.has("one")).toBe(false);
  });

  it("refuses an edit that would change the rest of the file", async () => {
    const text = 'mcp_servers = { one = { command = "a" } }\n';
    const edit = { keys: ["mcp_servers"], remove: ["one"], set: [] };
    await expect(editServers(text, edit, { format: "toml", path: "/c/config.toml" })).rejects.toMatchObject({
      code: "CLIENT_FILE_UNREADABLE",
      message: expect.stringContaining('Cannot change "/c/config.toml": its servers are written on one line'),
    });
  });

  it.each([
    ["json", "{ nonsense"],
    ["toml", "= 1"],
    ["yaml", "a: [1"],
  ] as const)("names an invalid %s file", async (format, text) => {
    await expect(parseClientFile(text, format, "/c/file")).rejects.toMatchObject({
      code: "CLIENT_FILE_UNREADABLE",
      message: expect.stringContaining('"/c/file"'),
    });
  });
});
