// A server that was upgraded since it was listed: nothing is refused because of what it used to offer.
import { writeFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type OpenedCoordinator, openCoordinator } from "../../src/index.js";
import { fixturePath } from "../support/fixture-servers.js";
import { temporaryFolder } from "../support/temporary-folder.js";

interface Upgraded {
  readonly folder: string;
  /** A coordinator that knows the server from what an earlier process listed. */
  readonly open: () => Promise<OpenedCoordinator>;
}

/** Lists a server, then upgrades it: `upgrade` is the file that its new version has. */
const listThenUpgrade = async (fixture: string, flag: string, upgrade: string): Promise<Upgraded> => {
  const folder = await temporaryFolder();
  const file = join(folder, "upgrade");
  const open = async (): Promise<OpenedCoordinator> => {
    const coordinator = await openCoordinator({
      config: {
        mcpServers: { shop: { command: process.execPath, args: [fixturePath(fixture), flag, file] } },
      },
      settings: { cacheFolder: join(folder, "cache"), stateFolder: join(folder, "state") },
    });
    onTestFinished(() => coordinator.close());
    return coordinator;
  };
  const first = await open();
  await first.listTools();
  await first.close();
  writeFileSync(file, upgrade);
  return { folder, open };
};

const changed = () => listThenUpgrade("changes-tools", "--file", "fresh\n");
const strict = () => listThenUpgrade("grows-strict", "--strict", "");

it.each([
  ["typescript", "return await shop.fresh({})"],
  ["typescript", 'import { fresh } from "servers/shop";\nreturn await fresh({})'],
  ["python", "return shop.fresh()"],
] as const)("a tool that came with an upgrade is not refused in %s: %s", async (language, code) => {
  const coordinator = await (await changed()).open();
  const result = await coordinator.runCode({ code, language });
  expect(result.error).toBeUndefined();
  expect(result.value).toBe("this is fresh");
});

it("a tool that came with an upgrade is found when its name is only known at run time", async () => {
  const coordinator = await (await changed()).open();
  const { value } = await coordinator.runCode({ code: 'return await shop["fre" + "sh"]({})' });
  expect(value).toBe("this is fresh");
});

it("a tool that came with an upgrade can be called and shown without a program", async () => {
  const { open } = await changed();
  expect(await (await open()).callTool({ server: "shop", tool: "fresh" })).toBe("this is fresh");
  const { open: openAnother } = await changed();
  expect(await (await openAnother()).showTool({ server: "shop", tool: "fresh" })).toMatchObject({
    name: "fresh",
  });
});

it.each([
  ["the check", 'return await shop.greet({ name: "Ada", language: "de" })'],
  [
    "the bridge",
    'const given: any = JSON.parse(\'{"name":"Ada","language":"de"}\'); return await shop["gre" + "et"](given)',
  ],
])("an argument that came with an upgrade is not refused by %s", async (_who, code) => {
  const coordinator = await (await strict()).open();
  const result = await coordinator.runCode({ code });
  expect(result.error).toBeUndefined();
  expect(result.value).toBe("Hallo Ada");
});

it("a tool that does not exist is refused after the server was asked", async () => {
  const coordinator = await (await changed()).open();
  const { error } = await coordinator.runCode({ code: "return await shop.missing({})" });
  expect(error?.message).toContain("missing");
  expect((await coordinator.listServers())[0]).toMatchObject({ status: "ready", toolCount: 2 });
});

it("a search refreshes a listing that is older than a day", async () => {
  const { open, folder } = await changed();
  const listings = join(folder, "cache", "listings");
  const file = join(listings, String((await readdir(listings))[0]));
  const old = { ...JSON.parse(await readFile(file, "utf8")), listedAt: "2020-01-01T00:00:00.000Z" };
  await writeFile(file, JSON.stringify(old));
  const coordinator = await open();
  const { hits } = await coordinator.searchTools({ query: "fresh", waitMs: 30_000 });
  expect(hits.map(({ tool }) => tool.name)).toContain("fresh");
  await coordinator.close();
  const { listedAt } = JSON.parse(await readFile(file, "utf8")) as { listedAt: string };
  expect(Date.now() - Date.parse(listedAt)).toBeLessThan(24 * 60 * 60 * 1000);
});
