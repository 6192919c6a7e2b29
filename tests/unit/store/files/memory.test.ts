// Memory as files: readable, and damaged files are reported.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultLimits, type Json } from "../../../../src/contracts/index.js";
import { openMemory } from "../../../../src/store/files/memory.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const open = async () => {
  const folder = await temporaryFolder();
  return { folder: join(folder, "memory"), memory: openMemory({ folder, limits: defaultLimits }) };
};

describe("openMemory()", () => {
  it("writes one readable file per key and leaves no draft", async () => {
    const { folder, memory } = await open();
    await memory.save("plain-key", { a: 1 });
    await memory.save("Customer:42/Address", 1);
    expect(readdirSync(folder).sort()).toEqual([
      expect.stringMatching(/^customer-42-address~[0-9a-f]{12}\.json$/),
      "plain-key.json",
    ]);
    const text = readFileSync(join(folder, "plain-key.json"), "utf8");
    expect(text).toContain('"key": "plain-key"');
    expect(JSON.parse(text)).toMatchObject({ format: "mcp-coordinator/memory", value: { a: 1 } });
  });

  it("reports a damaged file and still lists the others", async () => {
    const { folder, memory } = await open();
    await memory.save("a", 1);
    await memory.save("b", 1);
    writeFileSync(join(folder, "a.json"), "{");
    const unreadable = {
      code: "STORE_UNREADABLE",
      message: 'Cannot load "a": its file is not a memory file',
    };
    await expect(memory.load("a")).rejects.toMatchObject(unreadable);
    await expect(memory.update("a", () => 1)).rejects.toMatchObject(unreadable);
    expect((await memory.list()).map(({ key }) => key)).toEqual(["b"]);
  });

  it("does not indent a nested value if that would make it many times as large", async () => {
    const { folder, memory } = await open();
    let value: Json = Array.from({ length: 1000 }, () => 0);
    for (let level = 0; level < 180; level++) value = [value];
    const { bytes } = await memory.save("nested", value);
    expect(statSync(join(folder, "nested.json")).size).toBeLessThan(10 * bytes);
    expect((await memory.load("nested"))?.value).toEqual(value);
  });

  it("refuses what is not JSON", async () => {
    const { memory } = await open();
    await expect(memory.save("a", undefined as never)).rejects.toMatchObject({ code: "ARGUMENTS_INVALID" });
  });
});
