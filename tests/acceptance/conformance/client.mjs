// The coordinator as the client that the conformance suite tests: the suite's server is its only upstream. Argument: the URL of the server.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCoordinator } from "../../../dist/bundle/index.js";

const [url] = process.argv.slice(2);
const { toolCalls } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const server = "subject";
const folder = mkdtempSync(join(tmpdir(), "coordinator-conformance-"));
const coordinator = await openCoordinator({
  config: { mcpServers: { [server]: { url } } },
  settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") },
});

const examples = { number: 3, integer: 3, boolean: true, array: [], object: {} };
/** Arguments that fit a schema of the plain kind that the suite uses. */
const toArguments = ({ properties = {}, required = [] }) =>
  Object.fromEntries(required.map((name) => [name, examples[properties[name]?.type] ?? "x"]));

/** By a program in the sandbox, as agents do; the other scenarios are about the wire, which is the same without one. */
const callByProgram = async ({ name, given }) => {
  const code = `return await callTool(${JSON.stringify(server)}, ${JSON.stringify(name)}, ${JSON.stringify(given)})`;
  const { status, error } = await coordinator.runCode({ code });
  if (status !== "completed") throw new Error(error?.message);
};
/** A person who submits every form unchanged: with the defaults of its fields, or an example if there is none. */
const onQuestion = async ({ schema }) => ({
  answer: schema.type === "object" ? toArguments(withoutDefaults(schema)) : true,
});
const withoutDefaults = ({ properties = {}, required = [] }) => ({
  properties,
  required: required.filter((name) => properties[name]?.default === undefined),
});
const call =
  process.env.MCP_CONFORMANCE_SCENARIO === "tools_call"
    ? callByProgram
    : ({ name, given }) => coordinator.callTool({ server, tool: name, arguments: given, onQuestion });

try {
  const tools = await coordinator.listTools({ server });
  const shown = await Promise.all(tools.map(({ name }) => coordinator.showTool({ server, tool: name })));
  const calls =
    toolCalls?.map((wanted) => ({ name: wanted.name, given: wanted.arguments })) ??
    shown.map(({ name, inputSchema }) => ({
      name,
      // The suite checks whether a schema arrives complete.
      given: name === "json_schema_echo" ? { schema: shown[0].inputSchema } : toArguments(inputSchema),
    }));
  for (const one of calls)
    await call(one).then(
      () => console.log("called", one.name),
      (error) => console.log("failed", one.name, error.message),
    );
} finally {
  await coordinator.close();
  rmSync(folder, { recursive: true, force: true });
}
