// Conditions of rules: what matches, what does not, and what cannot be decided.
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/contracts/index.js";
import { openPolicy, parsePolicy } from "../../../src/policy/index.js";

const tool = { server: "mail", name: "send", isReadOnly: false, isDestructive: true };

const decideBy = (list: "allow" | "deny", rule: string, value: JsonObject): string => {
  const { policy, problems } = parsePolicy({ [list]: [rule], default: list === "allow" ? "ask" : "allow" });
  expect(problems).toEqual([]);
  return openPolicy([policy]).decide(tool, value).answer;
};

/** What a rule says about a value: it holds if an allow rule applies, it may hold if a deny rule does. */
const judge = (condition: string, value: JsonObject): "yes" | "no" | "unknown" => {
  const isCertain = decideBy("allow", `mail.send(${condition})`, value) === "allow";
  const isPossible = decideBy("deny", `mail.send(${condition})`, value) === "deny";
  return isCertain ? "yes" : isPossible ? "unknown" : "no";
};

describe("a text pattern", () => {
  it.each([
    ["repo: main", "main", "yes"],
    ["repo: main", "maintenance", "no"],
    ["repo: release-*", "release-1", "yes"],
    ["repo: *-old-*", "very-old-one", "yes"],
    ["repo: acme", "ACME", "unknown"],
    ["repo: acme", "ac\u200bme", "unknown"],
    ["repo: acme", " acme ", "unknown"],
    ["repo: acme", "ac\ufe0fme", "unknown"],
    ["repo: acme", "ac\ud800me", "unknown"],
    ["repo: café", "cafe\u034f\u0301", "unknown"],
    ["repo in [acme]", "x".repeat(9000), "unknown"],
    ["repo: *", "anything", "yes"],
    ["repo: not main", "main", "no"],
    ["repo: not main", "other", "yes"],
    ['repo: "a, b"', "a, b", "yes"],
  ] as const)("%s says of %j: %s", (condition, repo, expected) => {
    expect(judge(condition, { repo })).toBe(expected);
  });
});

describe("an e-mail pattern", () => {
  it.each([
    ["to: *@acme.com", "ann@acme.com", "yes"],
    ["to: *@acme.com", "ann@ACME.com", "yes"],
    ["to: *@acme.com", "Ann <ann@acme.com>", "yes"],
    ["to: *@acme.com", "ann@acme.com.evil.org", "no"],
    ["to: *@acme.com", "ann@evil.org", "no"],
    ["to: *@acme.com", "ann@acme.com,bob@evil.org", "unknown"],
    ["to: *@acme.com", "bob@evil.org <ann@acme.com>", "unknown"],
    ["to: *@acme.com", '"bob@evil.org"@acme.com', "unknown"],
    ["to: *@acme.com", "ann@acme.com\nBcc: bob@evil.org", "unknown"],
    ["to: *@acme.com", "[EMAIL_1]", "unknown"],
    ["to: *@*.acme.com", "ann@eu.acme.com", "yes"],
    ["to: not *@acme.com", "bob@evil.org", "yes"],
    ["to: ann@acme.com", "a\u200bnn@acme.com", "unknown"],
    ["to: ann@acme.com", "ann+news@acme.com", "unknown"],
    ["to: *@acme.com", "ann@acme.com/evil.org", "unknown"],
    ["to: *@acme.com", "ann@acme%2ecom", "unknown"],
    ["to: *@*.bücher.de", "ann@eu.bücher.de", "yes"],
  ] as const)("%s says of %j: %s", (condition, to, expected) => {
    expect(judge(condition, { to })).toBe(expected);
  });
});

describe("a URL pattern", () => {
  it.each([
    ["url: https://acme.com/**", "https://acme.com/a/b", "yes"],
    ["url: https://acme.com/**", "https://acme.com", "yes"],
    ["url: https://*.acme.com/**", "https://docs.acme.com/x", "yes"],
    ["url: https://*.acme.com/**", "https://acme.com.evil.org/x", "no"],
    ["url: https://*.acme.com/**", "https://evil.org/?x=.acme.com/", "no"],
    ["url: https://acme.com/**", "https://acme.com@evil.org/", "unknown"],
    ["url: https://acme.com/**", "http://acme.com/", "unknown"],
    ["url: https://acme.com/**", "https://acme.com:8443/", "unknown"],
    ["url: https://acme.com:8443/**", "https://acme.com:8443/", "yes"],
    ["url: https://acme.com/docs/*", "https://acme.com/docs/../admin", "no"],
    ["url: https://acme.com/docs/*", "https://acme.com/docs/one", "yes"],
    ["url: https://acme.com/**", "acme.com", "unknown"],
    ["url: https://acme.com/**", "acme.com:443/admin", "unknown"],
    ["url: https://acme.com/**", "view-source:https://acme.com/", "unknown"],
    ["url: https://acme.com/**", "about:blank", "no"],
    ["url: *://acme.com/**", "git+ssh://ACME.com/x", "yes"],
    ["url: s3://acme/**", "s3://acme/x", "yes"],
    ["url: https://acme.com/admin/**", "https://acme.com/%61dmin/x", "yes"],
    ["url: https://acme.com/docs/**", "https://acme.com/docs/..%2fadmin", "unknown"],
    ["url: https://acme.com/admin/**", "https://acme.com/admin;a/x", "unknown"],
    ["url: https://acme.com/admin/**", "https://acme.com/%2561dmin/x", "unknown"],
    ["url: https://acme.com/my files/**", "https://acme.com/my%20files/x", "yes"],
    ["url: https://*.bücher.de/**", "https://www.bücher.de/", "yes"],
    ["url: http://[::1]/**", "http://[::1]/x", "yes"],
    ["url: https://ann@acme.com/**", "https://acme.com/", "unknown"],
  ] as const)("%s says of %j: %s", (condition, url, expected) => {
    expect(judge(condition, { url })).toBe(expected);
  });
});

describe("a path pattern", () => {
  it.each([
    ["path: **/.ssh/**", "/home/ann/.ssh/id_rsa", "yes"],
    ["path: **/.ssh/**", ".ssh/id_rsa", "yes"],
    ["path: **/.ssh/**", "/home/ann/.SSH/id_rsa", "unknown"],
    ["path: **/.ssh/**", "C:\\Users\\ann\\.ssh\\id_rsa", "yes"],
    ["path: **/.ssh/**", "/home/ann/ssh/id_rsa", "no"],
    ["path: **/.ssh/**", "/home/ann/docs/../.ssh/id_rsa", "unknown"],
    ["path: **/.ssh/**", "~/.ssh/id_rsa", "unknown"],
    ["path: /data/**", "/data/\u2025/x", "unknown"],
    ["path: **/.ssh/**", "file:///home/ann/.ssh/id_rsa", "yes"],
    ["path: /data/**", "/data/a/b.csv", "yes"],
    ["path: /data/**", "/data", "yes"],
    ["path: /data/**", "/database/x", "no"],
    ["path: /data/**", "data/x", "unknown"],
    ["path: /data/*.csv", "/data/a.csv", "yes"],
    ["path: /data/*.csv", "/data/deep/a.csv", "no"],
    ["path: /a/**/b/**/c", "/a/x/b/y/z/c", "yes"],
    ["path: /a/**/b/**/c", "/a/x/y/z/c", "no"],
  ] as const)("%s says of %j: %s", (condition, path, expected) => {
    expect(judge(condition, { path })).toBe(expected);
  });
});

describe("a comparison", () => {
  it.each([
    ["amount > 500", 501, "yes"],
    ["amount > 500", 500, "no"],
    ["amount <= 500", 500, "yes"],
    ["amount > 500", "501", "unknown"],
    ["amount > 500", [501], "yes"],
    ["amount > 500", { value: 501 }, "unknown"],
    ["amount in [1, 2]", 2, "yes"],
    ["amount in [1, 2]", "2", "unknown"],
    ["amount = 7", 7, "yes"],
    ["amount != 7", 8, "yes"],
    ["amount: 7", 7, "yes"],
    ["due < 2026-01-01", "2025-12-31", "yes"],
    ["due < 2026-01-01", "tomorrow", "unknown"],
    ["draft: true", true, "yes"],
    ["draft: true", false, "no"],
    ["draft: true", "true", "unknown"],
  ] as const)("%s says of %j: %s", (condition, value, expected) => {
    const [name = ""] = condition.split(/[ :]/);
    expect(judge(condition, { [name]: value } as JsonObject)).toBe(expected);
  });
});

describe("arguments that are absent, lists or nested", () => {
  it("matches nothing if the argument is absent, and is unknown under not", () => {
    expect(judge("to: *@acme.com", {})).toBe("no");
    expect(judge("to: not *@acme.com", {})).toBe("unknown");
    expect(judge("to: not *@acme.com", { to: null })).toBe("unknown");
    expect(judge("to: not *@acme.com", { to: [] })).toBe("unknown");
  });

  it("needs every item for allow, and one item for deny", () => {
    const to = ["ann@acme.com", "bob@evil.org"];
    expect(decideBy("allow", "mail.send(to: *@acme.com)", { to })).toBe("ask");
    expect(decideBy("deny", "mail.send(to: not *@acme.com)", { to })).toBe("deny");
  });

  it("covers several arguments with one condition", () => {
    const value = { to: "ann@acme.com", bcc: "bob@evil.org" };
    expect(decideBy("deny", "mail.send(to: not *@acme.com)", value)).toBe("allow");
    expect(decideBy("deny", "mail.send(to|cc|bcc: not *@acme.com)", value)).toBe("deny");
    expect(decideBy("allow", "mail.send(to|cc|bcc: *@acme.com)", value)).toBe("ask");
  });

  it("enters objects and lists of objects", () => {
    const value = { attendees: [{ email: "ann@acme.com" }, { email: "bob@evil.org" }] };
    expect(decideBy("deny", "mail.send(attendees[].email: not *@acme.com)", value)).toBe("deny");
    expect(judge("attendees.email: *@acme.com", { attendees: "ann@acme.com" })).toBe("unknown");
  });

  it("is unknown if another argument differs only in case", () => {
    expect(judge("to: *@evil.org", { To: "bob@evil.org" })).toBe("unknown");
  });

  it.each([
    ["keys", Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`key é${at}`, at]))],
    ["items", { to: Array.from({ length: 100_000 }, () => "ann@acme.com") }],
    ["objects", { to: Array.from({ length: 100_000 }, (_, at) => ({ at })) }],
    ["segments", { to: "/é".repeat(4000) }],
    ["paths", { to: Array.from({ length: 10_000 }, () => "/é".repeat(200)) }],
  ])("is unknown beyond a bound on the %s that are read", (_what, value: JsonObject) => {
    expect(judge("to: **/secret/**", value)).toBe("unknown");
  });

  it("does not concern a tool that lacks the argument", () => {
    const { policy } = parsePolicy({ deny: ["mail.*(to: not *@acme.com)"], default: "allow" });
    const lists = { ...tool, name: "list", fields: new Set(["folder"]) };
    expect(openPolicy([policy]).decide(lists, { folder: "in" }).answer).toBe("allow");
    expect(openPolicy([policy]).decide(lists, { to: "bob@evil.org" }).answer).toBe("deny");
  });

  it("reads inherited names as absent", () => {
    expect(judge("constructor: *", {})).toBe("no");
  });
});
