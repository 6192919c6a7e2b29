// The demo's data, program and servers.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { toConfiguration, toOrders } from "../../../../../src/surfaces/cli/commands/demo.js";

test("toOrders() generates the same orders every time, each with every field", () => {
  const lines = toOrders(2000).trimEnd().split("\n");
  expect(lines).toHaveLength(2001);
  expect(toOrders(2000)).toBe(toOrders(2000));
  expect(lines.filter((line) => !/^[\w]+,[\w-]+,[\w ]+,\w+,\w+,[\d.a-z]+,\w+$/.test(line))).toEqual([]);
});

test("the demo's program fits a terminal of 80 columns with its line numbers", () => {
  const file = new URL("../../../../../src/surfaces/cli/demo/program.mts", import.meta.url);
  const lines = readFileSync(file, "utf8").split("\n");
  expect(lines.filter((line) => line.length > 74)).toEqual([]);
});

test("toConfiguration() uses the installed servers, so that the demo needs no network", () => {
  const entries = Object.values(toConfiguration("/folder").mcpServers);
  expect(entries.map(({ command }) => command)).toEqual([
    process.execPath,
    process.execPath,
    process.execPath,
  ]);
});
