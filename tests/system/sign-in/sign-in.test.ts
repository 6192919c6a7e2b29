// Signing in to a server behind a real issuer: browser, device, paste, refresh, more rights, sign-out.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../../support/browser.js";
import { type RunningFixture, startFixture } from "../../support/fixture-servers.js";
import { type OpenFixture, openFixture } from "../../support/open-fixture.js";

let running: RunningFixture;
let opened: OpenFixture | undefined;

beforeAll(async () => {
  running = await startFixture("signed-in");
});
afterAll(() => running.stop());
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

const openOn = async (auth?: object, port = running.port): Promise<OpenFixture> => {
  const url = `http://127.0.0.1:${port}/mcp`;
  opened = await openFixture({ linear: auth === undefined ? { url } : { url, auth } }, { vault: "file" });
  return opened;
};
const openPage = async (url: string): Promise<void> => {
  await openBrowser().open(url);
};
const callText = async ({ coordinator }: OpenFixture, tool: string): Promise<string> =>
  String(await coordinator.callTool({ server: "linear", tool, arguments: {} }));

const control = async (what: string, port = running.port): Promise<string> =>
  (await fetch(`http://127.0.0.1:${port}/control/${what}`)).text();

describe("a server that requires a sign-in", () => {
  it("is reported with the command, in every place where it shows", async () => {
    const fixture = await openOn();
    const { coordinator, run } = fixture;
    const needed = { code: "SIGN_IN_NEEDED", hint: expect.stringMatching(/login linear/) };
    await expect(callText(fixture, "whoami")).rejects.toMatchObject(needed);
    const [server] = (await coordinator.listServers({ connect: true })).filter(
      ({ name }) => name === "linear",
    );
    expect(server).toMatchObject({ status: "sign-in needed", error: needed });
    expect(await run(`return await linear.whoami({})`)).toMatchObject({
      status: "paused",
      question: { kind: "sign-in", command: expect.stringMatching(/login linear/) },
    });
    const found = await coordinator.searchTools({ query: "who am I" });
    expect(JSON.stringify(found)).toMatch(/login linear/);
  });

  it("works after a sign-in with a browser, for every later process", async () => {
    const fixture = await openOn();
    const account = await fixture.coordinator.login({ server: "linear", onAddress: openPage });
    expect(account).toMatchObject({
      server: "linear",
      type: "oauth",
      state: "signed in",
      isRenewed: true,
      scopes: expect.arrayContaining(["read"]),
    });
    expect(await callText(fixture, "whoami")).toBe("ada");
    const { accounts, vault } = await fixture.coordinator.listAccounts();
    expect(accounts).toMatchObject([{ server: "linear", state: "signed in" }]);
    expect(vault).toMatchObject({ source: "file" });
    expect(await fixture.run(`return await linear.whoami({})`)).toMatchObject({ value: "ada" });
  });

  it("works after a sign-in with a code on another device", async () => {
    const fixture = await openOn();
    await fixture.coordinator.login({
      server: "linear",
      method: "device",
      onCode: async ({ code, completeUrl = "" }) => {
        expect(code).toMatch(/\w/);
        expect(await openBrowser().submitForms(completeUrl)).toBe("device signed in");
      },
    });
    expect(await callText(fixture, "whoami")).toBe("ada");
  });

  it("works after a sign-in with a pasted URL", async () => {
    const fixture = await openOn();
    let pasted = "";
    await fixture.coordinator.login({
      server: "linear",
      method: "paste",
      onAddress: async (url) => {
        pasted = (
          await openBrowser({ stopsAt: new URL(url).searchParams.get("redirect_uri") ?? "" }).open(url)
        ).url;
      },
      readAddress: async () => pasted,
    });
    expect(await callText(fixture, "whoami")).toBe("ada");
  });

  it("works with a configured client", async () => {
    const auth = { clientId: "configured", clientSecret: "configured-secret-of-the-test", scopes: ["read"] };
    const fixture = await openOn(auth);
    const account = await fixture.coordinator.login({ server: "linear", onAddress: openPage });
    expect(account.clientId).toBe("configured");
    expect(await callText(fixture, "whoami")).toBe("ada");
  });

  it("needs no sign-in if its entry has a header that is used instead", async () => {
    const url = `http://127.0.0.1:${running.port}/mcp`;
    opened = await openFixture(
      { linear: { url, headers: { authorization: "Bearer own" } } },
      { vault: "file" },
    );
    await expect(opened.coordinator.login({ server: "linear", onAddress: openPage })).rejects.toMatchObject({
      code: "USAGE",
      message: expect.stringContaining('"Authorization"'),
    });
    expect(await opened.coordinator.logout({ server: "linear" })).toBe(false);
  });

  it("names the configuration, and not the issuer, if its private key cannot sign", async () => {
    const privateKey = "-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----";
    const fixture = await openOn({ type: "private-key-jwt", clientId: "configured", privateKey });
    const error = await callText(fixture, "whoami").catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ code: "SIGN_IN_FAILED", message: expect.stringContaining('"privateKey"') });
    expect(`${JSON.stringify(error)}${(error as Error).cause}`).not.toContain("canary");
  });

  it("needs no person with client credentials", async () => {
    const auth = {
      type: "client-credentials",
      clientId: "configured",
      clientSecret: "configured-secret-of-the-test",
    };
    const fixture = await openOn(auth);
    expect(await callText(fixture, "whoami")).toBe("configured");
    await control("expire");
    expect(await callText(fixture, "whoami")).toBe("configured");
  });

  it("asks for more rights once a call needs them, and keeps those it had", async () => {
    const fixture = await openOn();
    const { coordinator } = fixture;
    await coordinator.login({ server: "linear", onAddress: openPage });
    await expect(callText(fixture, "rights")).rejects.toMatchObject({
      code: "SIGN_IN_NEEDED",
      message: expect.stringContaining("more rights (admin)"),
    });
    expect((await coordinator.listAccounts()).accounts).toMatchObject([{ wantedScopes: ["admin"] }]);
    await coordinator.login({ server: "linear", onAddress: openPage });
    expect((await callText(fixture, "rights")).split(" ")).toEqual(expect.arrayContaining(["read", "admin"]));
  });

  it("is renewed without a person when its token expires", async () => {
    const fixture = await openOn();
    await fixture.coordinator.login({ server: "linear", onAddress: openPage });
    const before = Number(await control("count"));
    await control("expire");
    const all = await Promise.all([1, 2, 3, 4].map(() => callText(fixture, "whoami")));
    expect(all).toEqual(["ada", "ada", "ada", "ada"]);
    // Four requests were refused, and one asked the issuer.
    expect(Number(await control("count"))).toBe(before + 1);
  });

  it("keeps a sign-in while its issuer fails, and uses it afterwards", async () => {
    const fixture = await openOn();
    await fixture.coordinator.login({ server: "linear", onAddress: openPage });
    await control("expire");
    await control("fail");
    await expect(callText(fixture, "whoami")).rejects.toMatchObject({ code: "SIGN_IN_FAILED" });
    await control("release");
    expect(await callText(fixture, "whoami")).toBe("ada");
  });

  it("is registered again after its issuer forgot us", async () => {
    const fixture = await openOn();
    const { coordinator } = fixture;
    const first = await coordinator.login({ server: "linear", onAddress: openPage });
    await control("forget-clients");
    await control("expire");
    await expect(callText(fixture, "whoami")).rejects.toMatchObject({ code: "SIGN_IN_NEEDED" });
    const second = await coordinator.login({ server: "linear", onAddress: openPage });
    expect(second.clientId).not.toBe(first.clientId);
    expect(await callText(fixture, "whoami")).toBe("ada");
  });

  it("is removed by a sign-out, and revoked at the issuer on request", async () => {
    const fixture = await openOn();
    const { coordinator } = fixture;
    await coordinator.login({ server: "linear", onAddress: openPage });
    expect(await coordinator.logout({ server: "linear", isRevoked: true })).toBe(true);
    expect(await coordinator.logout({ server: "linear" })).toBe(false);
    await expect(callText(fixture, "whoami")).rejects.toMatchObject({ code: "SIGN_IN_NEEDED" });
    expect((await coordinator.listAccounts()).accounts).toEqual([]);
  });
});
