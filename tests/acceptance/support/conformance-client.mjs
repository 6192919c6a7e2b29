// The coordinator as the client that the conformance suite tests: the suite's server is its only upstream, called from a program. Argument: the server's address.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCoordinator } from "../../../dist/bundle/index.js";

const [url] = process.argv.slice(2);
const { toolCalls } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const folder = mkdtempSync(join(tmpdir(), "coordinator-conformance-"));
const coordinator = await openCoordinator({
  config: { mcpServers: { subject: { url } } },
  settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") },
});

/** Arguments that fit a schema of the plain kind that the suite uses. */
const toArguments = ({ properties = {}, required = [] }) =>
  Object.fromEntries(
    required.map((name) => [
      name,
      { number: 3, integer: 3, boolean: true, array: [], object: {} }[properties[name]?.type] ?? "x",
    ]),
  );

try {
  const tools = await coordinator.listTools({ server: "subject" });
  const shown = await Promise.all(
    tools.map(({ name }) => coordinator.showTool({ server: "subject", tool: name })),
  );
  const calls =
    toolCalls?.map((call) => ({ name: call.name, given: call.arguments })) ??
    shown.map(({ name, inputSchema }) => ({ name, given: toArguments(inputSchema) }));
  const code = `for (const { name, given } of ${JSON.stringify(calls)})
    await callTool("subject", name, given).then(() => console.log("called", name), (error) => console.log("failed", name, error.code, error.message));`;
  const result = await coordinator.runCode({ code });
  const { prompts = [], resources = [] } = await coordinator.showServer({ server: "subject" });
  console.log(
    JSON.stringify({
      status: result.status,
      error: result.error,
      logs: result.logs,
      prompts: prompts.length,
      resources: resources.length,
    }),
  );
} finally {
  await coordinator.close();
  rmSync(folder, { recursive: true, force: true });
}
