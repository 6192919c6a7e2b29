// Unknown options: JavaScript users learn where the option belongs.
import { expect, it } from "vitest";
import { type OpenOptions, openCoordinator } from "../../../src/index.js";

it.each([
  [{ mcpServers: {} }, '"mcpServers"', "{ config: { mcpServers: { … } } }"],
  [{ workingfolder: "." }, '"workingfolder"', 'Did you mean "workingFolder"?'],
  [{ zzz: 1 }, '"zzz"', "There are: config, settings,"],
])("%j is refused", async (options, name, hint) => {
  await expect(openCoordinator(options as OpenOptions)).rejects.toMatchObject({
    code: "USAGE",
    message: `Cannot open the coordinator: unknown option ${name}`,
    hint: expect.stringContaining(hint),
  });
});
