// Values of the kinds that programs return: rows, a nested record, a page of an API, a deep configuration.

const range = (length, make) => Array.from({ length }, (_, at) => make(at));

/** Name → value; each small enough to be shown completely. */
export const values = {
  "50 flat rows": range(50, (id) => ({
    id,
    title: `Crash on start in version ${id}`,
    state: id % 3 === 0 ? "open" : "closed",
    comments: id * 3,
  })),
  "50 rows with empty fields": range(50, (id) => ({
    id,
    title: `Crash on start in version ${id}`,
    assignee: null,
    milestone: null,
    labels: [],
    body: "",
    state: "open",
  })),
  "20 nested rows": range(20, (id) => ({
    id,
    user: { login: `user-${id}`, site_admin: false, avatar: null },
    labels: [
      { name: "bug", color: "d73a4a" },
      { name: `area-${id % 4}`, color: "0e8a16" },
    ],
  })),
  "one record": {
    name: "mcp",
    version: "1.2.3",
    private: false,
    author: { name: "Ada Lovelace", email: "" },
    keywords: ["protocol", "agents", "tools"],
    scripts: { test: "vitest run", build: "tsc -p ." },
    repository: null,
  },
  "a page with a list": {
    total: 2,
    next: null,
    items: range(30, (id) => ({ sku: `A-${1000 + id}`, price: id + 0.99, stock: id * 7, tags: [] })),
  },
  "100 numbers": range(100, (at) => at * 17),
};
