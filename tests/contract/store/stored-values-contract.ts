// The contract of stored values.
import { describe, expect, it } from "vitest";
import type { StoredPart, StoredValues } from "../../../src/contracts/index.js";
import { clockMoves } from "../../support/clock.js";
import type { OpenStore } from "./store-contract.js";

const maxBytes = 1024 * 1024;
const rows = Array.from({ length: 250 }, (_, id) => ({
  id,
  state: id % 3 === 0 ? "open" : "closed",
  author: { login: `user-${id % 5}` },
  labels: id % 2 === 0 ? ["bug"] : [],
}));

const readPart = ({ format, text }: StoredPart): unknown => (format === "json" ? JSON.parse(text) : text);

export const describeStoredValues = (open: OpenStore): void => {
  describe("stored values", () => {
    const openValues = async (limits = {}): Promise<StoredValues> => {
      const { store } = await open(limits);
      return (await store.openWorkspace("default")).storedValues;
    };
    const storeRows = (values: StoredValues) =>
      values.store({ format: "json", content: JSON.stringify(rows) });

    it("describes a value and gives equal content the same id", async () => {
      const values = await openValues();
      const list = await storeRows(values);
      const text = await values.store({ format: "either", content: "[draft] two\nlines" });

      expect(list).toMatchObject({ kind: "list", count: 250, bytes: JSON.stringify(rows).length });
      expect(text).toMatchObject({ kind: "text", count: 2 });
      expect(await values.store({ format: "json", content: '{"a":1,"b":[]}' })).toMatchObject({
        kind: "object",
        count: 2,
      });
      expect(await values.store({ format: "json", content: "42" })).toMatchObject({ kind: "value" });
      expect((await storeRows(values)).id).toBe(list.id);
      expect(await values.list()).toHaveLength(4);
    });

    it("stores a JSON string as its text", async () => {
      const values = await openValues();
      const { id, kind, bytes } = await values.store({ format: "json", content: '"ünï\\ncode"' });

      expect({ kind, bytes }).toEqual({ kind: "text", bytes: 10 });
      expect(Buffer.from(await values.read(id)).toString()).toBe("ünï\ncode");
    });

    it("finds a value after the store is reopened, but not in another workspace", async () => {
      const { store, openAgain } = await open();
      const { id } = await storeRows((await store.openWorkspace("one")).storedValues);

      expect(await (await (await openAgain()).openWorkspace("one")).storedValues.find(id)).toMatchObject({
        id,
      });
      await expect((await store.openWorkspace("two")).storedValues.find(id)).rejects.toMatchObject({
        code: "VALUE_UNKNOWN",
      });
    });

    it.each(["", "k_", "../../secret", "k_00000000000000000000", "k_0/../../x0000000000"])(
      "refuses the id %j",
      async (id) => {
        const values = await openValues();
        const asks = [values.find, values.read, values.peek, (one: string) => values.page(one, {}, maxBytes)];
        for (const ask of asks) await expect(ask(id)).rejects.toMatchObject({ code: "VALUE_UNKNOWN" });
      },
    );

    it("pages through a list forwards and backwards", async () => {
      const values = await openValues();
      const { id } = await storeRows(values);
      const page = async (offset: number, limit?: number) =>
        readPart(await values.page(id, { offset, ...(limit === undefined ? {} : { limit }) }, maxBytes));

      expect(await page(0)).toEqual(rows.slice(0, 100));
      expect(await page(100)).toEqual(rows.slice(100, 200));
      expect(await page(200)).toEqual(rows.slice(200));
      expect(await page(10, 2)).toEqual(rows.slice(10, 12));
      expect(await page(900)).toEqual([]);
    });

    it("pages through a list inside an object, the fields of an object and the lines of a text", async () => {
      const values = await openValues();
      const content = JSON.stringify({ total: 250, data: { 'odd "name"': rows } });
      const { id } = await values.store({ format: "json", content });
      const text = await values.store({ format: "text", content: "a\nb\n\nd" });
      const path = 'data["odd \\"name\\""]';

      expect(readPart(await values.page(id, { path, offset: 3, limit: 2 }, maxBytes))).toEqual(
        rows.slice(3, 5),
      );
      expect(readPart(await values.page(id, { path, offset: 5, limit: 2 }, maxBytes))).toEqual(
        rows.slice(5, 7),
      );
      expect(readPart(await values.page(id, { limit: 1 }, maxBytes))).toEqual({ total: 250 });
      expect(readPart(await values.page(text.id, { offset: 1, limit: 2 }, maxBytes))).toBe("b\n");
    });

    it("queries by path, conditions and fields, and counts", async () => {
      const values = await openValues();
      const { id } = await storeRows(values);
      const query = async (asked: Parameters<StoredValues["query"]>[1]) =>
        readPart(await values.query(id, asked, maxBytes));

      expect(await query({ path: "[3].author.login" })).toBe("user-3");
      expect(await query({ path: "[*].id" })).toEqual(rows.map((row) => row.id));
      expect(await query({ where: { state: "open" }, count: true })).toBe(84);
      expect(
        await query({ where: { id: { gte: 240, lt: 243 }, labels: { contains: "bug" } }, select: ["id"] }),
      ).toEqual([{ id: 240 }, { id: 242 }]);
      expect(await query({ where: { "author.login": { in: ["user-1"] } }, offset: 1, limit: 1 })).toEqual([
        rows[6],
      ]);
    });

    it("reports what is wrong with a query", async () => {
      const values = await openValues();
      const { id } = await storeRows(values);

      await expect(values.query(id, { path: "items" }, maxBytes)).rejects.toThrow(
        /a list has no field "items"; use \[\*\]/,
      );
      await expect(values.query(id, { path: "[0].nothing" }, maxBytes)).rejects.toThrow('no field "nothing"');
      await expect(values.query(id, { where: { id: { above: 3 } } }, maxBytes)).rejects.toThrow(
        'unknown comparison "above"',
      );
      await expect(values.query(id, { path: "a..b[" }, maxBytes)).rejects.toThrow("Cannot read the path");
    });

    it("returns no more than the maximum", async () => {
      const values = await openValues();
      const { id } = await storeRows(values);

      await expect(values.page(id, {}, 100)).rejects.toMatchObject({ code: "LIMIT_ANSWER" });
      await expect(values.query(id, { path: "[*]" }, 100)).rejects.toMatchObject({ code: "LIMIT_ANSWER" });
    });

    it("previews the beginning of a value with long texts and lists shortened", async () => {
      const values = await openValues();
      const content = JSON.stringify({ text: "x".repeat(100_000), list: rows, empty: {} });
      const { id } = await values.store({ format: "json", content });
      const peeked = readPart(await values.peek(id)) as { head: Record<string, unknown> };

      expect(peeked).toMatchObject({ id, kind: "object", count: 3, bytes: content.length });
      expect(peeked.head.empty).toEqual({});
      expect(JSON.stringify(peeked).length).toBeLessThan(2000);
    });

    it("removes the oldest values beyond the limits on number and size", async () => {
      const values = await openValues({ storedValues: 3, storedBytes: 400 });
      const ids: string[] = [];
      for (const letter of "abcd") {
        ids.push((await values.store({ format: "text", content: letter.repeat(90) })).id);
        await clockMoves();
      }
      const large = await values.store({ format: "text", content: "e".repeat(300) });

      await expect(values.find(ids[0] ?? "")).rejects.toMatchObject({ code: "VALUE_UNKNOWN" });
      expect((await values.list()).map(({ id }) => id)).toEqual([large.id, ids[3]]);
    });

    it("refuses a value that is too large and names the limit", async () => {
      const values = await openValues({ storedValueBytes: 10 });

      await expect(values.store({ format: "text", content: "x".repeat(11) })).rejects.toMatchObject({
        code: "LIMIT_WORKSPACE",
        details: { limit: "storedValueBytes" },
      });
    });

    it("stores an artifact with its name and type", async () => {
      const values = await openValues();
      const bytes = Uint8Array.from([137, 80, 78, 71]);
      const { id } = await values.store({
        format: "bytes",
        content: bytes,
        name: "a.png",
        mimeType: "image/png",
      });

      expect(await values.find(id)).toMatchObject({ kind: "bytes", name: "a.png", mimeType: "image/png" });
      expect(await values.page(id, {}, maxBytes)).toEqual({ format: "text", text: "iVBORw==" });
      expect(await values.remove(id)).toBe(true);
      expect(await values.remove(id)).toBe(false);
    });
  });
};
