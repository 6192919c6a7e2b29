// @utcp/code-mode: isolated-vm in this process. It connects to the servers itself.

export const ownConnections = true;

const toManual = ([name, { command, args, env }]) => ({
  name,
  call_template_type: "mcp",
  config: { mcpServers: { [name]: { transport: "stdio", command, args, ...(env && { env }) } } },
});
const codeSchema = { type: "object", properties: { code: { type: "string" } }, required: ["code"] };

export const create = async ({ mcpServers, limitMs, isRaised, load }) => {
  const { CodeModeUtcpClient } = await load("@utcp/code-mode");
  await load("@utcp/mcp");
  const templates = Object.entries(mcpServers).map(toManual);
  const client = await CodeModeUtcpClient.create(process.cwd(), { manual_call_templates: templates });
  return {
    instructions: CodeModeUtcpClient.AGENT_PROMPT_TEMPLATE,
    list: [{ name: "call_tool_chain", description: "Execute TypeScript code.", inputSchema: codeSchema }],
    // The library reports no errors: it answers null and a log line.
    run: async (code) => ({
      value: (await client.callToolChain(code, limitMs, isRaised ? 512 : 128)).result,
    }),
  };
};
