// The checker's declarations of the guest's globals match the real ones: names and members, in both directions.
import { readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { guestGlobals } from "../../src/checker/typescript/dialect.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";

const source = readFileSync(new URL("../../src/checker/world.d.mts", import.meta.url), "utf8");

interface Member {
  readonly type: string;
  readonly key?: { readonly name?: string; readonly type: string };
  readonly static?: boolean;
  readonly computed?: boolean;
}
interface Declared {
  readonly members: readonly string[];
  readonly statics: readonly string[];
  readonly isClass: boolean;
  readonly parent?: string;
}

const nameOf = ({ key, computed, type }: Member): string | undefined =>
  computed === true || type === "TSIndexSignature" ? undefined : key?.name;

const readMembers = (body: readonly Member[]): Pick<Declared, "members" | "statics"> => {
  const named = body.flatMap((member) => {
    const name = nameOf(member);
    return name === undefined || name === "constructor" ? [] : [{ name, isStatic: member.static === true }];
  });
  return {
    members: named.filter(({ isStatic }) => !isStatic).map(({ name }) => name),
    statics: named.filter(({ isStatic }) => isStatic).map(({ name }) => name),
  };
};

/** The declarations of world.d.mts by name: functions have no members of interest. */
const readWorld = (): ReadonlyMap<string, Declared> => {
  const { program } = parseSync("world.d.mts", source, { lang: "dts", sourceType: "module" });
  const interfaces = new Map<string, readonly Member[]>();
  const declared = new Map<string, Declared>();
  for (const node of program.body) {
    if (node.type === "TSInterfaceDeclaration")
      interfaces.set(node.id.name, node.body.body as unknown as Member[]);
    else if (node.type === "ClassDeclaration" && node.id !== null)
      declared.set(node.id.name, {
        ...readMembers(node.body.body as unknown as Member[]),
        isClass: true,
        ...(node.superClass?.type === "Identifier" ? { parent: node.superClass.name } : {}),
      });
    else if (node.type === "VariableDeclaration")
      for (const { id } of node.declarations) {
        if (id.type !== "Identifier") continue;
        const type = id.typeAnnotation?.typeAnnotation;
        const body =
          type?.type === "TSTypeLiteral"
            ? (type.members as unknown as Member[])
            : type?.type === "TSTypeReference" && type.typeName.type === "Identifier"
              ? (interfaces.get(type.typeName.name) ?? [])
              : [];
        declared.set(id.name, { ...readMembers(body), isClass: false });
      }
    else if (node.type === "TSDeclareFunction" && node.id !== null)
      declared.set(node.id.name, { members: [], statics: [], isClass: false });
  }
  return declared;
};

const world = readWorld();

/** Lists the existing names. Runs inside the sandbox. */
const program = `
const own = (value) => Object.getOwnPropertyNames(value).filter((name) => name !== "constructor");
const describe = (value) => {
  if (typeof value === "function" && value.prototype !== undefined) {
    let instance = [];
    // Only controllers create signals.
    try { instance = own(value === globalThis.AbortSignal ? new AbortController().signal : new value()); } catch {}
    const statics = own(value).filter((name) => !["length", "name", "prototype"].includes(name));
    return { members: [...own(value.prototype), ...instance], statics };
  }
  return { members: typeof value === "object" && value !== null ? own(value) : [], statics: [] };
};
const all = Object.getOwnPropertyNames(globalThis);
return { all, described: Object.fromEntries(names.map((name) => [name, all.includes(name) ? describe(globalThis[name]) : null])) };
`;

/** The language's own, which every error and object has. */
const inherited = new Set(["name", "message", "stack", "cause", "toString"]);

/** Set only on errors of the host: a ToolError that a program creates has none. */
const lateMembers = new Set(["ToolError.code"]);

/** These exist but are of no use to a program, so the checker does not declare them: names of the engine, and what needs a browser. */
const unusable = new Set(["InternalError", "URL.createObjectURL", "URL.revokeObjectURL"]);

/** Engines differ in what they have of the newest language; `arguments` is in functions only. */
const notEverywhere = new Set([
  ...["AsyncIterator", "Temporal", "Float16Array", "Intl", "Iterator", "arguments"],
  ...["DisposableStack", "AsyncDisposableStack", "SuppressedError"],
]);

describe.each(["isolate", "wasm"] as const)("the globals of programs in the executor %s", (executor) => {
  let fixture: OpenFixture;
  let all: readonly string[];
  let described: Readonly<Record<string, { members: readonly string[]; statics: readonly string[] } | null>>;

  beforeAll(async () => {
    fixture = await openFixture({}, { executor });
    const names = JSON.stringify([...world.keys()]);
    const result = await fixture.run(`const names = ${names};${program}`, { isChecked: false });
    expect(result.error).toBeUndefined();
    ({ all, described } = result.value as unknown as { all: typeof all; described: typeof described });
  });
  afterAll(() => fixture.close());

  it("include every name that the checker declares", () => {
    expect(world.size).toBeGreaterThan(20);
    expect([...world.keys()].filter((name) => !all.includes(name))).toEqual([]);
  });

  it("include no name that the checker does not know, and lack only the newest of the language", () => {
    const globals = new Set(all);

    expect([...globals].filter((name) => !guestGlobals.has(name) && !unusable.has(name))).toEqual([]);
    expect([...guestGlobals].filter((name) => !globals.has(name) && !notEverywhere.has(name))).toEqual([]);
  });

  it("include every member that the checker declares", () => {
    const missing = [...world].flatMap(([name, { members, statics, parent }]) => {
      const real = described[name];
      const up = parent === undefined ? undefined : described[parent];
      const there = [...(real?.members ?? []), ...(up?.members ?? [])];
      return [
        ...members
          .filter((member) => !there.includes(member) && !lateMembers.has(`${name}.${member}`))
          .map((member) => `${name}#${member}`),
        ...statics.filter((member) => !real?.statics.includes(member)).map((member) => `${name}.${member}`),
      ];
    });

    expect(missing).toEqual([]);
  });

  it("include no member that the checker does not know", () => {
    const unknown = [...world].flatMap(([name, declared]) => {
      const real = described[name];
      // Functions carry nothing that programs use.
      if (real == null || (declared.members.length === 0 && !declared.isClass)) return [];
      const known = new Set([...declared.members, ...(world.get(declared.parent ?? "")?.members ?? [])]);
      return [
        ...real.members
          .filter((member) => !known.has(member) && !inherited.has(member) && !member.startsWith("_"))
          .map((member) => `${name}#${member}`),
        ...real.statics
          .filter((member) => !declared.statics.includes(member) && !unusable.has(`${name}.${member}`))
          .map((member) => `${name}.${member}`),
      ];
    });

    expect(unknown).toEqual([]);
  });
});
