// Servers from the npm registry, started as in their READMEs, each with a call that needs no network. FOLDER is a folder of files.
const server = (name, spec, call, more = {}) => ({ name, spec, call, args: [], env: {}, ...more });

export const published = [
  server("everything", "@modelcontextprotocol/server-everything", ["echo", { message: "hi" }]),
  server("filesystem", "@modelcontextprotocol/server-filesystem", ["list_directory", { path: "FOLDER" }], {
    args: ["FOLDER"],
  }),
  server("memory", "@modelcontextprotocol/server-memory", ["read_graph", {}], {
    env: { MEMORY_FILE_PATH: "FOLDER/memory.json" },
  }),
  server("thinking", "@modelcontextprotocol/server-sequential-thinking", [
    "sequentialthinking",
    { thought: "first", nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 },
  ]),
  server("monitor", "@modelcontextprotocol/server-system-monitor", ["get-system-info", {}], {
    args: ["--stdio"],
  }),
  server("scenarios", "@modelcontextprotocol/server-scenario-modeler", ["get-scenario-data", {}], {
    args: ["--stdio"],
  }),
  server("segments", "@modelcontextprotocol/server-customer-segmentation", ["get-customer-data", {}], {
    args: ["--stdio"],
  }),
  server("pdf", "@modelcontextprotocol/server-pdf", ["list_pdfs", {}], { args: ["--stdio"] }),
  server("git", "@cyanheads/git-mcp-server@2.15.3", ["git_status", { path: "FOLDER" }], {
    env: { MCP_TRANSPORT_TYPE: "stdio" },
  }),
  server("gitlog", "mcp-git", ["git_status", { repo_path: "FOLDER" }]),
  server("sqlite", "mcp-server-sqlite-npx@0.8.0", ["list_tables", {}], { args: ["FOLDER/test.db"] }),
  server("dbhub", "@bytebase/dbhub@1.4.0", ["search_objects", { object_type: "table", pattern: "%" }], {
    args: ["--transport", "stdio", "--dsn", "sqlite://FOLDER/test.db"],
  }),
  server("commander", "@wonderwhy-er/desktop-commander@0.2.52", ["list_directory", { path: "FOLDER" }]),
  server("n8n", "n8n-mcp@2.87.0", ["search_nodes", { query: "slack", limit: 3 }], {
    env: { MCP_MODE: "stdio", LOG_LEVEL: "error", DISABLE_CONSOLE_OUTPUT: "true" },
  }),
  server(
    "mapbox",
    "@mapbox/mcp-server@0.14.0",
    [
      "bbox_tool",
      {
        geometry: [
          [0, 0],
          [2, 3],
          [1, 5],
        ],
      },
    ],
    { env: { MAPBOX_ACCESS_TOKEN: "pk.eyJ1IjoiYSJ9.b" } },
  ),
  server("obsidian", "obsidian-mcp@2.0.1", ["obsidian_list_vaults", {}], { args: ["FOLDER/vault"] }),
  server("notes", "mcp-obsidian", ["search_notes", { query: "README" }], { args: ["FOLDER"] }),
  server("echarts", "mcp-echarts", [
    "generate_bar_chart",
    {
      data: [
        { category: "a", value: 1 },
        { category: "b", value: 2 },
      ],
      outputType: "svg",
    },
  ]),
  server("calculator", "@wrtnlabs/calculator-mcp@latest", ["add", { a: 2, b: 3 }]),
  server("tasks", "@kazuph/mcp-taskmanager", ["list_requests", {}]),
  server("shrimp", "mcp-shrimp-task-manager@1.0.21", ["list_tasks", { status: "all" }], {
    env: { DATA_DIR: "FOLDER/shrimp", ENABLE_GUI: "false" },
  }),
  server("bank", "@allpepper/memory-bank-mcp", ["list_projects", {}], {
    env: { MEMORY_BANK_ROOT: "FOLDER" },
  }),
  server("graph", "@itseasy21/mcp-knowledge-graph", ["read_graph", {}], {
    env: { MEMORY_FILE_PATH: "FOLDER/graph.json" },
  }),
  server("files", "@shtse8/filesystem-mcp", ["list_files", { path: "." }]),
  server("antd", "@ant-design/cli@6.6.5", ["antd_list", {}], { args: ["mcp"] }),
  server("kubernetes", "kubernetes-mcp-server@0.0.67", ["configuration_view", {}]),
  server("roots", "@j0hanz/filesystem-mcp", ["list_roots", {}], { args: ["FOLDER"] }),
  server("commands", "mcp-server-commands@0.5.0", ["run_command", { command: "ls -1" }]),
  server("primevue", "@primevue/mcp@5.0.1", ["list", { kind: "components", limit: 3 }]),
];

const fill = (value, folder) => JSON.parse(JSON.stringify(value).replaceAll("FOLDER", folder));

/** The entry that a configuration has for it. */
export const toEntry = ({ spec, args, env }, folder) => ({
  command: "npx",
  args: ["-y", spec, ...fill(args, folder)],
  env: fill(env, folder),
  cwd: folder,
});

export const toCall = ({ name, call: [tool, given] }, folder) =>
  `return await callTool(${JSON.stringify(name)}, ${JSON.stringify(tool)}, ${JSON.stringify(fill(given, folder))});`;
