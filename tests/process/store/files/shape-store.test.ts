// Shapes on disk: stored, joined by several processes, and removed with their tool.
import { spawnSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { joinShapes } from "../../../../src/catalog/index.js";
import { learnShape } from "../../../../src/catalog/shapes/learn-shape.js";
import type { Shape, ShapeKey } from "../../../../src/contracts/index.js";
import { ownIdentity } from "../../../../src/processes/index.js";
import { openShapeStore } from "../../../../src/store/index.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

const key: ShapeKey = { server: "Shop / EU", tool: "get_order", fingerprint: "f1" };

const learn = (value: unknown): Shape => learnShape(undefined, { value, isCut: false });

const openStore = async (folder?: string) => {
  const used = folder ?? (await temporaryFolder());
  return { folder: used, store: openShapeStore({ folder: used, joinShapes }) };
};

const listFiles = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

describe("openShapeStore()", () => {
  it("reads back what was learned, even in a later process", async () => {
    const { folder, store } = await openStore();
    expect(await store.read(key)).toBeUndefined();
    const shape = learn({ id: 1, __proto__: { a: 1 }, list: [{ a: "x" }, {}] });
    expect(await store.merge(key, shape)).toEqual(shape);
    expect(await (await openStore(folder)).store.read(key)).toEqual(shape);
  });

  it("joins later shapes with the stored one", async () => {
    const { store } = await openStore();
    await store.merge(key, learn({ a: 1 }));
    const joined = joinShapes(learn({ a: 1 }), learn({ a: "x", b: true }));
    expect(await store.merge(key, learn({ a: "x", b: true }))).toEqual(joined);
    expect(await store.read(key)).toEqual(joined);
  });

  it("loses nothing of concurrent writes", async () => {
    const { folder } = await openStore();
    const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(folder)));
    await Promise.all(
      stores.flatMap(({ store }, one) =>
        Array.from({ length: 5 }, (_, other) => store.merge(key, learn({ [`field_${one}${other}`]: 1 }))),
      ),
    );
    const shape = await stores[0]?.store.read(key);
    expect(shape?.answers).toBe(20);
    expect(Object.keys(shape?.type.fields ?? {})).toHaveLength(20);
    const names = await listFiles(folder);
    expect(names.filter((name) => !name.endsWith(".json"))).toEqual([]);
  });

  it("continues after a process that died while it held the lock", async () => {
    const { folder, store } = await openStore();
    await store.merge(key, learn({ a: 1 }));
    const dead = spawnSync(process.execPath, ["-e", ""]);
    const lock = join(folder, "shapes", "locks", "1.lock");
    await writeFile(lock, JSON.stringify({ ...ownIdentity(), pid: dead.pid }));
    expect((await store.merge(key, learn({ a: 1 }))).answers).toBe(2);
  });

  it("writes a readable file that contains only names and kinds", async () => {
    const { folder, store } = await openStore();
    await store.merge(key, learn({ id: 17, note: "secret" }));
    const [file = ""] = await listFiles(folder);
    expect(file).toMatch(/shapes\/shop-eu\.[0-9a-f]{12}\/get-order\.[0-9a-f]{12}\.[0-9a-f]{12}\.json$/);
    const text = await readFile(file, "utf8");
    expect(text).toContain('\n "server": "Shop / EU",\n "tool": "get_order",\n');
    expect(text).not.toMatch(/secret|17/);
  });

  it.each([
    ["broken", "{"],
    ["in another format", '{"format":"x"}'],
    ["invalid, with an unknown type", (text: string) => text.replace('"integer"', '"money"')],
    ["without answers", (text: string) => text.replace('"answers": 1', '"answers": 0')],
  ])("ignores a file that is %s, and overwrites it", async (_what, change) => {
    const { folder, store } = await openStore();
    await store.merge(key, learn({ id: 1 }));
    const [file = ""] = await listFiles(folder);
    await writeFile(file, typeof change === "string" ? change : change(await readFile(file, "utf8")));
    expect(await store.read(key)).toBeUndefined();
    expect((await store.merge(key, learn({ id: 1 }))).answers).toBe(1);
    expect(await store.read(key)).toEqual(learn({ id: 1 }));
  });

  it("stores a shape for each definition of a tool, so that none replaces another", async () => {
    const { store } = await openStore();
    const changed = { ...key, fingerprint: "f2" };
    await store.merge(key, learn({ id: 1 }));
    expect(await store.read(changed)).toBeUndefined();
    await store.merge(changed, learn({ name: "Ada" }));
    expect(await store.read(key)).toEqual(learn({ id: 1 }));
    expect(await store.read(changed)).toEqual(learn({ name: "Ada" }));
  });

  it("returns the learned shape if the folder is not writable", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "shapes"), "in the way");
    const { store } = await openStore(folder);
    expect(await store.merge(key, learn({ id: 1 }))).toEqual(learn({ id: 1 }));
    expect(await store.read(key)).toBeUndefined();
  });
});
