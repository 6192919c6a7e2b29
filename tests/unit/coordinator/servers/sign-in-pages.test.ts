// The URL of a sign-in that the person at a client gets, and what happens to sign-ins without one.
import { describe, expect, it } from "vitest";
import { openSignInPages } from "../../../../src/coordinator/servers/sign-in-pages.js";

describe("openSignInPages()", () => {
  it("returns the URL as soon as there is one, and the same URL while the sign-in is in progress", async () => {
    let count = 0;
    const pages = openSignInPages(async ({ onAddress }) => {
      count += 1;
      await onAddress?.("https://issuer.example.com/authorize", 60_000);
      return new Promise(() => {});
    });
    const both = await Promise.all([pages.open("linear"), pages.open("linear")]);
    expect(both).toEqual(Array(2).fill("https://issuer.example.com/authorize"));
    expect(count).toBe(1);
  });

  it("returns none, and does not wait, for a machine account that signs in by itself", async () => {
    const pages = openSignInPages(async () => ({ state: "signed in" }));
    expect(await pages.open("linear")).toBeUndefined();
  });

  it("returns none if the sign-in cannot begin", async () => {
    const pages = openSignInPages(() => Promise.reject(new Error("no issuer")));
    expect(await pages.open("linear")).toBeUndefined();
  });
});
