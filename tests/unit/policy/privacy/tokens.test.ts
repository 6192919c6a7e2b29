// Tokens: values are replaced in every part of an answer, and put back only where they may go.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finishNow, type Json, type JsonObject } from "../../../../src/contracts/index.js";
import {
  hiddenKinds,
  hideInText,
  PrivacyTokenMap,
  redeemPrivacyTokens,
} from "../../../../src/policy/index.js";
import { rounds } from "../../../support/rounds.js";

const kinds = new Set(hiddenKinds);
const hideFrom = (map: PrivacyTokenMap, value: Json, origin = "crm", scope = "one"): Json =>
  JSON.parse(hideInText(JSON.stringify(value), map, { kinds, scope, origin })) as Json;
const redeemFor = (map: PrivacyTokenMap, value: JsonObject, destination = "crm", scope = "one") =>
  finishNow(redeemPrivacyTokens(value, map, { scope, destination, mayReceive: () => false }));
const faultsOf = (map: PrivacyTokenMap, value: JsonObject, destination?: string, scope?: string) =>
  redeemFor(map, value, destination, scope).uses.map(({ token, fault }) => `${token} ${fault}`);

/** Two spellings of a value have one token: case and spaces may differ. */
const toLoose = (value: Json): string => JSON.stringify(value).toLowerCase().replaceAll(/\s+/g, "");

describe("hideInText()", () => {
  it("gives the same value the same token, in every answer of a session", () => {
    const map = new PrivacyTokenMap();
    const rows = [{ email: "ann@acme.com" }, { email: "bob@acme.com" }, { email: "Ann@Acme.com" }];
    expect(hideFrom(map, rows)).toEqual([
      { email: "[EMAIL_1]" },
      { email: "[EMAIL_2]" },
      { email: "[EMAIL_1]" },
    ]);
    expect(hideFrom(map, ["write to bob@acme.com"], "mail")).toEqual(["write to [EMAIL_2]"]);
  });

  it("hides by the name of a field, and a found value everywhere, even before it", () => {
    const map = new PrivacyTokenMap();
    const answer = {
      note: "Ann Lee called, ANN LEE will pay",
      contact: { firstName: "Ann", name: "Ann Lee", phone: 5551234567, ssn: "078051120" },
      "Ann Lee": 1,
    };
    expect(hideFrom(map, answer)).toEqual({
      note: "[NAME_2] called, [NAME_2] will pay",
      contact: { firstName: "[NAME_1]", name: "[NAME_2]", phone: "[PHONE_1]", ssn: "[SSN_1]" },
      "[NAME_2]": 1,
    });
    expect(hideFrom(map, ["reach 5551234567 soon"])).toEqual(["reach [PHONE_1] soon"]);
  });

  it("does not hide names of things", () => {
    const answer = { repository: { name: "Big Site" }, name: "build", status: "Open", total: 5551234567 };
    expect(hideFrom(new PrivacyTokenMap(), answer)).toEqual(answer);
  });

  it("reads JSON that is a text, however deep, and leaves the rest as it was written", () => {
    const map = new PrivacyTokenMap();
    const inner = '{ "user": {"name":"Ann \\u004cee", "id": 12345678901234567890} }';
    const text = hideInText(JSON.stringify({ content: [{ type: "text", text: inner }] }), map, {
      kinds,
      scope: "one",
      origin: "crm",
    });
    const { content } = JSON.parse(text) as { content: { text: string }[] };
    expect(content[0]?.text).toBe('{ "user": {"name":"[NAME_1]", "id": 12345678901234567890} }');
    expect(map.find("name", 1)?.value).toBe("Ann Lee");
  });

  it("treats text that is almost JSON as text", () => {
    const map = new PrivacyTokenMap();
    const options = { kinds, scope: "one", origin: "crm" };
    expect(hideInText("[note] ann@acme.com", map, options)).toBe("[note] [EMAIL_1]");
    expect(hideInText('{"a": "\\x ann@acme.com"}', map, options)).toBe('{"a": "\\x [EMAIL_1]"}');
    expect(hideInText('{"a": "ann@acme.com', map, options)).toBe('{"a": "[EMAIL_1]');
  });

  it("does not change images", () => {
    const data = Buffer.from("ann@acme.com ".repeat(50)).toString("base64");
    const answer = { content: [{ type: "image", mimeType: "image/png", data }] };
    expect(hideFrom(new PrivacyTokenMap(), answer)).toEqual(answer);
  });

  it("quotes whatever looks like a token, and restores the original text", () => {
    const map = new PrivacyTokenMap();
    hideFrom(map, ["ann@acme.com"]);
    const planted = ["[EMAIL_1]", "see [ email_1 ] and \\[EMAIL\\_1\\]", "[**EMAIL_1**]", "[QUOTED_1]"];
    const hidden = hideFrom(map, planted, "web") as string[];
    expect(hidden.join(" ")).not.toMatch(/email/i);
    const { value, uses } = redeemFor(map, { planted: hidden }, "elsewhere");
    expect(value).toEqual({ planted });
    expect(uses.every(({ fault }) => fault === undefined)).toBe(true);
  });

  it("changes nothing but what it hides, and the server of origin gets it back", () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom(
        "ann@acme.com",
        "[EMAIL_1]",
        "+1 415 555 0100",
        "Ann Lee",
        '{"name":"x"',
        "\\",
        '"',
        "[",
      ),
    );
    const text = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(" "));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.boolean(),
        text.map((inner) => JSON.stringify({ email: inner, name: inner })),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom("name", "email", "note", "user"), tie("value")),
      ),
    }));
    fc.assert(
      fc.property(value, (answer) => {
        const map = new PrivacyTokenMap();
        const given = { answer: answer as Json };
        const back = redeemFor(map, hideFrom(map, given) as JsonObject).value;
        expect(toLoose(back)).toBe(toLoose(given));
      }),
      { numRuns: rounds(300, 20_000) },
    );
  });
});

describe("redeemPrivacyTokens()", () => {
  it("accepts the changes that models make to a token", () => {
    const map = new PrivacyTokenMap();
    hideFrom(map, ["ann@acme.com"]);
    for (const to of [
      "[EMAIL_1]",
      "[email_1]",
      "**[EMAIL_1]**",
      "`[EMAIL_1]`",
      "[ EMAIL_1 ]",
      "\\[EMAIL\\_1\\]",
      "[**EMAIL_1**]",
    ])
      expect(redeemFor(map, { to }).value).toEqual({ to: "ann@acme.com" });
    expect(redeemFor(map, { to: "Ann <[EMAIL_1]>, [Email_1]" }).value).toEqual({
      to: "Ann <ann@acme.com>, ann@acme.com",
    });
  });

  it("refuses tokens that are unknown, of another session, or for another destination", () => {
    const map = new PrivacyTokenMap();
    hideFrom(map, ["ann@acme.com"]);
    hideFrom(map, ["bob@acme.com"], "crm", "two");
    expect(faultsOf(map, { to: "[EMAIL_3]" })).toEqual(["[EMAIL_3] unknown"]);
    expect(faultsOf(map, { to: ["[EMAIL_2]"] })).toEqual(["[EMAIL_2] foreign"]);
    expect(faultsOf(map, { to: "[EMAIL_1]" }, "mail")).toEqual(["[EMAIL_1] withheld"]);
    expect(faultsOf(map, { nested: { "[EMAIL_1]": 1 } }, "mail")).toEqual(["[EMAIL_1] withheld"]);
  });

  it("never assigns a number twice, so a token never means another value", () => {
    const map = new PrivacyTokenMap();
    hideFrom(map, ["ann@acme.com"], "crm", "one");
    expect(hideFrom(map, ["ann@acme.com"], "crm", "two")).toEqual(["[EMAIL_2]"]);
    const later = new PrivacyTokenMap();
    later.skipNumbers(map.lastNumbers());
    expect(hideFrom(later, ["eve@acme.com"])).toEqual(["[EMAIL_3]"]);
  });
});
