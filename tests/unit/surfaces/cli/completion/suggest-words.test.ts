// What is suggested at each position of a command line.
import { describe, expect, it } from "vitest";
import { sharedOptions } from "../../../../../src/surfaces/cli/command.js";
import { commandGroups, loadGroups } from "../../../../../src/surfaces/cli/command-table.js";
import { nameKinds } from "../../../../../src/surfaces/cli/commands/completion.js";
import {
  type NameRequest,
  readUsage,
  suggestWords,
} from "../../../../../src/surfaces/cli/completion/suggest-words.js";

const asked: NameRequest[] = [];

const suggest = async (...words: string[]): Promise<readonly string[]> => {
  asked.length = 0;
  const found = await suggestWords({
    words,
    groups: commandGroups,
    listNames: async (request) => {
      asked.push(request);
      return [`for-${request.placeholder}`, `${request.value}-typed`];
    },
  });
  return found.map(({ value }) => value);
};

describe("suggestWords()", () => {
  it("completes commands by prefix, and asks for no name", async () => {
    expect(await suggest("ser")).toEqual(["servers", "serve"]);
    expect(await suggest("--config", "a.json", "ru")).toEqual(["run", "runs"]);
    expect(asked).toEqual([]);
  });

  it("completes the command's and the shared options, except those already given", async () => {
    expect(await suggest("tools", "--r")).toEqual(["--refresh"]);
    expect(await suggest("tools", "--refresh", "--r")).toEqual([]);
    expect(await suggest("run", "--server", "a", "--s")).toEqual([
      "--session",
      "--simulate",
      "--server",
      "--state-folder",
    ]);
    expect(await suggest("--j")).toEqual(["--json"]);
  });

  it("completes the values of an option, joined by a space or an equals sign", async () => {
    expect(await suggest("run", "--output", "t")).toEqual(["text", "toon"]);
    expect(await suggest("run", "--output=t")).toEqual(["--output=text", "--output=toon"]);
    // As bash splits it.
    expect(await suggest("run", "--output", "=", "t")).toEqual(["text", "toon"]);
    expect(await suggest("run", "--output", "=")).toEqual(["json", "text", "toon", "structured"]);
    expect(await suggest("run", "--workspace", "for")).toEqual(["for-WORKSPACE", "for-typed"]);
    expect(await suggest("tools", "--config", "")).toEqual([":files"]);
  });

  it("completes what the usage line expects, using the words typed before", async () => {
    expect(await suggest("call", "files", "re")).toEqual(["re-typed"]);
    expect(asked).toEqual([{ placeholder: "TOOL", value: "re", known: { SERVER: "files" }, configs: [] }]);
    expect(await suggest("call", "files", "read", "path=a", "for")).toEqual(["for-ARGUMENT", "for-typed"]);
    expect(asked[0]?.known).toMatchObject({ SERVER: "files", TOOL: "read" });
    expect(await suggest("skills", "r")).toEqual(["run"]);
    expect(await suggest("skills", "run", "for")).toEqual(["for-SKILL", "for-typed"]);
    expect(await suggest("runs", "export", "1f", "")).toEqual([":files"]);
    expect(await suggest("completion", "")).toEqual(["bash", "zsh", "fish", "powershell"]);
  });

  it("passes on the chosen configuration", async () => {
    await suggest("tools", "--config", "a.json", "f");
    expect(asked[0]?.configs).toEqual(["a.json"]);
  });

  it.each([
    "$(touch x)",
    "`x`",
    "a;b",
    "a b",
    "a|b",
    "a>b",
    "-rf",
    ":files",
    "~root",
    "a\\b",
    "a'b",
    "a\nb",
    "*",
  ])("never puts %j into a command line", async (name) => {
    const words = ["call", "files", ""];
    const found = await suggestWords({
      words,
      groups: commandGroups,
      listNames: async () => [name, "plain"],
    });
    expect(found).toEqual([{ value: "plain" }]);
  });

  it("suggests nothing after an unknown word", async () => {
    expect(await suggest("nosuch", "")).toEqual([]);
    expect(await suggest("version", "")).toEqual([]);
    expect(await suggest("runs", "nosuch", "")).toEqual([]);
  });
});

/** Placeholders whose names come from elsewhere, or that only a person knows. */
const others = new Set([
  ...["SERVER.TOOL", "ARGUMENT", "COMMAND", "CLIENT", "PROMPT", "URI"],
  ...["FILE", "PATH", "DIR", "CODE", "TEXT", "WORDS", "QUERY", "JSON", "NAME", "NAME=VALUE"],
  ...["TAG", "CATEGORY", "URL", "PROGRAM", "TASK", "AMOUNT", "N", "MS", "DAYS", "PORT", "HOST"],
  ...["VARIABLE", "TIME", "ANCHOR", "LABELS"],
]);

describe("the commands", () => {
  it("use only placeholders that completion knows, in usages and options", async () => {
    const unknown = (await loadGroups())
      .flatMap(({ commands }) => commands)
      .flatMap((command) => [
        ...command.usage.flatMap((usage) =>
          readUsage(command, usage).flatMap((place) => ("placeholder" in place ? [place.placeholder] : [])),
        ),
        ...Object.values({ ...sharedOptions, ...command.options }).flatMap(({ value, choices }) =>
          value === undefined || choices !== undefined ? [] : [value],
        ),
      ])
      .filter((placeholder) => !Object.hasOwn(nameKinds, placeholder) && !others.has(placeholder));
    expect(unknown).toEqual([]);
  });
});
