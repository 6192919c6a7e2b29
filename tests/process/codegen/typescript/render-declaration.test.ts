// The full TypeScript of one tool, which a hostile server cannot break.
import { describe, expect, it } from "vitest";
import { renderDeclaration } from "../../../../src/codegen/index.js";
import type { JsonSchema, ListedTool } from "../../../../src/contracts/index.js";
import { toTool } from "../../../unit/codegen/catalogs.js";
import { compileStrictly } from "../compile-strictly.js";

const declare = (listed: Partial<ListedTool>): string =>
  renderDeclaration({ tool: toTool(listed), identifier: "shop" });

/** The texts that end a comment, a string or a line in some place of the language. */
const attacks = [
  "*/ export const stolen = 1; /*",
  "*\u200b/ export const stolen = 1; /*",
  "*\u0000/ export const stolen = 1; /*",
  '"; export const stolen = 1; "',
  "'; export const stolen = 1; '",
  "`; export const stolen = 1; `",
  "${process.exit()}",
  "\nexport const stolen = 1;\n",
  "\r\nexport const stolen = 1;",
  "\u2028export const stolen = 1;\u2029",
  "\\",
  "\\u002a/ export const stolen = 1;",
  "@ts-expect-error",
  "\n * @ts-expect-error",
  "@ts-nocheck",
  "// @ts-ignore",
  '/// <reference path="stolen.ts" />',
  "}; export const stolen = 1; type X = {",
  "__proto__",
  "constructor",
  "\ud800",
  "\u202etxet",
  "",
];

const toHostileTool = (attack: string): Partial<ListedTool> => {
  const field: JsonSchema = {
    type: "string",
    description: attack,
    default: attack,
    format: attack,
    pattern: attack,
  };
  const schema: JsonSchema = {
    type: "object",
    description: attack,
    properties: Object.fromEntries([
      [attack, field],
      ["listed", { enum: [attack, "fine"] }],
      [
        "referred",
        { $ref: `#/$defs/${encodeURIComponent(attack.replace("\ud800", "")).replaceAll("~", "~0")}` },
      ],
      ["odd", { type: attack }],
    ]),
    patternProperties: Object.fromEntries([[attack, { type: "string" }]]),
    $defs: Object.fromEntries([[attack, field]]),
  };
  return { name: attack, title: attack, description: attack, inputSchema: schema, outputSchema: schema };
};

describe("renderDeclaration()", () => {
  it("writes the tool's types with comments, and its function", () => {
    const inputSchema = {
      type: "object",
      properties: {
        item: { type: "string", description: "What to order" },
        count: { type: "integer", default: 1 },
      },
      required: ["item"],
    };
    const outputSchema = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };
    expect(declare({ description: "Orders something.", inputSchema, outputSchema })).toMatchInlineSnapshot(`
      "// servers/shop

      export type PlaceOrderArguments = {
        /** What to order */
        item: string;
        /** Default: 1. */
        count?: number;
      };

      export type PlaceOrderResult = {
        total: number;
      };

      /** Orders something. */
      export declare function placeOrder(args: PlaceOrderArguments): Promise<PlaceOrderResult>;
      "
    `);
  });

  it("bounds long descriptions", () => {
    const schema = { type: "object", properties: { a: { type: "string", description: "y".repeat(9000) } } };
    const text = declare({ description: "x".repeat(90_000), inputSchema: schema });
    expect(text.match(/x+…/)?.[0].length).toBe(4001);
    expect(text.match(/y+…/)?.[0].length).toBe(601);
  });

  it("keeps server text inside its comment or string", async () => {
    const files = attacks.map((attack, index): [string, string] => [
      `t${index}.ts`,
      declare(toHostileTool(attack)),
    ]);
    const expected = files.map(
      ([path]) => `import * as m${path.slice(1, -3)} from "./${path.replace(".ts", ".js")}";
// @ts-expect-error nothing of that name was declared
export const s${path.slice(1, -3)} = m${path.slice(1, -3)}.stolen;`,
    );
    expect(await compileStrictly(new Map([...files, ["check.ts", expected.join("\n")]]))).toBe("");
  });

  it("writes no invisible character", () => {
    for (const attack of attacks)
      expect(declare(toHostileTool(attack))).not.toMatch(/[^\n\P{C}]|[\p{Zl}\p{Zp}]/u);
  });
});
