// What is suggested for a command that does not exist.
import { expect, test } from "vitest";
import { commandGroups, findCommand } from "../../../../src/surfaces/cli/command-table.js";

test.each([
  ["sevre", "serve"],
  ["server", "serve"],
  ["Tool", "tools"],
  ["serach", "search"],
])("findCommand() suggests the nearest command for %s: %s", async (word, wanted) => {
  await expect(findCommand(word)).rejects.toMatchObject({ hint: `Did you mean "${wanted}"?` });
});

test("findCommand() suggests nothing that is far away", async () => {
  await expect(findCommand("kubernetes")).rejects.toMatchObject({
    hint: 'Run "mcp-coordinator help" to see every command.',
  });
});

test("findCommand() finds a command by its earlier name, and no list shows that name", async () => {
  expect((await findCommand("kept")).name).toBe("values");
  expect(commandGroups.flatMap(({ commands }) => commands.map(({ name }) => name))).not.toContain("kept");
});
