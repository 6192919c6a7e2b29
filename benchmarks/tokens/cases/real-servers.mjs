// The recorded definitions of 187 published servers together: a message and an issue among 5,375 tools.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A replayed server answers with the arguments that it received. */
export const task = {
  name: "real-servers",
  title: "Two calls over 187 real servers",
  question:
    "Create a Linear issue in team ENG titled 'Login fails on Safari', then post its title to the Discord channel 1234567890.",
  *direct() {
    const issue = { title: "Login fails on Safari", teamId: "ENG" };
    const [made] = yield [["linear-mcp-server", "linear_create_issue", issue]];
    const { title } = JSON.parse(made).arguments;
    const [sent] = yield [["mcp-discord", "discord_send", { channelId: "1234567890", message: title }]];
    return `Created "${title}" and posted it to ${JSON.parse(sent).arguments.channelId}.`;
  },
  code: {
    needs: ["linearMcpServer.linearCreateIssue", "mcpDiscord.discordSend"],
    searches: [{ query: "create a Linear issue" }, { query: "send a message to a Discord channel" }],
    programs: [
      `import { linearCreateIssue } from "servers/linear-mcp-server";
import { discordSend } from "servers/mcp-discord";
const made = await linearCreateIssue({ title: "Login fails on Safari", teamId: "ENG" });
const sent = await discordSend({ channelId: "1234567890", message: made.arguments.title });
return { title: made.arguments.title, channel: sent.arguments.channelId };`,
    ],
    toAnswer: (output) => {
      const { title, channel } = JSON.parse(output);
      return `Created "${title}" and posted it to ${channel}.`;
    },
  },
};

/** Name → recording, of every recorded server. */
export const readRecordings = (folder) =>
  readdirSync(join(folder, "servers"))
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => {
      const path = join(folder, "servers", name);
      return { name: name.replace(/\.json$/, ""), path, tools: JSON.parse(readFileSync(path, "utf8")).tools };
    });
