// Unknown options: JavaScript users learn where the option belongs.
import { expect, it } from "vitest";
import { checkNode } from "../../../src/coordinator/host/open-options.js";
import { type OpenOptions, openCoordinator } from "../../../src/index.js";

it.each([
  [{ mcpServers: {} }, '"mcpServers"', "{ config: { mcpServers: { … } } }"],
  [{ workingfolder: "." }, '"workingfolder"', 'Did you mean "workingFolder"?'],
  [{ zzz: 1 }, '"zzz"', "There are: config, project,"],
])("the options %j are refused", async (options, name, hint) => {
  await expect(openCoordinator(options as OpenOptions)).rejects.toMatchObject({
    code: "USAGE",
    message: `Cannot open the coordinator: unknown option ${name}`,
    hint: expect.stringContaining(hint),
  });
});

it.each(["20.20.2", "22.12.9"])("Node %s is refused with the version that is needed", (version) => {
  expect(() => checkNode(version)).toThrow(`this is Node ${version}, expected 22.13 or newer`);
});

it.each(["22.13.0", "24.0.0"])("Node %s is accepted", (version) => {
  expect(() => checkNode(version)).not.toThrow();
});
