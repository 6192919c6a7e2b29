// A task picks the few tools it needs: the others are absent or marked as guesses.
import { describe, expect, it } from "vitest";
import { buildSearchIndex, type SearchableTool } from "../../../src/search/index.js";

const tool = (
  server: string,
  name: string,
  description: string,
  ...parameters: readonly string[]
): SearchableTool => ({
  server,
  name,
  description,
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(parameters.map((parameter) => [parameter, { type: "string" }])),
  },
});

/** Eleven tools of four servers. */
const tools = [
  tool("calculator", "add", "Add two numbers together", "a", "b"),
  tool("calculator", "subtract", "Subtract one number from another", "a", "b"),
  tool("calculator", "multiply", "Multiply two numbers", "a", "b"),
  tool("calculator", "divide", "Divide one number by another", "a", "b"),
  tool("weather", "get_current_weather", "Get the current weather for a city", "city", "units"),
  tool("weather", "get_forecast", "Get a weather forecast for the coming days", "city", "days"),
  tool("filesystem", "read_file", "Read the contents of a file", "path"),
  tool("filesystem", "write_file", "Write text to a file", "path", "content"),
  tool("filesystem", "list_directory", "List the files of a directory", "path"),
  tool("database", "query", "Run a SQL query against the database", "sql"),
  tool("database", "list_tables", "List all tables of the database"),
];

const select = (task: string): readonly string[] =>
  buildSearchIndex(tools)
    .search(task, { limit: 11 })
    .hits.filter(({ isWeak }) => !isWeak)
    .map(({ tool: found }) => found.server);

describe("search for a task", () => {
  it.each([
    ["Calculate 5 + 3", "calculator"],
    ["calculate 12 * 7 for me", "calculator"],
    ["What is the weather in Paris tomorrow?", "weather"],
    ["Read config.json and tell me what is in it", "filesystem"],
    ["How many tables does the database have?", "database"],
  ])("picks for %j only tools of the %s", (task, server) => {
    const servers = select(task);
    expect(servers.length).toBeGreaterThan(0);
    expect(new Set(servers)).toEqual(new Set([server]));
  });
});
