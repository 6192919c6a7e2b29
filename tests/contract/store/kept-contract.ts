// The contract of stored values.
import { describe, expect, it } from "vitest";
import type { KeptPart, KeptValues } from "../../../src/contracts/index.js";
import { clockMoves } from "../../support/clock.js";
import type { OpenStore } from "./store-contract.js";

const most = 1024 * 1024;
const rows = Array.from({ length: 250 }, (_, id) => ({
  id,
  state: id % 3 === 0 ? "open" : "closed",
  author: { login: `user-${id % 5}` },
  labels: id % 2 === 0 ? ["bug"] : [],
}));

const readPart = ({ format, text }: KeptPart): unknown => (format === "json" ? JSON.parse(text) : text);

export const describeKept = (open: OpenStore): void => {
  describe("stored values", () => {
    const openKept = async (limits = {}): Promise<KeptValues> => {
      const { store } = await open(limits);
      return (await store.openWorkspace("default")).kept;
    };
    const keepRows = (kept: KeptValues) => kept.keep({ format: "json", content: JSON.stringify(rows) });

    it("describes a value and gives equal content the same id", async () => {
      const kept = await openKept();
      const list = await keepRows(kept);
      const text = await kept.keep({ format: "either", content: "[draft] two\nlines" });

      expect(list).toMatchObject({ kind: "list", count: 250, bytes: JSON.stringify(rows).length });
      expect(text).toMatchObject({ kind: "text", count: 2 });
      expect(await kept.keep({ format: "json", content: '{"a":1,"b":[]}' })).toMatchObject({
        kind: "object",
        count: 2,
      });
      expect(await kept.keep({ format: "json", content: "42" })).toMatchObject({ kind: "value" });
      expect((await keepRows(kept)).id).toBe(list.id);
      expect(await kept.list()).toHaveLength(4);
    });

    it("stores a JSON string as its text", async () => {
      const kept = await openKept();
      const { id, kind, bytes } = await kept.keep({ format: "json", content: '"ünï\\ncode"' });

      expect({ kind, bytes }).toEqual({ kind: "text", bytes: 10 });
      expect(Buffer.from(await kept.read(id)).toString()).toBe("ünï\ncode");
    });

    it("finds a value after it is opened again, but not in another workspace", async () => {
      const { store, openAgain } = await open();
      const { id } = await keepRows((await store.openWorkspace("one")).kept);

      expect(await (await (await openAgain()).openWorkspace("one")).kept.find(id)).toMatchObject({ id });
      await expect((await store.openWorkspace("two")).kept.find(id)).rejects.toMatchObject({
        code: "KEPT_UNKNOWN",
      });
    });

    it.each(["", "k_", "../../secret", "k_00000000000000000000", "k_0/../../x0000000000"])(
      "refuses the id %j",
      async (id) => {
        const kept = await openKept();
        const asks = [kept.find, kept.read, kept.peek, (one: string) => kept.page(one, {}, most)];
        for (const ask of asks) await expect(ask(id)).rejects.toMatchObject({ code: "KEPT_UNKNOWN" });
      },
    );

    it("pages through a list forwards and backwards", async () => {
      const kept = await openKept();
      const { id } = await keepRows(kept);
      const page = async (offset: number, limit?: number) =>
        readPart(await kept.page(id, { offset, ...(limit === undefined ? {} : { limit }) }, most));

      expect(await page(0)).toEqual(rows.slice(0, 100));
      expect(await page(100)).toEqual(rows.slice(100, 200));
      expect(await page(200)).toEqual(rows.slice(200));
      expect(await page(10, 2)).toEqual(rows.slice(10, 12));
      expect(await page(900)).toEqual([]);
    });

    it("pages through a list inside an object, the fields of an object and the lines of a text", async () => {
      const kept = await openKept();
      const content = JSON.stringify({ total: 250, data: { 'odd "name"': rows } });
      const { id } = await kept.keep({ format: "json", content });
      const text = await kept.keep({ format: "text", content: "a\nb\n\nd" });
      const path = 'data["odd \\"name\\""]';

      expect(readPart(await kept.page(id, { path, offset: 3, limit: 2 }, most))).toEqual(rows.slice(3, 5));
      expect(readPart(await kept.page(id, { path, offset: 5, limit: 2 }, most))).toEqual(rows.slice(5, 7));
      expect(readPart(await kept.page(id, { limit: 1 }, most))).toEqual({ total: 250 });
      expect(readPart(await kept.page(text.id, { offset: 1, limit: 2 }, most))).toBe("b\n");
    });

    it("queries by path, conditions and fields, and counts", async () => {
      const kept = await openKept();
      const { id } = await keepRows(kept);
      const query = async (asked: Parameters<KeptValues["query"]>[1]) =>
        readPart(await kept.query(id, asked, most));

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
      const kept = await openKept();
      const { id } = await keepRows(kept);

      await expect(kept.query(id, { path: "items" }, most)).rejects.toThrow(
        /a list has no field "items"; use \[\*\]/,
      );
      await expect(kept.query(id, { path: "[0].nothing" }, most)).rejects.toThrow('no field "nothing"');
      await expect(kept.query(id, { where: { id: { above: 3 } } }, most)).rejects.toThrow(
        'unknown comparison "above"',
      );
      await expect(kept.query(id, { path: "a..b[" }, most)).rejects.toThrow("Cannot read the path");
    });

    it("returns no more than the maximum", async () => {
      const kept = await openKept();
      const { id } = await keepRows(kept);

      await expect(kept.page(id, {}, 100)).rejects.toMatchObject({ code: "LIMIT_ANSWER" });
      await expect(kept.query(id, { path: "[*]" }, 100)).rejects.toMatchObject({ code: "LIMIT_ANSWER" });
    });

    it("previews the beginning of a value with long texts and lists shortened", async () => {
      const kept = await openKept();
      const content = JSON.stringify({ text: "x".repeat(100_000), list: rows, empty: {} });
      const { id } = await kept.keep({ format: "json", content });
      const peeked = readPart(await kept.peek(id)) as { head: Record<string, unknown> };

      expect(peeked).toMatchObject({ id, kind: "object", count: 3, bytes: content.length });
      expect(peeked.head.empty).toEqual({});
      expect(JSON.stringify(peeked).length).toBeLessThan(2000);
    });

    it("removes the oldest values beyond the limits on number and size", async () => {
      const kept = await openKept({ keptValues: 3, keptBytes: 400 });
      const ids: string[] = [];
      for (const letter of "abcd") {
        ids.push((await kept.keep({ format: "text", content: letter.repeat(90) })).id);
        await clockMoves();
      }
      const large = await kept.keep({ format: "text", content: "e".repeat(300) });

      await expect(kept.find(ids[0] ?? "")).rejects.toMatchObject({ code: "KEPT_UNKNOWN" });
      expect((await kept.list()).map(({ id }) => id)).toEqual([large.id, ids[3]]);
    });

    it("refuses a value that is too large and names the limit", async () => {
      const kept = await openKept({ keptValueBytes: 10 });

      await expect(kept.keep({ format: "text", content: "x".repeat(11) })).rejects.toMatchObject({
        code: "LIMIT_WORKSPACE",
        details: { limit: "keptValueBytes" },
      });
    });

    it("stores an artifact with its name and type", async () => {
      const kept = await openKept();
      const bytes = Uint8Array.from([137, 80, 78, 71]);
      const { id } = await kept.keep({
        format: "bytes",
        content: bytes,
        name: "a.png",
        mimeType: "image/png",
      });

      expect(await kept.find(id)).toMatchObject({ kind: "bytes", name: "a.png", mimeType: "image/png" });
      expect(await kept.page(id, {}, most)).toEqual({ format: "text", text: "iVBORw==" });
      expect(await kept.remove(id)).toBe(true);
      expect(await kept.remove(id)).toBe(false);
    });
  });
};
