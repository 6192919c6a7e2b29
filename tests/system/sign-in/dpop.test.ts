// A server whose tokens are bound to a key of ours (DPoP): sign-in, refresh and restart, with an issuer that wants nonces.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCoordinator } from "../../../src/index.js";
import { openBrowser } from "../../support/browser.js";
import { type RunningFixture, startFixture } from "../../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../../support/open-fixture.js";

let running: RunningFixture;
let opened: OpenFixture;
beforeAll(async () => {
  running = await startFixture("signed-in", ["--dpop"]);
  opened = await openFixture({ linear: { url: `http://127.0.0.1:${running.port}/mcp` } }, { vault: "file" });
});
afterAll(async () => {
  await opened.close();
  await running.stop();
});
const control = async (what: string): Promise<string> =>
  (await fetch(`http://127.0.0.1:${running.port}/control/${what}`)).text();
const call = { server: "linear", tool: "whoami", arguments: {} };

test("tokens are bound to a key that outlives the process, even after they were renewed", async () => {
  const { coordinator, folder } = opened;
  await coordinator.login({
    server: "linear",
    onAddress: async (url) => void (await openBrowser().open(url)),
  });
  expect(await coordinator.callTool(call)).toBe("ada");
  await control("expire");
  expect(await Promise.all([1, 2, 3].map(() => coordinator.callTool(call)))).toEqual(["ada", "ada", "ada"]);
  const other = await openCoordinator({
    config: { mcpServers: { linear: { url: `http://127.0.0.1:${running.port}/mcp` } } },
    settings: { cacheFolder: `${folder}/cache-2`, stateFolder: `${folder}/state`, vault: "file" },
  });
  expect(await other.callTool(call)).toBe("ada");
  await other.close();
  // The answer to a thief who has only the token.
  const [token] = (await control("tokens")).split(" ");
  for (const scheme of ["Bearer", "DPoP"])
    expect(
      (
        await fetch(`http://127.0.0.1:${running.port}/mcp`, {
          method: "POST",
          headers: { authorization: `${scheme} ${token}` },
          body: "{}",
        })
      ).status,
    ).toBe(401);
});
