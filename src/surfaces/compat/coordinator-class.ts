// `new Coordinator(path)`: opens on first use; each method calls one verb. The snake_case names are aliases.
import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import {
  type Json,
  type JsonObject,
  type JsonSchema,
  type Language,
  type ListedPrompt,
  type ListedResource,
  type LogLine,
  type RunRequest,
  type RunResult,
  toCoordinatorError,
} from "../../contracts/index.js";
import {
  type Coordinator as Opened,
  type OpenOptions,
  openCoordinator,
  renderRunTexts,
  type SkillDescription,
  type SkillSummary,
  type ToolSummary,
} from "../../coordinator/index.js";

/** How to open the class `Coordinator`. */
export interface CoordinatorClassOptions extends OpenOptions {
  /** The language of programs and of the generated library. @default "python" */
  readonly language?: Language | undefined;
  /** The folder in which `generateTools` creates `mcp_tools/` or `servers/`. @default the working folder */
  readonly libraryFolder?: string | undefined;
}

/** How to run one program; a text is the name of a profile. */
export type ExecutionOptions = Omit<RunRequest, "code" | "output">;

/** How a program ended. */
export interface ExecutionOutcome {
  readonly success: boolean;
  /** What it returned; null if nothing. */
  readonly result: Json;
  readonly stdout: string;
  readonly stderr: string;
  /** What went wrong, where, and the next step; null if nothing did. */
  readonly error: string | null;
}

/** A server with what it offers, or the reason why it cannot be asked. */
export interface DiscoveredServer {
  readonly tools: readonly ToolSummary[];
  readonly resources: readonly ListedResource[];
  readonly prompts: readonly ListedPrompt[];
  readonly instructions?: string | undefined;
  readonly error?: string | undefined;
}

const isStderr = ({ level }: LogLine): boolean => level === "error" || level === "warn";

const join = (lines: readonly LogLine[]): string => lines.map(({ text }) => `${text}\n`).join("");

const toExecutionOutcome = ({ status, value, logs, ...result }: RunResult): ExecutionOutcome => {
  const success = status === "completed";
  return {
    success,
    result: value ?? null,
    stdout: join(logs.filter((line) => !isStderr(line))),
    stderr: join(logs.filter(isStderr)),
    error: success ? null : renderRunTexts({ ...result, status, logs: [] }).join("\n"),
  };
};

const languages: Readonly<Record<string, Language>> = {
  ".py": "python",
  ".ts": "typescript",
  ".js": "typescript",
};

/** A set of MCP servers as code, opened on first use. */
export class Coordinator {
  readonly #options: CoordinatorClassOptions;
  readonly #onUse: LazyCoordinator;

  /** A path, or the options of `openCoordinator`. Nothing is read before the first call. */
  constructor(config: string | CoordinatorClassOptions = {}) {
    this.#options = typeof config === "string" ? { config } : config;
    const { language: _language, libraryFolder: _folder, ...options } = this.#options;
    this.#onUse = openLazily(options);
  }

  get #language(): Language {
    return this.#options.language ?? "python";
  }

  /** All verbs, as from `openCoordinator`. */
  open(): Promise<Opened> {
    return this.#onUse.open();
  }

  /** Writes the servers as an importable library; returns the number of tools. */
  async generateTools(forceRefresh = false): Promise<number> {
    const { libraryFolder, workingFolder = process.cwd() } = this.#options;
    const coordinator = await this.open();
    const { tools } = await coordinator.generateLibrary({
      folder: resolve(workingFolder, libraryFolder ?? "."),
      language: this.#language,
      refresh: forceRefresh,
    });
    return tools;
  }

  /** Every server with its tools, resources and prompts, by name. */
  async discoverServers(forceRefresh = false): Promise<Readonly<Record<string, DiscoveredServer>>> {
    const coordinator = await this.open();
    const discover = async (server: string): Promise<DiscoveredServer> => {
      try {
        if (forceRefresh) await coordinator.listTools({ server, refresh: true });
        const { server: _name, ...contents } = await coordinator.showServer({ server });
        return contents;
      } catch (thrown) {
        const { code, message } = toCoordinatorError(thrown);
        return { tools: [], resources: [], prompts: [], error: `${code}: ${message}` };
      }
    };
    const { serverNames } = coordinator;
    const found = await Promise.all(serverNames.map(async (name) => [name, await discover(name)] as const));
    return Object.fromEntries(found);
  }

  /** Runs a program in the sandbox. A second text is the name of a profile. */
  async executeCode(code: string, options: string | ExecutionOptions = {}): Promise<ExecutionOutcome> {
    const coordinator = await this.open();
    const request = typeof options === "string" ? { profile: options } : options;
    return toExecutionOutcome(await coordinator.runCode({ language: this.#language, ...request, code }));
  }

  /** The same for a file, in the language of its extension. */
  async executeFile(path: string, options: string | ExecutionOptions = {}): Promise<ExecutionOutcome> {
    const request = typeof options === "string" ? { profile: options } : options;
    const code = await readFile(resolve(this.#options.workingFolder ?? process.cwd(), path), "utf8");
    return this.executeCode(code, { language: languages[extname(path)] ?? this.#language, ...request });
  }

  async callTool(server: string, tool: string, given: JsonObject = {}): Promise<Json> {
    return (await this.open()).callTool({ server, tool, arguments: given });
  }

  /** The names of the enabled servers. */
  async listServers(): Promise<readonly string[]> {
    return (await this.open()).serverNames;
  }

  /** The names of a server's tools. */
  async listTools(server: string): Promise<readonly string[]> {
    return (await (await this.open()).listTools({ server })).map(({ name }) => name);
  }

  /** The JSON Schema of a tool's arguments. */
  async getToolSchema(server: string, tool: string): Promise<JsonSchema> {
    return (await (await this.open()).showTool({ server, tool })).inputSchema;
  }

  async saveSkill(
    name: string,
    code: string,
    description?: string,
    tags?: readonly string[],
  ): Promise<SkillDescription> {
    return (await this.open()).saveSkill({
      name,
      code,
      language: this.#language,
      description,
      tags,
    });
  }

  async listSkills(): Promise<readonly SkillSummary[]> {
    return (await this.open()).listSkills();
  }

  async getSkill(name: string, version?: number): Promise<SkillDescription> {
    return (await this.open()).showSkill({ name, version });
  }

  async searchSkills(query: string): Promise<readonly SkillSummary[]> {
    return (await this.open()).searchSkills({ query });
  }

  /** False if there was none. Without a version, deletes all of them. */
  async deleteSkill(name: string, version?: number): Promise<boolean> {
    return (await this.open()).deleteSkill({ name, version });
  }

  /** How a program imports it. */
  async getSkillImport(name: string, version?: number): Promise<string> {
    return (await this.getSkill(name, version)).importLine;
  }

  async runSkill(name: string, parameters: JsonObject = {}): Promise<ExecutionOutcome> {
    return toExecutionOutcome(await (await this.open()).runSkill({ name, parameters }));
  }

  /** Closes servers and sandboxes. A program that does not call it still exits. */
  close(): Promise<void> {
    return this.#onUse.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  readonly generate_tools = this.generateTools.bind(this);
  readonly discover_servers = this.discoverServers.bind(this);
  readonly execute_code = this.executeCode.bind(this);
  readonly execute_file = this.executeFile.bind(this);
  readonly call_tool = this.callTool.bind(this);
  readonly list_servers = this.listServers.bind(this);
  readonly list_tools = this.listTools.bind(this);
  readonly get_tool_schema = this.getToolSchema.bind(this);
  readonly save_skill = this.saveSkill.bind(this);
  readonly list_skills = this.listSkills.bind(this);
  readonly get_skill = this.getSkill.bind(this);
  readonly search_skills = this.searchSkills.bind(this);
  readonly delete_skill = this.deleteSkill.bind(this);
  readonly get_skill_import = this.getSkillImport.bind(this);
  readonly run_skill = this.runSkill.bind(this);
}

/** For constructors, which cannot be asynchronous. */
export interface LazyCoordinator {
  readonly open: () => Promise<Opened>;
  /** Does nothing if nothing was opened. A later use opens it again. */
  readonly close: () => Promise<void>;
}

const opened = new Set<() => Promise<void>>();

/** Node emits `beforeExit` when nothing is left to do: pending writes are finished, then the program ends. */
const closeAll = (): void => {
  for (const close of opened) close().catch(() => {});
};

export const openLazily = (options: OpenOptions): LazyCoordinator => {
  let coordinator: Promise<Opened> | undefined;
  const close = async (): Promise<void> => {
    opened.delete(close);
    if (opened.size === 0) process.off("beforeExit", closeAll);
    const closing = coordinator;
    coordinator = undefined;
    await (await closing?.catch(() => undefined))?.close();
  };
  const open = (): Promise<Opened> => {
    if (coordinator !== undefined) return coordinator;
    if (opened.size === 0) process.on("beforeExit", closeAll);
    opened.add(close);
    const promise = openCoordinator(options);
    // Read the configuration again next time, in case it was fixed.
    promise.catch(() => close());
    coordinator = promise;
    return promise;
  };
  return { open, close };
};
