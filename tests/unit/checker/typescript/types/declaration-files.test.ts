// Selects the declarations that a program needs.
import { describe, expect, it } from "vitest";
import { indexDeclarations } from "../../../../../src/checker/typescript/types/declaration-files.js";

const source = `// Types of the server "x", generated: do not edit.

/** Who */
export type PersonName = "a; b" | "}";

export type CreateArguments = {
  /** unknown here is a word */
  who?: PersonName;
  unknown?: unknown;
};

export type OtherArguments = { [key: string]: unknown };

export declare function create(args: CreateArguments): Promise<unknown>;
export { create as "cre-ate" };

export declare function other(args?: OtherArguments): Promise<unknown>;

declare const server: {
  readonly create: typeof create;
};
export default server;
`;

describe("indexDeclarations()", () => {
  it("selects a tool with the types it refers to, and nothing else", () => {
    const selected = indexDeclarations(source).select(["create"]);

    expect(selected).toContain("declare function create(");
    expect(selected).toContain('type PersonName = "a; b" | "}";');
    expect(selected).not.toContain("other");
    expect(selected).not.toContain("server");
    expect(selected).not.toContain("cre-ate");
  });

  it("turns the type unknown into any, but not a field named unknown", () => {
    const selected = indexDeclarations(source).select(["create"]);

    expect(selected).toContain("unknown?: any;");
    expect(selected).toContain("Promise<any>");
    expect(selected).not.toContain("a word");
  });

  it("selects nothing for undeclared names", () => {
    expect(indexDeclarations(source).select(["constructor", "missing"])).toBe("");
  });
});
