// A call as a line of source, in both languages: it means exactly its arguments, and nothing breaks out of it.
import { describe, expect, it } from "vitest";
import { makeExample } from "../../../../src/catalog/index.js";
import { renderCall, renderPythonCall } from "../../../../src/codegen/index.js";
import type { JsonObject } from "../../../../src/contracts/index.js";
import { hasCorpus, readCorpus, readGoldenCases } from "../catalogs.js";

const given: JsonObject = {
  title: 'He said "hi"\n',
  "with-dash": [1, null, true],
  nested: { "a b": -1.5, ok: {} },
};

/** The object that a rendered call passes. */
const readBack = (source: string): unknown =>
  Function(`return (async () => { const f = (value) => value ?? {}; return ${source}; })()`)();

describe("renderCall()", () => {
  it("quotes names only if necessary, and writes no arguments if there are none", () => {
    expect(renderCall({ name: "f", arguments: { a: 1, "b-c": "x" } })).toBe('await f({ a: 1, "b-c": "x" })');
    expect(renderCall({ name: "f", arguments: {} })).toBe("await f()");
  });

  it("means exactly its arguments, for every example of the golden tools and the corpus", async () => {
    const catalogs = [...readGoldenCases().map(({ catalog }) => catalog), ...(hasCorpus ? readCorpus() : [])];
    const examples = catalogs.flatMap(({ tools }) => tools.map((tool) => makeExample(tool) ?? {}));
    for (const value of [given, ...examples])
      expect(await readBack(renderCall({ name: "f", arguments: value }))).toEqual(value);
  });
});

describe("renderPythonCall()", () => {
  it("writes keyword arguments, with an underscore after Python keywords", () => {
    expect(renderPythonCall({ name: "f", arguments: { owner: "me", from: null, ok: true } })).toBe(
      'f(owner="me", from_=None, ok=True)',
    );
    expect(renderPythonCall({ name: "f", arguments: {} })).toBe("f()");
  });

  it("writes a dictionary if a field cannot be a keyword", () => {
    expect(renderPythonCall({ name: "f", arguments: given })).toBe(
      'f({"title": "He said \\"hi\\"\\n", "with-dash": [1, None, True], "nested": {"a b": -1.5, "ok": {}}})',
    );
  });
});
