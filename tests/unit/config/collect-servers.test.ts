// Entries that would start mcp-coordinator itself.
import { describe, expect, it } from "vitest";
import { isOwnEntry } from "../../../src/config/collect-servers.js";

const isOwn = ([command = "", ...args]: readonly string[]): boolean =>
  isOwnEntry({ command, args, isFolder: (path) => path === "/code/mcp-coordinator" });

describe("isOwnEntry()", () => {
  it.each([
    [["mcp-coordinator", "serve"]],
    [["/usr/local/bin/mcp-coordinator"]],
    [["C:\\tools\\mcp-coordinator.cmd"]],
    [["npx", "-y", "mcp-coordinator"]],
    [["npx", "-y", "mcp-coordinator@1.2.3", "serve"]],
    [["npx", "--package=mcp-coordinator", "x"]],
    [["npx", "github:someone/mcp-coordinator"]],
    [["cmd", "/c", "npx", "-y", "mcp-coordinator@latest"]],
    [["sh", "-lc", "exec npx -y mcp-coordinator serve"]],
    [["node", "/opt/app/bin/mcp-coordinator.mjs", "serve"]],
    [["node", "bin/mcp-coordinator.mjs"]],
  ])("recognizes %j", (words) => {
    expect(isOwn(words)).toBe(true);
  });

  it.each([
    [["npx", "-y", "some-server"]],
    [["my-mcp-coordinator"]],
    [["npx", "mcp-coordinator-extras"]],
    [["npx", "server-filesystem", "/code/mcp-coordinator"]],
    [["uvx", "mcp-server-git", "--repository=/code/mcp-coordinator"]],
    [["fetcher", "https://example.com/mcp-coordinator"]],
    [["notes", "a text about mcp-coordinator"]],
  ])("does not match %j", (words) => {
    expect(isOwn(words)).toBe(false);
  });
});
