// The manual for writing programs, on one page for a model: how to call a tool, how to find one, and what is connected.
import { toPackageNames } from "../../codegen/index.js";
import { type Language, ownObject } from "../../contracts/index.js";
import { listAdapters } from "../../store/index.js";
import { toAdapterPlace } from "../checks/collect-adapters.js";
import type { Host } from "../host/host.js";
import { topFolders } from "../library/library-addresses.js";

const maxServers = 60;

const pages: Readonly<Record<Language, (server: string) => string>> = {
  typescript: (server) => `# Programs in TypeScript

A program has imports, top-level \`await\` and \`return\`; you see only what it prints or returns.

- Call a tool: \`import { toolName } from "servers/${server}"\`, or \`${server}.toolName({ … })\`; \`toolName.raw({ … })\` returns the whole MCP result.
- Calls overlap with \`Promise.all\`. A failing tool throws a \`ToolError\` with a \`code\`.
- Discover tools, with \`await\`: \`listServers()\`, \`listTools(server?)\`, \`searchTools(words, { limit, detail, server })\`, \`describeTool("${server}.toolName")\`, \`describeServer(server)\`, \`getToolSchema(server, tool)\`; also from \`"servers"\`.
- Saved skills: \`import { name } from "skills/its-name"\`; find them with \`searchTools\` or \`await skills.list()\`. Keep what works: \`await skills.save({ name, description, code, parameters: { repo: "the literal in the code" } })\`.
- Filter, join and sum up in the program: return the answer, not the data.
- Large data stays outside: \`const big = await toolName.keep({ … })\` returns a handle; \`peek(big)\`, \`page(big, { path, offset, limit })\`, \`query(big, { path, where, select, count })\`, and as an argument of another tool it stands for its content. \`stored(id)\` finds it in a later program, \`keep(value)\` stores a value.
- Return files and images: \`artifact("chart.png", bytes, "image/png")\`.
- Mistakes are reported before anything runs, with the line and the fix.
- Files persist between runs: \`fs\` is \`fs/promises\`, paths under \`./workspace/\`; \`workspace.readJson(path)\`, \`writeJson\`, \`readCsv\`, \`writeCsv\`, \`readText\`, \`writeText\`, \`list\`, \`exists\`, \`delete\`.
- Values persist, too: \`memory.save(key, value)\`, \`load\`, \`update(key, change)\`, \`delete\`, \`list\`, \`exists\`, \`info\`; \`saveState(value)\`, \`getState()\`; also from \`"workspace"\`.
- Ask a person with \`await ask("Which?")\`, \`ask("Which?", { choices: ["a", "b"] })\` or \`ask("Sure?", { schema: { type: "boolean" } })\`: the run pauses until there is an answer.
- \`run_code\` also takes \`plan: true\`: reads are made, writes are listed, and \`choose: "commit"\` with \`resume\` makes exactly these, unless one was made after inspecting a planned call's answer, which is made up.
- No network, and only the configured packages.
- Read \`library://servers/${server}\` for a server's tools, \`library://servers/${server}/toolName.ts\` for one tool's types.
`,
  python: (server) => `# Programs in Python

A program is Python 3 with top-level \`await\` and \`return\`; you see only what it prints or returns, including the last expression.

- Call a tool: \`from mcp_tools.${server} import tool_name\`, or \`${server}.tool_name(field=value)\`; \`tool_name.raw(…)\` returns the whole MCP result.
- Calls work with and without \`await\`, and overlap with \`asyncio.gather\`. A failing tool raises a \`ToolError\` with a \`code\`.
- Discover tools: \`list_servers()\`, \`list_tools(server, detailed=False)\`, \`search_tools(words, limit=5, detail="summary")\`, \`describe_tool("${server}.tool_name")\`, \`describe_server(name)\`, \`get_tool_schema(server, tool)\`, \`query_tool_docs(server, tool=None, detail="summary")\`; also from \`mcp_tools\` and as \`runtime.…\`.
- Saved skills: \`from skills.its_name import its_name\`; find them with \`search_tools\` or \`skills.list()\`. Keep what works: \`save_tool(function)\` or \`skills.save(name=…, description=…, code=…)\`.
- Filter, join and sum up in the program: return the answer, not the data.
- Large data stays outside: \`big = tool_name.keep(…)\` returns a handle; \`peek(big)\`, \`page(big, path=…, offset=…, limit=…)\`, \`query(big, path=…, where=…, select=…, count=…)\`, and as an argument of another tool it stands for its content. \`stored(id)\` finds it in a later program, \`keep(value)\` stores a value.
- Return files and images: \`artifact("chart.png", data, "image/png")\`.
- Files persist between runs: \`open("workspace/…")\`, \`pathlib\`, \`os\`; \`workspace.read_json(path)\`, \`write_json\`, \`read_csv\`, \`write_csv\`, \`read_text\`, \`write_text\`, \`list\`, \`exists\`, \`delete\`.
- Values persist, too: \`memory.save(key, value)\`, \`load\`, \`update(key, change)\`, \`delete\`, \`list\`, \`exists\`, \`info\`; \`save_state(value)\`, \`get_state()\`; also from \`workspace\`.
- Ask a person with \`ask("Which?")\`, \`ask("Which?", choices=["a", "b"])\` or \`ask("Sure?", schema={"type": "boolean"})\`: the run pauses until there is an answer.
- \`run_code\` also takes \`plan: true\`: reads are made, writes are listed, and \`choose: "commit"\` with \`resume\` makes exactly these, unless one was made after inspecting a planned call's answer, which is made up.
- No network.
- Read \`library://mcp_tools/${server}\` for a server's tools, \`library://mcp_tools/${server}/tool_name.py\` for one tool's types.
`,
};

/** Our own global objects. A server of the same name shadows them. */
const ownObjects = ["memory", "workspace", "skills", "fs"];

/** Starts no server. Tool counts appear if known. */
export const readManual = async (host: Host, language: Language): Promise<string> => {
  const enabled = host.configuration.servers.filter(({ isEnabled }) => isEnabled);
  const names = language === "python" ? toPackageNames(host.identifiers) : host.identifiers;
  const lines = await Promise.all(
    enabled.slice(0, maxServers).map(async ({ name, description }) => {
      const folder = names.get(name) ?? name;
      const listing = await host.upstreams.peek(name).catch(() => undefined);
      const place = toAdapterPlace(host, `${topFolders[language]}/${folder}`);
      const adapters = place === undefined ? [] : await listAdapters(place);
      const facts = [
        ...(description === undefined ? [] : [description.replace(/\s+/g, " ").slice(0, 160)]),
        ...(listing === undefined ? [] : [`${listing.tools.length} tools`]),
        ...(adapters.length === 0 ? [] : [`adapters: ${adapters.slice(0, 20).join(", ")}`]),
      ];
      return `- \`${folder}\`${facts.length === 0 ? "" : `: ${facts.join("; ")}`}\n`;
    }),
  );
  const more = enabled.length - lines.length;
  const [first] = enabled;
  const taken = enabled
    .map(({ name }) => names.get(name) ?? name)
    .filter((name) => ownObjects.includes(name));
  return [
    pages[language](first === undefined ? "<server>" : (names.get(first.name) ?? first.name)),
    ...taken.map((name) => `- Here \`${name}\` is a server. Ours: \`${ownObject.name}.${name}\`.\n`),
    `\n## Connected servers\n\n${lines.join("") || "None.\n"}`,
    more > 0 ? `- and ${more} more: \`library://${topFolders[language]}/README.md\`\n` : "",
  ].join("");
};
