// The first and next connection attempts for every kind of server and failure.
import { describe, expect, it } from "vitest";
import { type ConnectPlan, firstPlan, nextPlan } from "../../../src/upstream/open-connection.js";

const now = Date.parse("2026-11-15T00:00:00Z");
const legacy = (decidedAt: string) => ({ kind: "legacy", decidedAt }) as const;
const modern = { kind: "modern", decidedAt: "2026-01-01T00:00:00Z", discover: {} } as const;

const httpError = (status: number) => Object.assign(new Error(), { name: "SdkHttpError", data: { status } });
const refusal = Object.assign(new Error("no"), { name: "ProtocolError", code: -32022 });
const timeout = Object.assign(new Error("late"), { code: "REQUEST_TIMEOUT" });
const closed = Object.assign(new Error("closed"), { code: "ERA_NEGOTIATION_FAILED" });
const notFound = Object.assign(new Error("no file"), { code: "ENOENT", syscall: "spawn x" });
const refused = Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });

describe("firstPlan()", () => {
  it("probes the protocol version of an unknown server", () => {
    expect(firstPlan("stdio", undefined, now)).toEqual({ wire: "stdio", mode: "probe" });
    expect(firstPlan("http", undefined, now)).toEqual({ wire: "http", mode: "probe" });
  });

  it("assumes the legacy protocol for the old transport", () => {
    expect(firstPlan("sse", modern, now)).toEqual({ wire: "sse", mode: "legacy" });
  });

  it("trusts a detected legacy version for a week", () => {
    expect(firstPlan("stdio", legacy("2026-11-08T00:00:01Z"), now).mode).toBe("legacy");
    expect(firstPlan("stdio", legacy("2026-11-07T23:59:59Z"), now).mode).toBe("probe");
    expect(firstPlan("http", legacy("not a date"), now).mode).toBe("probe");
  });

  it("uses a detected modern version if it saves a network round trip", () => {
    expect(firstPlan("http", modern, now).mode).toBe("modern");
    expect(firstPlan("stdio", modern, now).mode).toBe("probe");
  });
});

describe("nextPlan()", () => {
  it.each<[string, ConnectPlan, unknown, ConnectPlan | undefined]>([
    [
      "a process that exits when it is probed",
      { wire: "stdio", mode: "probe" },
      closed,
      { wire: "stdio", mode: "legacy" },
    ],
    [
      "a process that stops answering",
      { wire: "stdio", mode: "probe" },
      timeout,
      { wire: "stdio", mode: "legacy" },
    ],
    [
      "a modern server that was slow",
      { wire: "stdio", mode: "probe" },
      refusal,
      { wire: "stdio", mode: "patient" },
    ],
    [
      "a server that is no longer legacy",
      { wire: "stdio", mode: "legacy" },
      refusal,
      { wire: "stdio", mode: "patient" },
    ],
    ["a legacy server that exits", { wire: "stdio", mode: "legacy" }, closed, undefined],
    ["a server that refuses twice", { wire: "stdio", mode: "patient" }, refusal, undefined],
    ["a command that does not exist", { wire: "stdio", mode: "probe" }, notFound, undefined],
    ["an old HTTP server", { wire: "http", mode: "probe" }, httpError(405), { wire: "sse", mode: "legacy" }],
    ["an HTTP 401", { wire: "http", mode: "probe" }, httpError(401), undefined],
    ["an HTTP 403", { wire: "http", mode: "legacy" }, httpError(403), undefined],
    ["a broken HTTP server", { wire: "http", mode: "probe" }, httpError(500), undefined],
    ["a refused connection", { wire: "http", mode: "probe" }, refused, undefined],
    [
      "an outdated version",
      { wire: "http", mode: "legacy" },
      httpError(400),
      { wire: "http", mode: "probe" },
    ],
    ["an invalid version", { wire: "http", mode: "modern" }, closed, { wire: "http", mode: "probe" }],
    ["the last attempt", { wire: "sse", mode: "legacy" }, httpError(404), undefined],
  ])("chooses the next attempt after %s", (_case, plan, error, next) => {
    expect(nextPlan(plan, error)).toEqual(next);
  });
});
