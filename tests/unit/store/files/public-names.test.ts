// The public names of tools in a state folder that can no longer be written.
import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPublicNames } from "../../../../src/store/index.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

it("names are given for as long as the process runs if their folder becomes read-only", async ({ skip }) => {
  skip(process.platform === "win32" || process.getuid?.() === 0, "this user can write everywhere");
  const folder = await temporaryFolder();
  const item = { server: "shop", name: "buy" };
  await openPublicNames(folder, "one").assign(({ tools }) => tools.set("buy", item));
  const names = join(folder, "direct-names");
  const entries = [...(await readdir(names)), ""].map((name) => join(names, name));
  for (const entry of entries) await chmod(entry, 0o500);

  const store = openPublicNames(folder, "one");
  await store.assign(({ tools }) => tools.set("sell", item));
  expect(await store.assign(({ tools }) => [...tools.keys()])).toEqual(["buy", "sell"]);
  // So that the folder can be removed.
  for (const entry of entries.reverse()) await chmod(entry, 0o700);
});
