// Callers on disk: hashes only, private, read again after a change, and nobody admitted by a damaged file.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openCallers } from "../../../../src/store/index.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

describe("openCallers()", () => {
  it("recognizes a caller by its token and stores only the hash in a private file", async () => {
    const folder = join(await temporaryFolder(), "state");
    const callers = openCallers(folder);
    expect(await callers.list()).toEqual([]);
    const { token, ...made } = await callers.add({ name: "laptop", workspace: "work" });

    expect(token).toMatch(/^mcpc_[\w-]{43}$/);
    const { madeAt: _madeAt, ...caller } = made;
    expect(await callers.find(token)).toEqual(caller);
    expect(caller).toEqual({
      name: "laptop",
      workspace: "work",
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(await callers.list()).toEqual([made]);
    const file = join(folder, "callers.json");
    expect(readFileSync(file, "utf8")).not.toContain(token.slice(5));
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("recognizes nobody by anything else", async () => {
    const callers = openCallers(await temporaryFolder());
    const { token, id } = await callers.add({ name: "laptop" });
    for (const other of ["", "laptop", id, token.slice(1), `${token} `, token.toUpperCase()])
      expect(await callers.find(other)).toBeUndefined();
  });

  it("finds a caller however its name is composed", async () => {
    const callers = openCallers(await temporaryFolder());
    const { token } = await callers.add({ name: "Ren\u00e9" });
    expect(await callers.renew("Rene\u0301")).toMatchObject({ name: "Ren\u00e9" });
    expect(await callers.find(token)).toBeUndefined();
    expect(await callers.remove("Rene\u0301")).toBe(true);
    expect(await callers.list()).toEqual([]);
  });

  it("creates a new token for every caller and every renewal", async () => {
    const callers = openCallers(await temporaryFolder());
    const one = await callers.add({ name: "one", workspace: "shared" });
    const two = await callers.add({ name: "two" });
    const renewed = await callers.renew("one");

    expect(new Set([one.token, two.token, renewed.token]).size).toBe(3);
    expect(renewed).toMatchObject({ name: "one", workspace: "shared" });
    expect(await callers.find(one.token)).toBeUndefined();
    expect(await callers.find(renewed.token)).toMatchObject({ name: "one" });
    expect(await callers.find(two.token)).toMatchObject({ name: "two" });
  });

  it("sees changes of another process at once", async () => {
    const folder = await temporaryFolder();
    const [here, there] = [openCallers(folder), openCallers(folder)];
    const { token } = await here.add({ name: "laptop" });
    expect(await there.find(token)).toMatchObject({ name: "laptop" });
    expect(await here.remove("laptop")).toBe(true);
    expect(await there.find(token)).toBeUndefined();
    expect(await there.remove("laptop")).toBe(false);
  });

  it("refuses a name that is taken, unknown or invalid", async () => {
    const callers = openCallers(await temporaryFolder());
    await callers.add({ name: "laptop" });
    await expect(callers.add({ name: "laptop" })).rejects.toMatchObject({ code: "CALLER_EXISTS" });
    await expect(callers.renew("phone")).rejects.toMatchObject({ code: "CALLER_UNKNOWN" });
    for (const name of ["", "../up", "a/b", "a\nb"])
      await expect(callers.add({ name })).rejects.toMatchObject({ code: "NAME_INVALID" });
    await expect(callers.add({ name: "phone", workspace: "../up" })).rejects.toMatchObject({
      code: "NAME_INVALID",
    });
  });

  it.each(["", "{", "[]", "null", '{"format":"mcp-coordinator/callers","version":2,"callers":[]}'])(
    "admits nobody if the file contains %j, and does not overwrite it",
    async (text) => {
      const folder = await temporaryFolder();
      const callers = openCallers(folder);
      const { token } = await callers.add({ name: "laptop" });
      writeFileSync(join(folder, "callers.json"), text);
      for (const work of [() => callers.find(token), callers.list, () => callers.add({ name: "phone" })])
        await expect(work()).rejects.toMatchObject({ code: "STORE_UNREADABLE" });
      expect(readFileSync(join(folder, "callers.json"), "utf8")).toBe(text);
    },
  );
});
