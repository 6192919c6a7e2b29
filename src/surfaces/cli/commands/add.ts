// `add` and `remove`: edit one server in our configuration; a new one is tested at once.
import { type CoordinatorError, type LaunchSummary, toCoordinatorError } from "../../../contracts/index.js";
import { type Command, type CommandContext, type GivenOptions, toExitCode } from "../command.js";
import { readChoice, readText, scopeOption, scopes, usage } from "../read-words.js";
import { noteError } from "../render/error.js";
import { plural, shortenHome, toPlainText } from "../render/plain-text.js";
import { noteCommand } from "../render/run.js";
import { describeLaunch } from "../render/servers.js";

/** `NAME=VALUE` texts of an option as one object. */
const readPairs = ({ texts }: GivenOptions, option: string): Readonly<Record<string, string>> | undefined => {
  const pairs = texts[option]?.map((text) => {
    const at = text.indexOf("=");
    if (at < 1) throw usage(`read "--${option}"`, `it is "${text}", expected NAME=VALUE`, "add");
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  return pairs === undefined ? undefined : Object.fromEntries(pairs);
};

const readEntry = (words: readonly string[], options: GivenOptions): Readonly<Record<string, unknown>> => {
  const [command, ...args] = words;
  const env = readPairs(options, "env");
  const headers = readPairs(options, "header");
  if (command === undefined)
    throw usage(
      "add a server",
      'there is neither a command after "--" nor a URL',
      "add",
      'Give one of them, e.g. "mcp-coordinator add NAME -- npx -y PACKAGE".',
    );
  const [, scheme] = /^([a-z][a-z\d+.-]+):\/\//i.exec(command) ?? [];
  const isAddress = scheme !== undefined;
  if (isAddress && !/^https?$/i.test(scheme))
    throw usage(
      "add a server",
      `"${command}" is a URL with "${scheme}://", expected "https://" or "http://"`,
      "add",
      'Give the URL of its MCP endpoint, or after "--" the command that starts it.',
    );
  if (isAddress && args.length > 0)
    throw usage("add a server", `"${args.join(" ")}" follows its URL, expected nothing`, "add");
  if (isAddress ? env !== undefined : headers !== undefined)
    throw usage(
      "add a server",
      isAddress ? "--env is for a command, expected --header" : "--header is for a URL, expected --env",
      "add",
    );
  return isAddress
    ? { url: command, ...(headers === undefined ? {} : { headers }) }
    : { command, ...(args.length === 0 ? {} : { args }), ...(env === undefined ? {} : { env }) };
};

interface TriedServer {
  readonly tools?: readonly string[] | undefined;
  readonly counts?: Readonly<Record<string, number>> | undefined;
  readonly launch?: LaunchSummary | undefined;
  readonly error?: CoordinatorError | undefined;
  /** The command that signs in, if all that is missing is a person. */
  readonly login?: string | undefined;
}

/** "9 tools and 1 prompt". */
const renderCounts = (counts: Readonly<Record<string, number>>): string => {
  const parts = Object.entries(counts)
    .filter(([what, count]) => count > 0 || what === "tool")
    .map(([what, count]) => plural(count, what));
  const last = parts.pop() ?? "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
};

/** Asks for trust like every command, installs its package and starts it. */
const tryServer = async (
  { screen, open }: CommandContext,
  name: string,
  config: string,
): Promise<TriedServer> => {
  let login: string | undefined;
  try {
    const coordinator = await open({ config: [config], trustsNamed: false, isQuiet: true });
    login = coordinator.toCommand(["login", name]);
    const [fetched] = await screen.during("installing", coordinator.fetchServers({ servers: [name] }));
    if (fetched?.error !== undefined) return { launch: fetched.launch, error: fetched.error };
    await screen.during("starting it", coordinator.listTools({ server: name, refresh: true }));
    const { tools, resources, prompts } = await coordinator.showServer({ server: name });
    const counts = { tool: tools.length, resource: resources.length, prompt: prompts.length };
    return { launch: fetched?.launch, tools: tools.map((tool) => tool.name), counts };
  } catch (thrown) {
    const error = toCoordinatorError(thrown);
    return { error, login: error.code === "SIGN_IN_NEEDED" ? login : undefined };
  }
};

export const add: Command = {
  name: "add",
  usage: ["add NAME [--env NAME=VALUE]... -- PROGRAM [ARGUMENT]...", "add NAME URL [--header NAME=VALUE]..."],
  description:
    "Writes the server to your own configuration, with --scope project to mcp-coordinator.json in this folder, or to the file given with --config. Then installs its package and starts it once. If that fails, the server stays in the file, and the message says what is wrong. A server that requires a sign-in counts as added, and the command to sign in is printed. Write secrets as references, 'TOKEN=${GITHUB_TOKEN}', so that the file contains no secrets.",
  examples: [
    [
      "mcp-coordinator add files -- npx -y @modelcontextprotocol/server-filesystem .",
      "A server from a package",
    ],
    ["mcp-coordinator add docs https://mcp.example.com/ --header 'X-Key=${KEY}'", "A remote server"],
  ],
  options: {
    env: {
      type: "string",
      multiple: true,
      value: "NAME=VALUE",
      summary: "An environment variable for its process (repeatable)",
    },
    header: {
      type: "string",
      multiple: true,
      value: "NAME=VALUE",
      summary: "A header for its requests (repeatable)",
    },
    scope: scopeOption,
  },
  run: async (context) => {
    const { screen, words, options } = context;
    const [name, ...target] = words;
    if (name === undefined) throw usage("add a server", "its name is missing, expected NAME", "add");
    const scope = readChoice(options, "scope", scopes, "add") ?? "user";
    const { addEntry } = await import("../../../coordinator/index.js");
    const entry = readEntry(target, options);
    const { path } = await addEntry({ name, entry, scope, config: readText(options, "config") });
    if (!screen.isJson)
      screen.print(`${screen.style("green", "added")} ${toPlainText(name)} to ${shortenHome(path)}`);
    const { tools, counts, launch, error, login } = await tryServer(context, name, path);
    if (screen.isJson) screen.document({ name, path, tools, launch, error });
    else {
      const start = describeLaunch(screen, launch);
      if (start !== undefined) screen.say(`    ${screen.style("dim", toPlainText(start))}`);
      if (counts !== undefined) screen.print(`It works, and has ${renderCounts(counts)}`);
      const found = launch?.package;
      if (found !== undefined && !screen.isVerbose)
        screen.print(screen.style("dim", toPlainText(`${found.name} ${found.version}`)));
      if (login !== undefined) noteCommand(screen, "It requires a sign-in. This signs in", login);
      else if (error !== undefined) noteError(screen, error);
    }
    return error === undefined || login !== undefined ? 0 : toExitCode(error);
  },
};

export const remove: Command = {
  name: "remove",
  usage: ["remove SERVER"],
  description:
    "Removes a server from mcp-coordinator.json in this folder, otherwise from your own configuration, or from the file given with --config. Its package is removed from the cache after 30 days without use.",
  examples: [["mcp-coordinator remove files", "The opposite of add"]],
  options: {},
  run: async ({ screen, words, options }) => {
    const [name, ...more] = words;
    if (name === undefined || more.length > 0) throw usage("remove a server", "expected one name", "remove");
    const { removeEntry } = await import("../../../coordinator/index.js");
    const result = await removeEntry({ name, config: readText(options, "config") });
    if (screen.isJson) screen.document(result);
    else
      screen.print(
        `${screen.style("green", "removed")} ${toPlainText(name)} from ${shortenHome(result.path)}`,
      );
    return 0;
  },
};
