// The grammar of references.
import { describe, expect, it } from "vitest";
import { expandVariables } from "../../../src/config/expand-variables.js";

const values = new Map([
  ["NAME", "value"],
  ["EMPTY", ""],
  ["NESTED", "${NAME}"],
  ["ProgramFiles(x86)", "programs"],
]);

const expand = (text: string) => {
  const missing: [string, boolean][] = [];
  const expanded = expandVariables(text, {
    constants: new Map([["userHome", "/home/ada"]]),
    read: (name) => values.get(name),
    onMissing: (name, isPrompt) => missing.push([name, isPrompt]),
  });
  return { expanded, missing };
};

describe("expandVariables()", () => {
  it.each([
    ["${NAME}", "value"],
    ["a ${NAME} b ${NAME}", "a value b value"],
    ["${env:NAME}", "value"],
    ["${env:ProgramFiles(x86)}", "programs"],
    ["${EMPTY}", ""],
    ["${UNSET:-fallback}", "fallback"],
    ["${env:UNSET:-fallback}", "fallback"],
    ["${UNSET:-}", ""],
    ["${EMPTY:-fallback}", "fallback"],
    ["${NAME:-fallback}", "value"],
    ["${UNSET:-http://localhost:80}", "http://localhost:80"],
    ["${UNSET:-${NAME}}/x", "value/x"],
    ['${UNSET:-{"a":1}}', '{"a":1}'],
    ["${userHome}/x", "/home/ada/x"],
  ])("expands %s", (text, wanted) => {
    expect(expand(text)).toEqual({ expanded: wanted, missing: [] });
  });

  it.each(["$NAME", "$", "${}", "${NAME", "${1}", "${#NAME}", "${NAME%suffix}", "{NAME}"])(
    "does not change %s",
    (text) => {
      expect(expand(text)).toEqual({ expanded: text, missing: [] });
    },
  );

  it("never expands a value again", () => {
    expect(expand("${NESTED}").expanded).toBe("${NAME}");
  });

  it("leaves a reference without a value unchanged and reports its name", () => {
    expect(expand("x ${UNSET}")).toEqual({ expanded: "x ${UNSET}", missing: [["UNSET", false]] });
    expect(expand("${A:-${UNSET}}").missing).toEqual([["UNSET", false]]);
  });

  it("reports that an editor's prompt has no value", () => {
    expect(expand("Bearer ${input:token}").missing).toEqual([["input:token", true]]);
  });

  it("does not treat a constant as an environment variable", () => {
    expect(expand("${env:userHome}").missing).toEqual([["userHome", false]]);
  });
});
