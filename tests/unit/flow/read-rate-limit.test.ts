// Detection of rate limits in errors, results and headers.
import { describe, expect, it } from "vitest";
import { CoordinatorError, parseRetryAfter, ServerRefusal } from "../../../src/contracts/index.js";
import { isConnectionRefused, readErrorLimit, readResultLimit } from "../../../src/flow/read-rate-limit.js";

const failed = (cause: object) => new CoordinatorError("UPSTREAM_FAILED", "Cannot call", { cause });
const http = (status: number, statusText = "") =>
  failed(Object.assign(new Error("x"), { name: "SdkHttpError", data: { status, statusText } }));
const say = (text: string, isError = true) => ({ content: [{ type: "text", text }], isError });

describe("readErrorLimit()", () => {
  it.each([
    ["HTTP 429", http(429), { waitMs: undefined, isUnprocessed: true }],
    ["HTTP 429 with seconds", http(429, "retry-after: 7"), { waitMs: 7000, isUnprocessed: true }],
    ["HTTP 503 with seconds", http(503, "retry-after: 2"), { waitMs: 2000, isUnprocessed: false }],
    ["HTTP 503 alone", http(503), undefined],
    ["HTTP 500", http(500, "retry-after: 2"), undefined],
    [
      "the old event stream",
      failed(new Error("Error POSTing to endpoint (HTTP 429): x")),
      { isUnprocessed: true },
    ],
    [
      "a protocol error by its text",
      failed({ code: -32_000, message: "Rate limit exceeded, try again in 3 seconds" }),
      { waitMs: 3000, isUnprocessed: false },
    ],
    [
      "a protocol error by its code and data",
      new ServerRefusal(429, "no", { retry_after: 4 }),
      { waitMs: 4000, isUnprocessed: false },
    ],
    ["another protocol error", new ServerRefusal(-32_602, "Invalid params"), undefined],
    ["something else", new Error("rate limit"), undefined],
  ])("reads %s", (_name, error, expected) => {
    const found = readErrorLimit(error);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(expected);
  });
});

describe("readResultLimit()", () => {
  it.each([
    ["an error's text", say("Error: Too Many Requests. Retry after 30 s"), { waitMs: 30_000 }],
    ["an error's text in minutes", say("You are being throttled, wait 2 minutes"), { waitMs: 120_000 }],
    ["a status in an error's text", say("request failed with status 429"), {}],
    [
      "fields of an error",
      { isError: true, structuredContent: { status: 429, retryAfter: "1" } },
      { waitMs: 1000 },
    ],
    ["fields of a result", { structuredContent: { error: { code: 429 }, retryAfterMs: 5 } }, { waitMs: 5 }],
    [
      "JSON text of a result",
      say('{"error":"rate_limit_exceeded","retry_after":2}', false),
      { waitMs: 2000 },
    ],
  ])("reads %s", (_name, result, expected) => {
    expect(readResultLimit(result)).toMatchObject({ ...expected, isUnprocessed: false });
  });

  it.each([
    ["a text about rate limits", say("How to handle rate limits: too many requests …", false)],
    ["an issue with that number", say("Issue 429 not found")],
    ["a list of issues", { structuredContent: { items: [{ status: 429, title: "rate limit" }] } }],
    ["a field that mentions it", { structuredContent: { title: "Too many requests", status: "open" } }],
    ["another error", say("File not found")],
  ])("does not treat %s as one", (_name, result) => {
    expect(readResultLimit(result)).toBeUndefined();
  });
});

describe("a Retry-After header", () => {
  it("has seconds or a date", () => {
    const now = Date.parse("2026-01-31T00:00:00Z");
    expect(parseRetryAfter("120", now)).toBe(120_000);
    expect(parseRetryAfter("1.5", now)).toBe(1500);
    expect(parseRetryAfter("Sat, 31 Jan 2026 00:00:30 GMT", now)).toBe(30_000);
    expect(parseRetryAfter("Sat, 31 Jan 2025 00:00:30 GMT", now)).toBe(0);
    expect(parseRetryAfter("soon", now)).toBeUndefined();
  });
});

describe("isConnectionRefused()", () => {
  it("finds a refused connection in the causes", () => {
    expect(isConnectionRefused(failed({ cause: { code: "ECONNREFUSED" } }))).toBe(true);
    expect(isConnectionRefused(failed({ cause: { code: "ECONNRESET" } }))).toBe(false);
  });
});
