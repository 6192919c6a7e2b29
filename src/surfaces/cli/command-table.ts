// All commands by group, with summaries. A command's file is loaded on use.
import { CoordinatorError } from "../../contracts/index.js";
import type { Command, CommandEntry, CommandGroup, KnownCommand } from "./command.js";

const entry = (name: string, summary: string, load: () => Promise<Command>): CommandEntry => ({
  name,
  summary,
  load,
});

/** Everything here can be listed without loading a command. */
export const commandGroups: readonly CommandGroup[] = [
  {
    title: "Get started",
    commands: [
      entry(
        "demo",
        "See it work: three real servers, one program, nothing to set up",
        async () => (await import("./commands/demo.js")).demo,
      ),
      entry(
        "init",
        "Take over the MCP servers of your clients: one entry instead of many",
        async () => (await import("./commands/init.js")).init,
      ),
      entry(
        "doctor",
        "Test every server and sandbox, and report what is wrong",
        async () => (await import("./commands/doctor.js")).doctor,
      ),
      entry(
        "add",
        "Add a server to your configuration and test it",
        async () => (await import("./commands/add.js")).add,
      ),
      entry(
        "remove",
        "Remove a server from your configuration",
        async () => (await import("./commands/add.js")).remove,
      ),
      entry(
        "login",
        "Sign in to a remote server that requires it",
        async () => (await import("./commands/sign-in.js")).login,
      ),
      entry(
        "accounts",
        "List the servers that you are signed in to",
        async () => (await import("./commands/sign-in.js")).accounts,
      ),
      entry("logout", "Sign out of a server", async () => (await import("./commands/sign-in.js")).logout),
      entry(
        "update",
        "Install or update the packages of your servers now",
        async () => (await import("./commands/update.js")).update,
      ),
      entry(
        "connect",
        "Show the entry for your client in its own format, or write it",
        async () => (await import("./commands/connect.js")).connect,
      ),
      entry(
        "eject",
        "Give your clients their servers back, as they were before init",
        async () => (await import("./commands/connect.js")).eject,
      ),
      entry(
        "trust",
        "Trust this folder's configuration to start its servers, as it is now",
        async () => (await import("./commands/trust.js")).trust,
      ),
    ],
  },
  {
    title: "Explore",
    commands: [
      entry(
        "servers",
        "List the configured servers",
        async () => (await import("./commands/servers.js")).servers,
      ),
      entry(
        "tools",
        "List the tools of one server, or of every server",
        async () => (await import("./commands/show.js")).tools,
      ),
      entry(
        "show",
        "Show one tool in full, or everything a server offers",
        async () => (await import("./commands/show.js")).show,
      ),
      entry("search", "Search for tools", async () => (await import("./commands/search.js")).search),
      entry(
        "shapes",
        "Share the result types that were learned from answers",
        async () => (await import("./commands/shapes.js")).shapes,
      ),
      entry(
        "policy",
        "Check the rules on calls, explain a decision, or test them",
        async () => (await import("./commands/policy.js")).policy,
      ),
      entry(
        "audit",
        "List what was decided and called, check that nobody changed it, or export it",
        async () => (await import("./commands/audit.js")).audit,
      ),
      entry(
        "pins",
        "Review new and changed definitions of tools, and accept them",
        async () => (await import("./commands/pins.js")).pins,
      ),
    ],
  },
  {
    title: "Run",
    commands: [
      entry(
        "run",
        "Run a program that calls your servers, in a sandbox",
        async () => (await import("./commands/run.js")).run,
      ),
      entry(
        "ask",
        "Let a model solve a task with your servers, within a budget",
        async () => (await import("./commands/ask.js")).ask,
      ),
      entry(
        "check",
        "Check a program without running it",
        async () => (await import("./commands/check.js")).check,
      ),
      entry(
        "call",
        "Call one tool and print its answer",
        async () => (await import("./commands/call.js")).call,
      ),
      entry(
        "runs",
        "List stored runs, show one, or export it",
        async () => (await import("./commands/runs.js")).runs,
      ),
      entry(
        "resume",
        "Resume a run that failed, was stopped, waits for an answer or lost its process",
        async () => (await import("./commands/resume.js")).resume,
      ),
      entry(
        "commit",
        "Carry out a plan made by run --plan",
        async () => (await import("./commands/resume.js")).commit,
      ),
      entry(
        "undo",
        "Undo the calls of a run with their inverse calls",
        async () => (await import("./commands/undo.js")).undo,
      ),
      entry(
        "replay",
        "Run a recorded program against its recorded answers",
        async () => (await import("./commands/resume.js")).replay,
      ),
    ],
  },
  {
    title: "Stored data",
    commands: [
      entry(
        "skills",
        "Manage saved programs: list, search, show, run, save, test, accept, delete",
        async () => (await import("./commands/skills.js")).skills,
      ),
      entry(
        "values",
        "List the values that programs stored, or print one",
        async () => (await import("./commands/values.js")).values,
      ),
      entry(
        "sessions",
        "List, show or remove sessions: programs that share variables",
        async () => (await import("./commands/sessions.js")).sessions,
      ),
      entry(
        "workspaces",
        "List or remove workspaces",
        async () => (await import("./commands/workspaces.js")).workspaces,
      ),
      entry(
        "workspace",
        "List or print the files of a workspace",
        async () => (await import("./commands/workspaces.js")).workspace,
      ),
      entry(
        "stats",
        "Show what runs cost the model in tokens, and what they saved",
        async () => (await import("./commands/stats.js")).stats,
      ),
    ],
  },
  {
    title: "For agents and programs",
    commands: [
      entry(
        "serve",
        "Serve agents as an MCP server, over stdio or HTTP",
        async () => (await import("./commands/serve.js")).serve,
      ),
      entry(
        "callers",
        "List, add, renew or remove HTTP callers",
        async () => (await import("./commands/callers.js")).callers,
      ),
      entry(
        "generate",
        "Generate an importable library from your servers",
        async () => (await import("./commands/generate.js")).generate,
      ),
      entry(
        "resources",
        "List the library files that agents can read, or print one",
        async () => (await import("./commands/resources.js")).resources,
      ),
      entry(
        "prompts",
        "List the prompts for agents, or print one",
        async () => (await import("./commands/resources.js")).prompts,
      ),
    ],
  },
  {
    title: "Setup and help",
    commands: [
      entry(
        "setup",
        "Create a Python environment with data libraries, or a container image",
        async () => (await import("./commands/update.js")).setup,
      ),
      entry(
        "completion",
        "Print the completion script for your shell",
        async () => (await import("./commands/completion.js")).completion,
      ),
      entry("version", "Show the version", async () => (await import("./commands/help.js")).version),
      entry(
        "help",
        "Show all commands, or the help of one",
        async () => (await import("./commands/help.js")).help,
      ),
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
