// Reads everything that a server offers; only the tools are required.
import { describe, expect, it } from "vitest";
import { stdioFixture } from "../../support/fixture-servers.js";
import { openTestUpstreams } from "../../support/test-upstreams.js";

describe("readListing()", () => {
  it("reads the tools of every page, resources, templates and prompts", async () => {
    const upstreams = await openTestUpstreams({ definitions: [stdioFixture("offers-all")] });
    expect(await upstreams.list("offers-all")).toEqual({
      server: "offers-all",
      serverVersion: "1.0.0",
      instructions: "Everything there is.",
      tools: [
        { name: "one", title: "One", description: "The first.", inputSchema: { type: "object" } },
        { name: "two", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
        { name: "three", inputSchema: { type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }] } },
      ],
      resources: [{ uri: "note://1", name: "Note 1", description: "A note.", mimeType: "text/plain" }],
      resourceTemplates: [{ uriTemplate: "note://{id}", name: "Notes" }],
      prompts: [{ name: "greet", description: "Greets.", arguments: [{ name: "who", required: true }] }],
      warnings: ["2 of its tools have no usable name (1 to 256 characters)"],
    });
  });

  it("ignores the prompts if only they cannot be listed", async () => {
    const upstreams = await openTestUpstreams({
      definitions: [stdioFixture("offers-all", { args: ["--no-prompts"] })],
    });
    const listing = await upstreams.list("offers-all");
    expect(listing.prompts).toEqual([]);
    expect(listing.tools).toHaveLength(3);
    expect(listing.resources).toHaveLength(1);
  });
});
