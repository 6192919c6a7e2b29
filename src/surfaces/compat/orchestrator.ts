// `new MCPOrchestrator()`: tasks and skills on top of the verbs. Synchronous getters return the state after the last task.
import { CoordinatorError, type Json, type JsonObject, type RunResult } from "../../contracts/index.js";
import type { Coordinator, SkillDescription } from "../../coordinator/index.js";
import { type LazyCoordinator, openLazily } from "./coordinator-class.js";
import {
  type AgentTask,
  type ExecutionResult,
  type OrchestratorOptions,
  type OrchestratorStats,
  type Skill,
  toExecutionResult,
} from "./execution-result.js";

/** What is available synchronously. */
interface Known {
  readonly servers: number;
  readonly tools: ReadonlyMap<string, string>;
  readonly skills: readonly Skill[];
  readonly maxConcurrentTasks: number;
}

/** Runs tasks, each a program for the servers that it names. */
export class MCPOrchestrator {
  readonly #onUse: LazyCoordinator;
  #known: Known | undefined;
  #started = 0;

  constructor(options: OrchestratorOptions = {}) {
    const { maxConcurrentTasks, defaultTimeout, skillsDir, settings = {}, ...rest } = options;
    const limits = {
      ...settings.limits,
      ...(maxConcurrentTasks === undefined ? {} : { concurrentRuns: maxConcurrentTasks }),
      ...(defaultTimeout === undefined ? {} : { timeoutMs: defaultTimeout }),
    };
    this.#onUse = openLazily({
      ...rest,
      settings: { ...settings, limits, ...(skillsDir === undefined ? {} : { skillsFolder: skillsDir }) },
    });
  }

  /** All verbs, as from `openCoordinator`. */
  open(): Promise<Coordinator> {
    return this.#onUse.open();
  }

  /** Lists the tools of every server, and reads the skills. Unreachable servers are left out. */
  async initialize(): Promise<void> {
    const coordinator = await this.open();
    const [tools, { maximumRuns }] = await Promise.all([
      coordinator.listTools(),
      coordinator.readStatistics(),
    ]);
    this.#known = {
      servers: coordinator.serverNames.length,
      tools: new Map(
        tools.map((tool) => [`${tool.server}.${tool.name}`, `${tool.server}.${tool.functionName}`]),
      ),
      skills: [],
      maxConcurrentTasks: maximumRuns,
    };
    await this.#readSkills();
  }

  /** Runs a task's program. A failure is a result, not an exception. Sets `status` and `result` of the task. */
  async executeTask<Data = Json>(task: AgentTask): Promise<ExecutionResult<Data>> {
    const { code, description, requiredTools, language } = task;
    task.status = "running";
    const result = await this.#run<Data>(async (coordinator) => {
      if (code === undefined)
        throw new CoordinatorError("USAGE", `Cannot run the task "${task.id}": it has no code`, {
          hint: "Write the program into the task's field code.",
        });
      const servers = [...new Set(requiredTools.map((name) => toServer(coordinator, name)))];
      const run = await coordinator.runCode({
        code,
        description,
        servers,
        countTokens: true,
        language,
      });
      if (code.includes("skills")) await this.#readSkills();
      return run;
    }).catch((thrown: unknown) => {
      task.status = "failed";
      throw thrown;
    });
    task.status = result.success ? "completed" : "failed";
    task.result = result as ExecutionResult;
    return result;
  }

  /** Stores a program, or the next version of the one with this name. */
  async saveSkill(
    name: string,
    description: string,
    code: string,
    tags: readonly string[] = [],
  ): Promise<void> {
    await (await this.#ready()).saveSkill({ name, description, code, tags });
    await this.#readSkills();
  }

  /** Runs a skill by its id. Its program finds the parameters in `params`. */
  executeSkill<Data = Json>(skillId: string, parameters: JsonObject = {}): Promise<ExecutionResult<Data>> {
    return this.#run<Data>(async (coordinator) => {
      const run = await coordinator.runSkill({ name: skillId, parameters, countTokens: true });
      await this.#readSkills();
      return run;
    });
  }

  /** The most used first. */
  listSkills(): readonly Skill[] {
    return this.#requireKnown().skills;
  }

  /** Skills with every word of the query in their name, description or tags, the most used first. */
  searchSkills(query: string): readonly Skill[] {
    const words = query.toLowerCase().split(/\s+/);
    return this.listSkills().filter(({ name, description, tags }) => {
      const text = [name, description, ...tags].join("\n").toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  getStats(): OrchestratorStats {
    const { servers, tools, skills, maxConcurrentTasks } = this.#requireKnown();
    return {
      servers,
      tools: tools.size,
      skills: skills.length,
      activeTasks: Math.min(this.#started, maxConcurrentTasks),
      maxConcurrentTasks,
    };
  }

  /** Closes servers and sandboxes. A program that does not call it still exits. */
  async close(): Promise<void> {
    this.#known = undefined;
    await this.#onUse.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #ready(): Promise<Coordinator> {
    if (this.#known === undefined) await this.initialize();
    return this.open();
  }

  #requireKnown(): Known {
    if (this.#known === undefined)
      throw new CoordinatorError(
        "USAGE",
        "Cannot read tools or skills: the orchestrator is not initialized",
        {
          hint: "Call this first: await orchestrator.initialize();",
        },
      );
    return this.#known;
  }

  async #run<Data>(run: (coordinator: Coordinator) => Promise<RunResult>): Promise<ExecutionResult<Data>> {
    const startedAt = performance.now();
    this.#started += 1;
    try {
      const result = await run(await this.#ready());
      return toExecutionResult<Data>(result, this.#requireKnown().tools);
    } catch (thrown) {
      if (!(thrown instanceof CoordinatorError) || thrown.kind === "host") throw thrown;
      const { code, message, hint } = thrown;
      const duration = Math.round(performance.now() - startedAt);
      const stats = { duration, tokensUsed: 0, memoryUsed: 0, toolsCalled: [] };
      return { success: false, error: { code, message, hint }, stats };
    } finally {
      this.#started -= 1;
    }
  }

  async #readSkills(): Promise<void> {
    const coordinator = await this.open();
    const listed = await coordinator.listSkills();
    const skills = await Promise.all(listed.map(({ path }) => coordinator.showSkill({ name: path })));
    if (this.#known !== undefined) this.#known = { ...this.#known, skills: skills.map(toSkill) };
  }
}

const toSkill = ({ name, path, description, code, uses, tags, savedAt }: SkillDescription): Skill => ({
  id: path,
  name,
  description,
  code,
  createdAt: savedAt === undefined ? undefined : new Date(savedAt),
  usageCount: uses,
  tags,
});

/** `supabase.listTables` names its server. */
const toServer = ({ serverNames }: Coordinator, name: string): string =>
  serverNames.find((server) => name === server) ??
  serverNames.find((server) => name.startsWith(server) && /^(?:__|[./])/.test(name.slice(server.length))) ??
  name;
