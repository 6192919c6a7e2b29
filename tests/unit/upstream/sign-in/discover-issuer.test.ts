// Who we are to an issuer: the order in which identities are tried, and the document that describes us.
import { readFileSync } from "node:fs";
import * as sdk from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { chooseClient } from "../../../../src/upstream/sign-in/discover-issuer.js";

const issuer = "https://issuer.example";
const document = "https://example.com/client-metadata.json";
const sent: unknown[] = [];
const choose = (
  given: Pick<Parameters<typeof chooseClient>[0], "auth" | "document">,
  offered: Record<string, unknown>,
) =>
  chooseClient({
    ...given,
    sdk,
    server: "linear",
    port: 4000,
    facts: {
      issuer,
      authorizationServerUrl: issuer,
      metadata: {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        response_types_supported: ["code"],
        ...offered,
      } as never,
    },
    fetch: async (_url, init) => {
      sent.push(JSON.parse(String(init?.body)));
      return Response.json({ client_id: "registered", redirect_uris: ["http://127.0.0.1:4000/callback"] });
    },
  });
const all = { client_id_metadata_document_supported: true, registration_endpoint: `${issuer}/register` };

describe("chooseClient()", () => {
  it("prefers a configured id, then a document, then a registration, and else asks", async () => {
    const auth = { type: "oauth", clientId: "mine" } as const;
    expect(await choose({ auth, document }, all)).toMatchObject({ client_id: "mine", origin: "configured" });
    expect(await choose({ document }, all)).toMatchObject({ client_id: document, origin: "document" });
    expect(
      await choose({ document }, { ...all, client_id_metadata_document_supported: false }),
    ).toMatchObject({
      client_id: "registered",
      origin: "registered",
    });
    expect(await choose({}, all)).toMatchObject({ client_id: "registered" });
    await expect(choose({}, {})).rejects.toMatchObject({
      code: "CLIENT_ID_NEEDED",
      hint: expect.stringContaining("http://127.0.0.1:4000/callback"),
    });
  });

  it("uses no document over plain http", async () => {
    expect(await choose({ document: "http://example.com/client.json" }, all)).toMatchObject({
      client_id: "registered",
    });
  });
});

describe("the client metadata document", () => {
  it("says the same as a registration", async () => {
    sent.length = 0;
    await choose({}, { ...all, device_authorization_endpoint: `${issuer}/device` });
    const text = readFileSync(new URL("../../../../schema/client-metadata.json", import.meta.url), "utf8");
    const { client_id, client_uri, redirect_uris, ...same } = JSON.parse(text) as Record<string, unknown>;
    expect(sent).toMatchObject([same]);
    // Issuers accept any port on this machine for native applications (RFC 8252).
    expect(redirect_uris).toEqual(["http://127.0.0.1/callback"]);
    expect(client_id).toMatch(/^https:\/\/.+\.json$/);
    expect(client_uri).toMatch(/^https:/);
  });
});
