// The detectors of personal data: what they find in a text, and what they leave alone.
import { describe, expect, it } from "vitest";
import { hiddenKinds, hideInText, PrivacyTokenMap } from "../../../../src/policy/index.js";
import { findInText } from "../../../../src/policy/privacy/find-in-text.js";

const { hasCorpus, hasSentences, measureCorpus, measureSentences } = (await import(
  new URL("../../../../benchmarks/privacy/measure.mjs", import.meta.url).href
)) as {
  readonly hasCorpus: boolean;
  readonly hasSentences: boolean;
  readonly measureCorpus: (given: object) => { readonly leaves: number; readonly alarms: readonly string[] };
  readonly measureSentences: (find: typeof findInText) => {
    readonly counts: ReadonlyMap<string, { readonly found: number; readonly all: number }>;
    readonly wrong: readonly string[];
  };
};

const kinds = new Set(hiddenKinds);
const find = (text: string): readonly string[] =>
  findInText(text, kinds).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);

describe("findInText()", () => {
  it.each([
    ["write to Ann.Lee+x@mail.acme.co.uk, please", "email Ann.Lee+x@mail.acme.co.uk"],
    ["<mailto:ann@acme.com>", "email ann@acme.com"],
    ["https://acme.com/?to=ann@acme.com", "email ann@acme.com"],
    ["IBAN DE89 3704 0044 0532 0130 00.", "iban DE89 3704 0044 0532 0130 00"],
    ["gb82west12345698765432", "iban gb82west12345698765432"],
    ["paid with 4111 1111 1111 1111 today", "card 4111 1111 1111 1111"],
    ["4111-1111-1111-1111", "card 4111-1111-1111-1111"],
    ["ssn 078-05-1120", "ssn 078-05-1120"],
    ["from 203.0.113.7:8080 and", "ip 203.0.113.7"],
    ["at 2001:db8::8a2e:370:7334 today", "ip 2001:db8::8a2e:370:7334"],
    ["call +49 (0)30 901820", "phone +49 (0)30 901820"],
    ["(415) 555-0100", "phone (415) 555-0100"],
    ["415-555-0100 x12", "phone 415-555-0100 x12"],
    ["Mobile: 5551234567", "phone 5551234567"],
    ["key ghp_0123456789abcdefghijABCDEFGHIJ012345", "secret ghp_0123456789abcdefghijABCDEFGHIJ012345"],
    ["From: Ann Lee <ann@acme.com>", "name Ann Lee"],
    ["Name: Ann Lee\nRole: x", "name Ann Lee"],
  ])("finds the value in %j", (text, expected) => {
    expect(find(text)).toContain(expected);
  });

  it.each([
    "550e8400-e29b-41d4-a716-446655440000",
    "commit 4111111111111111abc and 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "2026-02-03T04:05:06.123456789Z, 2026-02-03 04:05:06, 03.02.2026, 12/31/1999",
    "1767225600 and 1767225600000 and 1767225600000000000",
    "v1.2.3.4-beta, 10.15.7, node@22.13.1, @scope/name@1.2.3",
    "48.858370, 2.294481 and -122.419416",
    "git@github.com:acme/site.git and icon@2x.png and members@odata.bind",
    "order 5551234567, invoice 123456789, 4 000 000 000",
    "4111 1111 1111 1112",
    "DE00 3704 0044 0532 0130 00",
    "000-12-3456, 666-12-3456, 912-34-5678",
    "127.0.0.1, 0.0.0.0, 255.255.255.0, 300.1.2.3",
    "std::vector, 12:34:56, aa:bb:cc:dd:ee:ff",
    "postgres://user:hunter2@db.acme.com/main",
  ])("finds nothing in %j", (text) => {
    expect(find(text)).toEqual([]);
  });

  it("finds every value of the development sentences, with at most two false positives", ({ skip }) => {
    skip(!hasSentences, "the sentences are not beside the checkout (../shared/policy-data)");
    const { counts, wrong } = measureSentences(findInText);
    for (const [kind, { found, all }] of counts) {
      expect(all, kind).toBeGreaterThan(0);
      expect(found / all, kind).toBeGreaterThanOrEqual(kind === "phone" ? 0.85 : 1);
    }
    expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(2);
  });
});

describe("hideInText()", () => {
  it("hides at most one of 10,000 technical values by mistake", ({ skip }) => {
    skip(!hasCorpus, "the corpus of real servers is not beside the checkout (../shared/corpus)");
    const { leaves, alarms } = measureCorpus({ hideInText, PrivacyTokenMap, hiddenKinds });
    expect(leaves).toBeGreaterThan(100_000);
    expect(alarms.length, alarms.join("\n")).toBeLessThanOrEqual(leaves / 10_000);
  });
});
