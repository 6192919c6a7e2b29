// Prepares an adapter: resolved imports, no types, positions of the file.
import { expect, it } from "vitest";
import { toSource } from "../../../../src/checker/program.js";
import { prepareModule } from "../../../../src/checker/typescript/prepare-program.js";

const prepare = (source: string) =>
  prepareModule({ path: "servers/shop/totals", file: "servers/shop/totals.ts", source });

it("prepareModule() resolves an adapter's relative imports to library paths, however they are written", () => {
  const { imports, code } = prepare(`
import { order } from "./order.js";
import shop from "./index.ts";
import { post } from "../chat/index.js";
import * as mail from "../../servers/mail";
import { other } from "servers/shop/other";
export { more } from "./more";
export * from "date-fns";
export const use = [order, shop, post, mail, other];
`);

  expect(imports.map(({ path }) => path)).toEqual([
    "servers/shop/order",
    "servers/shop",
    "servers/chat",
    "servers/mail",
    "servers/shop/other",
    "servers/shop/more",
    "date-fns",
  ]);
  expect(code).toContain('from "servers/shop/order"');
  expect(code).not.toContain("./");
});

it("prepareModule() keeps exports, strips types and maps positions back to the file", () => {
  const module = prepare(
    "export interface A { b: number }\nexport const f = (a: A): number => {\n  throw new Error(String(a.b));\n};\n",
  );
  const { code } = module;
  const line = code.split("\n").findIndex((text) => text.includes("throw")) + 1;

  expect(code).toContain("export const f");
  expect(code).not.toContain("interface");
  expect(toSource(module, line, (code.split("\n")[line - 1] ?? "").indexOf("throw") + 1)).toEqual({
    file: "servers/shop/totals.ts",
    line: 3,
    column: 3,
    excerpt: "throw new Error(String(a.b));",
  });
});

it("prepareModule() resolves a dynamic import of a literal, without moving a line", () => {
  const { code, imports } = prepare(
    'export const late = () => import("./order.js");\nexport const next = 1;\n',
  );

  expect(imports).toMatchObject([{ path: "servers/shop/order", names: "all" }]);
  expect(code.split("\n")[0]).toMatch(/^import \* as \$module0 from "servers\/shop\/order";$/);
  expect(code).toContain("Promise.resolve($module0)");
  expect(code.split("\n")[2]).toContain("next");
});

it.each([
  ["export const x = ;", /Cannot parse "servers\/shop\/totals.ts"/, 1],
  ["\nreturn 1;", /Cannot parse/, 2],
  ["\n\nexport const x = await Promise.resolve(1);", /Cannot await at the top level/, 3],
])("prepareModule() refuses %j and names the file and the line", (source, message, line) => {
  expect(() => prepare(source)).toThrow(
    expect.objectContaining({
      code: "PROGRAM_INVALID",
      message: expect.stringMatching(message),
      details: expect.objectContaining({ file: "servers/shop/totals.ts", line }),
    }),
  );
});
