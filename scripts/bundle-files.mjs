// Generates the manifest of an MCPB bundle and the entry of the MCP registry from package.json.
const schema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
const title = "MCP coordinator";
/** The registry allows 100 characters. */
const summary =
  "Your MCP servers as typed libraries: agents write one program, only its result reaches the model.";

export const toManifest = ({ name, version, description, license, keywords, engines }, platform) => ({
  manifest_version: "0.3",
  name,
  display_name: title,
  version,
  description,
  author: { name: "The mcp-coordinator authors" },
  license,
  keywords,
  server: {
    type: "node",
    entry_point: "bin/mcp-coordinator.mjs",
    mcp_config: {
      command: "node",
      args: ["${__dirname}/bin/mcp-coordinator.mjs", "serve", "--config", "${user_config.config}"],
    },
  },
  tools: [
    { name: "run_code", description: "Runs a program that uses the connected services" },
    { name: "search_tools", description: "Finds functions of the connected services" },
  ],
  user_config: {
    config: {
      type: "file",
      title: "Your servers",
      description: 'A file with your MCP servers under "mcpServers" or "servers"',
      required: true,
    },
  },
  compatibility: { platforms: [platform], runtimes: { node: engines.node } },
});

export const toRegistryEntry = ({ name, version, mcpName }) => ({
  $schema: schema,
  name: mcpName,
  title,
  description: summary,
  version,
  packages: [
    {
      registryType: "npm",
      identifier: name,
      version,
      transport: { type: "stdio" },
      packageArguments: [
        { type: "positional", value: "serve" },
        {
          type: "named",
          name: "--config",
          description: "A file with your MCP servers",
          format: "filepath",
          isRequired: true,
        },
      ],
    },
  ],
});
