// The first hour: what a person types after the installation, and the screens that are stored.

const note = "notes.txt";
const write = `await filesystem.writeFile({ path: "${note}", content: "milk" })`;

/**
 * Each step types a line. `screen` is stored when the command has ended, or at the moments that `during` names. RUN stands for the id that
 * the last screen showed.
 */
export const story = [
  { screen: "help", line: "mcp-coordinator" },
  { screen: "demo", line: "mcp-coordinator demo" },
  {
    screen: "init",
    line: "mcp-coordinator init",
    during: [
      { screen: "init-picker", shown: "Enter continues", press: "Enter" },
      { screen: "init-question", shown: "Ask you before", press: "y" },
      { screen: "init-confirm", shown: "Do it?", press: "Enter" },
    ],
  },
  { screen: "servers", line: "mcp-coordinator servers" },
  { screen: "servers-of-client", line: "mcp-coordinator servers --client claude-code" },
  { screen: "doctor", line: "mcp-coordinator doctor" },
  { screen: "search", line: 'mcp-coordinator search "read a file"' },
  { screen: "run", line: "mcp-coordinator run -e 'return await filesystem.listDirectory({ path: \".\" })'" },
  {
    screen: "refused",
    line: "mcp-coordinator run -e 'return await filesystem.readTextFile({ file: \"todo.md\" })'",
  },
  { screen: "plan", line: `mcp-coordinator run --plan -e '${write}'` },
  {
    screen: "approval",
    line: `mcp-coordinator run -e '${write}; return "written"'`,
    during: [{ screen: "approval-question", shown: "Enter to refuse:", press: "C-d" }],
  },
  {
    screen: "resume",
    line: "mcp-coordinator resume RUN",
    during: [{ shown: "Enter to refuse:", typeCode: true, press: "Enter" }],
  },
  { screen: "runs", line: "mcp-coordinator runs" },
  { screen: "stats", line: "mcp-coordinator stats" },
  {
    screen: "eject",
    line: "mcp-coordinator eject",
    during: [{ screen: "eject-question", shown: "[Y/n", press: "Enter" }],
  },
];
