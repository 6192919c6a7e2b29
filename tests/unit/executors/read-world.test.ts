// The scripts that give a bare engine its globals.
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { findUrlModule } from "../../../src/executors/engines/guest-files.js";
import { readGuestWorld } from "../../../src/executors/guests/typescript/read-world.mjs";

const { script, laterModules } = readGuestWorld(findUrlModule());

/** The kinds of messages that a world posts; only requests for its own modules are answered. */
const answerModules =
  (posted: unknown[][]) =>
  (kind: string, ...values: unknown[]) => {
    if (kind === "module") return laterModules.get(String(values[0]));
    posted.push([kind, ...values]);
    return "";
  };

describe("readGuestWorld()", () => {
  it("returns scripts that need no module and fit into one byte per character", () => {
    for (const text of [script, ...laterModules.values()]) {
      expect(text).not.toMatch(/^(import|export)\b/m);
      expect([...text].every((character) => character.charCodeAt(0) < 128)).toBe(true);
    }
  });

  it("gives a bare engine its globals, connected to the host by one function", () => {
    const posted: unknown[][] = [];
    const bare = { post: answerModules(posted) };
    runInNewContext(`(${script})(post); console.log("hi", new URL("https://Ä.example").host)`, bare);

    expect(posted).toEqual([["log", "log", "hi xn--4ca.example"]]);
  });

  it("requests rarely needed globals once, on first use", () => {
    const asked: unknown[] = [];
    const post = (kind: string, specifier: string): string | undefined => {
      asked.push([kind, specifier]);
      return laterModules.get(specifier);
    };
    const kinds: unknown = runInNewContext(
      `(${script})(post);
      const before = typeof Object.getOwnPropertyDescriptor(globalThis, "URL").get;
      asked.push(before);
      URL.canParse("x"); new URLSearchParams(); atob("");
      [before, typeof Object.getOwnPropertyDescriptor(globalThis, "URL").get].join()`,
      { post, asked },
    );

    expect(kinds).toBe("function,undefined");
    expect(asked).toEqual([
      "function",
      ["module", "whatwg-url-minimum"],
      ["module", "./encoding.mjs"],
      ["module", "./dom-exception.mjs"],
    ]);
  });
});
