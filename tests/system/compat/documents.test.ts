// Every code block of the reference documents runs here against local servers, or is listed with the reason why it cannot.
import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findInterpreter } from "../../../src/executors/engines/python/interpreter.js";
import { type OpenedCoordinator, openCoordinator } from "../../../src/index.js";
import { type CodeBlock, readCodeBlocks } from "../../support/code-blocks.js";
import { referenceServers } from "../../support/reference-servers.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const seeds = join(root, "..", "shared", "seeds");
const isHere = existsSync(seeds);
const absence = isHere ? "" : " (skipped: ../shared/seeds is not there)";
const documents = isHere ? readdirSync(seeds).sort() : [];

/** `2.3`: the third block of the second document. */
const blocks = new Map<string, CodeBlock>(
  documents.flatMap((name, document) =>
    readCodeBlocks(readFileSync(join(seeds, name), "utf8")).map(
      (block, at) => [`${document + 1}.${at + 1}`, block] as const,
    ),
  ),
);
const textOf = (id: string): string => blocks.get(id)?.text ?? "";

/** Blocks that cannot run, by their reason; docs/compatibility.md says the same. */
const cannotRun: Readonly<Record<string, readonly string[]>> = {
  "installs or starts another project's files": ["1.1", "1.2", "3.1", "4.2", "4.3", "4.7"],
  "works on another project's checkout": ["4.10", "4.11", "4.12", "4.13"],
  "is a drawing of folders or of a flow": ["1.9", "2.1", "4.1"],
  "is a sum of tokens, no program": ["4.8", "4.9"],
};

/** Python that runs unchanged, or after definitions that the document leaves to its reader. */
const python: Readonly<
  Record<
    string,
    {
      readonly before?: string;
      readonly after?: string;
      readonly needs?: "pandas";
      readonly printed?: readonly (string | RegExp)[];
      readonly value?: unknown;
      readonly called: readonly string[];
    }
  >
> = {
  "1.4": {
    printed: [/^Added \d+ high-impact papers$/],
    called: ["arxiv.search_papers", "chroma.add_documents"],
  },
  "1.5": {
    printed: [/^\['chroma', 'arxiv', 'docker'/, "['query', 'add_documents', 'create_collection']"],
    called: [],
  },
  "1.6": {
    printed: ["Found 250 pending orders", /^\[(?:\{[^}]*'pending'\}(?:, )?){5}\]$/],
    called: ["gdrive.get_sheet"],
  },
  "1.7": {
    before: "def analyze_paper(paper):\n    return {'title': paper['title']}",
    value: "Added 50 papers on quantum computing",
    called: ["arxiv.search_papers", "chroma.add_documents"],
  },
  "1.10": {
    before: "def build_semantic_graph(papers):\n    return {'nodes': len(papers)}",
    value: { written: "graphs/transformers.json" },
    called: ["arxiv.search", "chroma.query", "filesystem.write"],
  },
  "1.11": { called: ["docker.ps", "k8s.restart_deployment", "slack.send_message"] },
  "1.12": {
    before: "import pandas",
    needs: "pandas",
    value: { updated: { revenue: { DE: 220, FR: 260, NL: 180 } } },
    called: ["postgres.query", "sheets.update"],
  },
  "2.2": { called: [] },
  "2.3": {
    printed: [/^\['chroma', 'arxiv', 'docker'/, "['query', 'add_documents', 'create_collection']"],
    called: ["chroma.query"],
  },
  "2.4": {
    before: "def analyze_paper(paper):\n    return {'title': paper['title']}",
    value: "Added 50 papers on quantum computing",
    called: ["arxiv.search_papers", "chroma.add_documents"],
  },
  "2.5": {
    before:
      "def build_semantic_graph(papers):\n    return {'nodes': len(papers)}\ndef summarize_findings(graph):\n    return graph['nodes']",
    after: 'await find_related_concepts("transformers")',
    value: 4,
    called: ["arxiv.search", "chroma.query", "filesystem.write"],
  },
  "2.6": {
    before: [
      "from itertools import combinations",
      "from types import SimpleNamespace",
      'document = "alpha gamma beta"',
      "class Classifier:",
      "    def predict(self, one, other):",
      "        return SimpleNamespace(confidence=0.9 if len(one) == len(other) else 0.5)",
      "relationship_classifier = Classifier()",
    ].join("\n"),
    after: "len(relationships)",
    value: 1,
    called: ["semantic_parser.extract_entities"],
  },
};

const configurations = ["1.3", "1.8"];
const typescript = ["4.4", "4.5", "4.6", "4.14"];

describe.skipIf(!isHere)(`the documents of similar systems${absence}`, () => {
  it("have only blocks that run or are listed with a reason", () => {
    const listed = [
      ...Object.values(cannotRun).flat(),
      ...Object.keys(python),
      ...configurations,
      ...typescript,
    ];

    expect([...blocks.keys()].sort()).toEqual(listed.sort());
    expect(readCodeBlocks(readFileSync(join(seeds, documents[4] ?? ""), "utf8"))).toEqual([]);
  });

  it("have only blocks of the kinds that are listed", () => {
    const isShell = (id: string) => blocks.get(id)?.language === "bash";

    expect(Object.entries(cannotRun).map(([, ids]) => ids.every(isShell))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(configurations.map((id) => blocks.get(id)?.language)).toEqual(["json", "json"]);
    expect(new Set(typescript.map((id) => blocks.get(id)?.language))).toEqual(new Set(["typescript"]));
    expect(new Set(Object.keys(python).map((id) => blocks.get(id)?.language))).toEqual(
      new Set(["python", ""]),
    );
  });
});

/** The machine's Python, or another one of it that has pandas. */
const findPandas = async (): Promise<{ interpreter?: string } | undefined> => {
  for (const settings of [{}, { interpreter: "/usr/bin/python3" }]) {
    const found = await findInterpreter(settings).catch(() => undefined);
    if (found?.libraries.includes("pandas") === true) return settings;
  }
  return undefined;
};

describe.skipIf(!isHere)(`a Python block of the documents of similar systems${absence}`, async () => {
  const pandas = await findPandas();
  let folder: string;
  let coordinator: OpenedCoordinator;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "seed-documents-"));
    coordinator = await openCoordinator({
      config: { mcpServers: referenceServers() },
      settings: {
        cacheFolder: join(folder, "cache"),
        stateFolder: join(folder, "state"),
        python: pandas ?? {},
      },
    });
  });
  afterAll(async () => {
    await coordinator.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [id, { before = "", after = "", needs, printed, value, called }] of Object.entries(python)) {
    const isMissing = needs === "pandas" && pandas === undefined;
    const manner = before === "" ? "unchanged" : "after the definitions that it leaves to its reader";
    it.skipIf(isMissing)(
      `${id} runs ${manner}${isMissing ? " (skipped: no Python here has pandas)" : ""}`,
      async () => {
        // The skills that the block expects are saved first, then the whole block runs.
        const [definition = "", later] = textOf(id).split(/^# Later.*$/m);
        if (later !== undefined)
          await coordinator.saveSkill({
            name: "research_pipeline",
            language: "python",
            code: `${before}\n${definition}`,
          });
        const code = [before, textOf(id), after].filter((part) => part !== "").join("\n");
        const result = await coordinator.runCode({ code, language: "python" });

        expect(result.error).toBeUndefined();
        const lines = result.logs.map(({ text }) => text);
        if (printed !== undefined)
          expect(lines).toEqual(
            printed.map((line) => (typeof line === "string" ? line : expect.stringMatching(line))),
          );
        if (value !== undefined) expect(result.value).toEqual(value);
        expect(result.statistics.toolsCalled).toEqual(called);
      },
      60_000,
    );
  }
});

describe.skipIf(!isHere)(`a configuration in the documents of similar systems${absence}`, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "seed-configurations-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("1.8 is read unchanged", async () => {
    const file = join(folder, "mcp.json");
    writeFileSync(file, textOf("1.8"));
    const coordinator = await openCoordinator({ config: file });

    expect((await coordinator.listServers()).map(({ name, transport }) => [name, transport])).toEqual([
      ["chroma", "stdio"],
      ["arxiv", "stdio"],
    ]);
    expect(readFileSync(file, "utf8")).toBe(textOf("1.8"));
    await coordinator.close();
  });

  it("1.3 starts us in a client, changed only in the command and the path of the file that it names", async () => {
    const entry = JSON.parse(textOf("1.3")).mcpServers["mcp-coordinator"];
    const file = join(folder, "mcp_servers.json");
    writeFileSync(file, JSON.stringify({ mcpServers: referenceServers(["arxiv"]) }));
    const env = { ...entry.env, MCP_SERVERS_CONFIG: file };
    expect(Object.keys(entry.env)).toEqual(["MCP_SERVERS_CONFIG"]);
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(root, "bin", "mcp-coordinator.mjs"), "serve"],
        env: { PATH: process.env.PATH ?? "", HOME: folder, XDG_CACHE_HOME: join(folder, "cache"), ...env },
        cwd: folder,
      }),
    );
    try {
      const answer = await client.callTool({
        name: "run_code",
        arguments: { code: 'return (await arxiv.search("x")).length' },
      });

      // What follows is the result type that was learned.
      expect(answer.content[0]).toEqual({ type: "text", text: "3" });
    } finally {
      await client.close();
    }
  });
});

describe.skipIf(!isHere)(`a TypeScript block of the documents of similar systems${absence}`, () => {
  let folder: string;
  const logFile = () => join(folder, "calls.log");
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "seed-programs-"));
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(root, join(folder, "node_modules", "mcp-coordinator"), "dir");
    writeFileSync(
      join(folder, ".mcp.json"),
      JSON.stringify({ mcpServers: referenceServers(["supabase", "github", "context7"], logFile()) }),
    );
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The only change that a block may need. */
  const toProgram = (text: string): string =>
    text.replace(/from '(?:\.\/runtime[^']*|@mcp\/types)'/g, "from 'mcp-coordinator'");
  /** The later blocks continue the first one's program: they use what it declares. */
  const upTo = (end: string): string => textOf("4.4").split(end)[0] ?? "";

  const run = async (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, toProgram(text));
    const environment = { PATH: process.env.PATH ?? "", HOME: folder, XDG_CACHE_HOME: join(folder, "cache") };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--experimental-strip-types", "--no-warnings", file],
      {
        cwd: folder,
        env: environment,
        timeout: 60_000,
      },
    );
    return stdout;
  };
  const print = "console.log(JSON.stringify";

  it("4.4 runs unchanged and exits", async () => {
    expect(await run("basic.ts", textOf("4.4"))).toBe("[ 'users', 'orders' ]\n");
  });

  it("4.5 is a task that runs over three servers", async () => {
    const end = `const result = await orchestrator.executeTask(task);\n${print}(result));`;
    const result = JSON.parse(await run("several.ts", `${upTo("const task")}${textOf("4.5")}${end}`));

    expect(result).toMatchObject({
      success: true,
      data: { userCount: 10, issueCreated: true, docsFound: true },
      stats: { toolsCalled: ["supabase.executeSql", "github.createIssue", "context7.getDocsByName"] },
    });
    const calls = readFileSync(logFile(), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(calls.find(({ tool }) => tool === "create_issue").arguments).toEqual({
      owner: "owner",
      repo: "repo",
      title: "User Analysis",
      body: "Found 10 users",
    });
  });

  it("4.6 saves a skill, runs it and finds it", async () => {
    const end = `${print}([result, skills]));`;
    const [result, skills] = JSON.parse(
      await run("skills.ts", `${upTo("const task")}${textOf("4.6")}${end}`),
    );

    expect(result).toMatchObject({ success: true, data: { tables: 2, lastMigration: "add_index" } });
    expect(skills).toMatchObject([
      { name: "db-backup-report", usageCount: 1, tags: ["supabase", "backup", "reporting"] },
    ]);
  });

  it("4.14 prints figures with the fields that it shows", async () => {
    const printed = await run("monitoring.ts", `${upTo("const result")}${textOf("4.14")}`);
    const fields = (text: string) => [...text.matchAll(/^(?:\/\/)?\s*(\w+):/gm)].map(([, field]) => field);

    expect(fields(printed)).toEqual(fields(textOf("4.14")));
  });

  it("passes the strict compiler, as do all others", async () => {
    const files = readdirSync(folder).filter((name) => name.endsWith(".ts"));
    const options = [
      "--noEmit",
      "--strict",
      "--target",
      "es2024",
      "--module",
      "nodenext",
      "--types",
      "node",
      "--typeRoots",
      join(root, "node_modules", "@types"),
    ];
    const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, ...options, ...files], {
      cwd: folder,
    }).catch((error) => error);

    expect(files).toHaveLength(4);
    expect(stdout).toBe("");
  });
});

it("docs/compatibility.md lists every reason for which a block cannot run", () => {
  const document = readFileSync(join(root, "docs", "compatibility.md"), "utf8");

  for (const [reason, ids] of Object.entries(cannotRun))
    expect(document).toMatch(new RegExp(`^\\| ${ids.length} \\| no: .*${reason}`, "m"));
  const runs = Object.values(python).map(({ before }) => before === undefined);
  const counts = [runs.filter((one) => one).length, runs.filter((one) => !one).length];
  const documented = [...document.matchAll(/^\| (\d+) \| (?!no:)/gm)].map(([, count]) => Number(count));
  expect(documented).toEqual([...counts, typescript.length, configurations.length]);
});
