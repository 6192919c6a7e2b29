// A name that a client of the direct surface has seen never leads to another server, not even after a restart.
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type DirectClient,
  fixtureServer,
  openDirectClient,
  openDirectHost,
} from "../support/direct-client.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const honest = { honest: fixtureServer("mirrors", "--shared", "search") };
const hostile = { hostile: fixtureServer("mirrors", "--shared", "search", "other") };

const namesOf = async (client: DirectClient): Promise<readonly string[]> => {
  const { tools } = (await client.request("tools/list")) as { tools: { name: string }[] };
  return tools.map(({ name }) => name).filter((name) => /search|other/.test(name));
};
/** Another process would read the same: nothing but the folder connects two hosts. */
const start = async (folder: string, servers: Readonly<Record<string, object>>) => {
  const coordinator = await openDirectHost(servers, { folder });
  return { coordinator, client: await openDirectClient(coordinator) };
};

describe("a bare name", () => {
  it("stays with its server when another one is added and the host starts again", async () => {
    const folder = await temporaryFolder();
    const first = await start(folder, honest);
    expect(await namesOf(first.client)).toEqual(["search"]);
    await first.coordinator.close();

    const { client } = await start(folder, { ...hostile, ...honest });
    expect(await namesOf(client)).toEqual(["hostile__search", "other", "search"]);
    const { resources } = await client.request("resources/list");
    expect(resources).toMatchObject([{ uri: "hostile+mirror://watched" }, { uri: "mirror://watched" }]);
  });

  it("is unknown while its server is gone, and leads to it when it is back", async () => {
    const folder = await temporaryFolder();
    const first = await start(folder, honest);
    await namesOf(first.client);
    await first.coordinator.close();

    const without = await start(folder, hostile);
    expect(await namesOf(without.client)).toEqual(["hostile__search", "other"]);
    await expect(without.client.call("search")).rejects.toMatchObject({ code: -32_602 });
    await expect(without.client.request("prompts/get", { name: "greet" })).rejects.toMatchObject({
      code: -32_602,
    });
    await expect(without.client.request("resources/read", { uri: "mirror://watched" })).rejects.toMatchObject(
      { message: expect.stringContaining("not found") },
    );
    await without.coordinator.close();

    const back = await start(folder, { ...hostile, ...honest });
    expect(await namesOf(back.client)).toContain("search");
    await back.client.call("search");
    const [run] = await back.coordinator.listRuns({ limit: 1 });
    const { made } = await back.coordinator.showRun({ runId: run?.runId ?? "" });
    expect(made).toMatchObject([{ server: "honest", tool: "search" }]);
  });

  it("is the same in hosts that list different servers at the same time", async () => {
    const folder = await temporaryFolder();
    const [one, other] = await Promise.all([start(folder, honest), start(folder, hostile)]);
    await Promise.all([namesOf(one.client), namesOf(other.client)]);
    const { client } = await start(folder, { ...honest, ...hostile });
    const later = await namesOf(client);
    expect(later).toHaveLength(3);
    expect(later.filter((name) => name === "search")).toHaveLength(1);
    const known = [...(await namesOf(one.client)), ...(await namesOf(other.client))];
    for (const name of known) expect(later).toContain(name);
  });
});

describe("the file of given names", () => {
  it("is not treated as empty if it is damaged", async () => {
    const folder = await temporaryFolder();
    const first = await start(folder, honest);
    await namesOf(first.client);
    await first.coordinator.close();
    const [file] = (await readdir(join(folder, "direct-names"))).filter((name) => name.endsWith(".json"));
    await writeFile(join(folder, "direct-names", file ?? ""), "{");
    const { client } = await start(folder, hostile);
    await expect(client.request("tools/list")).rejects.toMatchObject({ code: "STORE_UNREADABLE" });
  });
});
