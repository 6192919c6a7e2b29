// All commands by group, with summaries. A command's file is loaded on use.
import { CoordinatorError } from "../../contracts/index.js";
import type { Command, CommandEntry, CommandGroup, KnownCommand } from "./command.js";

/** The summaries of the commands that a file exports. */
type Summaries<Exports> = {
  readonly [Name in keyof Exports as Exports[Name] extends Command ? Name : never]?: string;
};

const from = <Exports extends object>(
  load: () => Promise<Exports>,
  summaries: Summaries<Exports>,
): readonly CommandEntry[] =>
  Object.entries<string>(summaries as Record<string, string>).map(([name, summary]) => ({
    name,
    summary,
    load: async () => (await load())[name as keyof Exports] as Command,
  }));

/** Everything here can be listed without loading a command. */
export const commandGroups: readonly CommandGroup[] = [
  {
    title: "Get started",
    commands: [
      ...from(() => import("./commands/demo.js"), {
        demo: "See it work: three real servers, one program, nothing to set up",
      }),
      ...from(() => import("./commands/init.js"), {
        init: "Take over the MCP servers of your clients: one entry instead of many",
      }),
      ...from(() => import("./commands/doctor.js"), {
        doctor: "Test every server and sandbox, and report what is wrong",
      }),
      ...from(() => import("./commands/add.js"), {
        add: "Add a server to your configuration and test it",
        remove: "Remove a server from your configuration",
      }),
      ...from(() => import("./commands/sign-in.js"), {
        login: "Sign in to a remote server that requires it",
        accounts: "List the servers that you are signed in to",
        logout: "Sign out of a server",
      }),
      ...from(() => import("./commands/update.js"), {
        update: "Install or update the packages of your servers now",
      }),
      ...from(() => import("./commands/connect.js"), {
        connect: "Show the entry for your client in its own format, or write it",
        eject: "Give your clients their servers back, as they were before init",
      }),
      ...from(() => import("./commands/trust.js"), {
        trust: "Trust this folder's configuration to start its servers, as it is now",
      }),
    ],
  },
  {
    title: "Explore",
    commands: [
      ...from(() => import("./commands/servers.js"), { servers: "List the configured servers" }),
      ...from(() => import("./commands/tools.js"), {
        tools: "List the tools of one server, or of every server",
        show: "Show one tool in full, or everything a server offers",
      }),
      ...from(() => import("./commands/search.js"), { search: "Search for tools" }),
      ...from(() => import("./commands/generate.js"), {
        shapes: "Share the result types that were learned from answers",
      }),
      ...from(() => import("./commands/policy.js"), {
        policy: "Check the rules on calls, explain a decision, or test them",
      }),
      ...from(() => import("./commands/audit.js"), {
        audit: "List recorded decisions and calls, verify that nobody changed them, or export them",
      }),
      ...from(() => import("./commands/pins.js"), {
        pins: "Review new and changed definitions of tools, and accept them",
      }),
    ],
  },
  {
    title: "Run",
    commands: [
      ...from(() => import("./commands/run.js"), {
        run: "Run a program that calls your servers, in a sandbox",
      }),
      ...from(() => import("./commands/ask.js"), {
        ask: "Let a model solve a task with your servers, within a budget",
      }),
      ...from(() => import("./commands/run.js"), { check: "Check a program without running it" }),
      ...from(() => import("./commands/tools.js"), { call: "Call one tool and print its answer" }),
      ...from(() => import("./commands/runs.js"), {
        runs: "List stored runs; show, follow, cancel or export one",
      }),
      ...from(() => import("./commands/resume.js"), {
        resume: "Resume a run that failed, was stopped, waits for an answer or lost its process",
        commit: "Carry out a plan made by run --plan",
      }),
      ...from(() => import("./commands/undo.js"), {
        undo: "Undo the calls of a run with their inverse calls",
      }),
      ...from(() => import("./commands/resume.js"), {
        replay: "Run a recorded program against its recorded answers",
      }),
    ],
  },
  {
    title: "Stored data",
    commands: [
      ...from(() => import("./commands/skills.js"), {
        skills: "Manage saved programs: list, search, show, run, save, test, accept, delete",
      }),
      ...from(() => import("./commands/workspaces.js"), {
        values: "List the values that programs stored, or print one",
        sessions: "List, show or remove sessions: programs that share variables",
        workspaces: "List or remove workspaces",
        workspace: "List or print the files of a workspace",
      }),
      ...from(() => import("./commands/stats.js"), {
        stats: "Show what runs cost the model in tokens, and what they saved",
      }),
    ],
  },
  {
    title: "For agents and programs",
    commands: [
      ...from(() => import("./commands/serve.js"), {
        serve: "Serve agents as an MCP server, over stdio or HTTP",
      }),
      ...from(() => import("./commands/callers.js"), { callers: "List, add, renew or remove HTTP callers" }),
      ...from(() => import("./commands/generate.js"), {
        generate: "Generate an importable library from your servers",
      }),
      ...from(() => import("./commands/resources.js"), {
        resources: "List the library files that agents can read, or print one",
        prompts: "List the prompts for agents, or print one",
      }),
    ],
  },
  {
    title: "Setup and help",
    commands: [
      ...from(() => import("./commands/update.js"), {
        setup: "Create a Python environment with data libraries, or a container image",
      }),
      ...from(() => import("./commands/completion.js"), {
        completion: "Print the completion script for your shell",
      }),
      ...from(() => import("./commands/help.js"), {
        version: "Show the version",
        help: "Show all commands, or the help of one",
      }),
    ],
  },
];

/** Earlier names of commands. They work, but no help or completion shows them. */
const aliases = new Map([["kept", "values"]]);

const entries = commandGroups.flatMap(({ commands }) => commands);

const loadEntry = async ({ summary, load }: CommandEntry): Promise<KnownCommand> => ({
  ...(await load()),
  summary,
});

/** All commands in full, by group. */
export const loadGroups = (): Promise<
  readonly { readonly title: string; readonly commands: readonly KnownCommand[] }[]
> =>
  Promise.all(
    commandGroups.map(async ({ title, commands }) => ({
      title,
      commands: await Promise.all(commands.map(loadEntry)),
    })),
  );

/** Finds a command by name. The error for an unknown name suggests the nearest one. */
export const findCommand = async (name: string): Promise<KnownCommand> => {
  const found = entries.find((one) => one.name === (aliases.get(name) ?? name));
  if (found !== undefined) return loadEntry(found);
  const { nearestNames } = await import("../../schema/index.js");
  const [near] = nearestNames(
    name,
    entries.map((one) => one.name),
    1,
  );
  throw new CoordinatorError("USAGE", `Cannot run "${name}": there is no such command`, {
    hint: near === undefined ? 'Run "mcp-coordinator help" to see every command.' : `Did you mean "${near}"?`,
  });
};
