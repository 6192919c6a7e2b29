import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { findUrlModule } from "../../../src/executors/find-url-module.js";
import { readGuestWorld } from "../../../src/executors/read-guest-world.mjs";

const world = readGuestWorld(findUrlModule());

describe("readGuestWorld()", () => {
  it("is one script that needs no module and fits into one byte a character", () => {
    expect(world).not.toMatch(/^(import|export)\b/m);
    expect([...world].every((character) => character.charCodeAt(0) < 128)).toBe(true);
  });

  it("gives a bare engine its world, tied to one door", () => {
    const posted: unknown[][] = [];
    const bare = { post: (...values: unknown[]) => void posted.push(values) };
    runInNewContext(`(${world})(post); console.log("hi", new URL("https://Ä.example").host)`, bare);

    expect(posted).toEqual([["log", "log", "hi xn--4ca.example"]]);
  });

  it("loads the parts of the world that few programs need when they are asked for", () => {
    const kinds: unknown = runInNewContext(`(${world})(() => "");
      const before = typeof Object.getOwnPropertyDescriptor(globalThis, "URL").get;
      URL.canParse("x");
      [before, typeof Object.getOwnPropertyDescriptor(globalThis, "URL").get].join()`);

    expect(kinds).toBe("function,undefined");
  });
});
