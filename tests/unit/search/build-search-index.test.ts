// The search index: what it finds, in which order, and what it reports if nothing fits.

import { describe, expect, test } from "vitest";
import { selectBest } from "../../../src/search/build-search-index.js";
import { buildSearchIndex, type SearchableTool, type SearchOptions } from "../../../src/search/index.js";

const tool = (
  server: string,
  name: string,
  description: string,
  parameters: Readonly<Record<string, string>> = {},
): SearchableTool => ({
  server,
  name,
  description,
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(parameters).map(([key, text]) => [key, { type: "string", description: text }]),
    ),
  },
});

const tools: readonly SearchableTool[] = [
  tool("calculator", "add", "Add two numbers", { left: "First summand", right: "Second summand" }),
  tool("calculator", "evaluateExpression", "Calculate the value of an arithmetic expression", {
    expression: "",
  }),
  tool("files", "read_file", "Read the contents of a file", { path: "Where the file is" }),
  tool("files", "write_file", "Write text to a file", { path: "", content: "" }),
  tool("files", "list_directory", "List the files of a directory", { path: "" }),
  tool("mailbox", "sendMessage", "Send an email to a recipient", { recipient: "", subject: "", body: "" }),
  tool("mailbox", "searchMessages", "Search the emails in a mailbox", { query: "" }),
  tool("office-mcp-server", "bar_chart", "Generate a bar chart as an image", { data: "", isbn: "" }),
  tool("office-mcp-server", "create_sheet", "Create a sheet in an Excel workbook", { title: "" }),
  tool("weather", "get_forecast", "Get the weather forecast for a city", { city: "", days: "" }),
  tool("weather", "get_alerts", "Get weather alerts for a region", { region: "" }),
];

const index = buildSearchIndex(tools);

const find = (query: string, options?: SearchOptions): string[] =>
  index.search(query, options).hits.map((hit) => `${hit.tool.server}.${hit.tool.name}`);

const first = (query: string): string | undefined => find(query)[0];

describe("buildSearchIndex()", () => {
  test("finds the tools of a server by the words of its description", () => {
    const plain = [tool("kb", "get", "Get an item"), tool("crm", "fetch", "Fetch a record")];
    const described = buildSearchIndex(plain, {
      serverDescriptions: new Map([["kb", "The team's holiday calendar"]]),
    });

    expect(buildSearchIndex(plain).search("holiday").hits).toEqual([]);
    expect(described.search("holiday").hits.map((hit) => hit.tool.name)).toEqual(["get"]);
    expect(described.search("holiday").unmatchedWords).toEqual([]);
  });

  test("ranks a tool for many things after its twin if the query is about one, and first if it is about several", () => {
    const twins = buildSearchIndex([
      tool("fs", "read_multiple_files", "Read the contents of multiple files simultaneously", { paths: "" }),
      tool("fs", "read_text_file", "Read the complete contents of a file as text", { path: "", head: "" }),
      tool("shop", "create_orders_in_bulk", "Create orders from a list", { orders: "" }),
      tool("shop", "create_draft_order", "Create an order as a draft", { order: "" }),
    ]);
    const best = (query: string) => twins.search(query).hits[0]?.tool.name;
    expect(best("read a file")).toBe("read_text_file");
    expect(best("read several files")).toBe("read_multiple_files");
    expect(best("read multiple files at once")).toBe("read_multiple_files");
    expect(best("create an order")).toBe("create_draft_order");
    expect(best("create orders in bulk")).toBe("create_orders_in_bulk");
  });

  test("finds a tool whatever the order of the words", () => {
    expect(first("forecast weather city")).toBe("weather.get_forecast");
    expect(first("city weather forecast")).toBe("weather.get_forecast");
  });

  test("finds a singular by its plural and a verb by its other forms", () => {
    expect(first("alert")).toBe("weather.get_alerts");
    expect(first("directories listing")).toBe("files.list_directory");
    expect(first("calculating expressions")).toBe("calculator.evaluateExpression");
  });

  test("finds a camelCase name by its words and as written", () => {
    expect(first("search messages")).toBe("mailbox.searchMessages");
    expect(first("searchMessages")).toBe("mailbox.searchMessages");
  });

  test("finds a tool by a synonym of its words", () => {
    expect(first("show folder")).toBe("files.list_directory");
    expect(first("spreadsheet")).toBe("office-mcp-server.create_sheet");
  });

  test("finds a tool despite a typo", () => {
    expect(first("wheather forcast")).toBe("weather.get_forecast");
    expect(first("arithmetc")).toBe("calculator.evaluateExpression");
  });

  test("finds compound words whether written as one word or two", () => {
    expect(first("barchart")).toBe("office-mcp-server.bar_chart");
    expect(first("mail box")).toMatch(/^mailbox\./);
  });

  test("finds a tool by a parameter that no other tool has", () => {
    expect(first("isbn")).toBe("office-mcp-server.bar_chart");
  });

  test("finds the tools of a server by the server's name", () => {
    expect(find("calculator").sort()).toEqual(["calculator.add", "calculator.evaluateExpression"]);
  });

  test("weighs a rare word more than a common one", () => {
    const books = buildSearchIndex([
      tool("a", "fold_atlas", "Fold the atlas"),
      tool("b", "fold_novel", "Fold the novel"),
      tool("c", "print_almanac", "Print the almanac"),
    ]);
    expect(books.search("fold almanac").hits[0]?.tool.name).toBe("print_almanac");
  });

  test("ranks a tool whose whole name is in the query above one that only mentions the words", () => {
    const rivals = buildSearchIndex([
      tool("a", "prepare", "Prepare what is needed to open door and window later on"),
      tool("b", "open_door", "Does it"),
    ]);
    expect(rivals.search("open door").hits[0]?.tool.name).toBe("open_door");
  });

  test("prefers the tool that does what the query's verb says", () => {
    const comments = buildSearchIndex(
      ["add", "delete", "get", "update"].map((verb) =>
        tool("tracker", `${verb}_comments`, "Comments of an issue"),
      ),
    );
    const firstOf = (query: string): string | undefined => comments.search(query).hits[0]?.tool.name;
    expect(firstOf("show comments")).toBe("get_comments");
    expect(firstOf("erase comments")).toBe("delete_comments");
    expect(firstOf("modify comments")).toBe("update_comments");
    expect(firstOf("insert comments")).toBe("add_comments");
  });

  test("finds a tool for every step of a task among the first hits", () => {
    const task =
      "Look up the weather forecast for the city of Berlin. Then draw a bar chart of it. Finally send it by email.";
    expect(find(task, { limit: 4 })).toEqual(
      expect.arrayContaining(["weather.get_forecast", "office-mcp-server.bar_chart", "mailbox.sendMessage"]),
    );
  });

  test("reads the extension of a file as its kind", () => {
    expect(first("put the numbers into /home/me/numbers.xlsx")).toBe("office-mcp-server.create_sheet");
  });

  test("restricts the hits to one server on request", () => {
    expect(find("list files", { server: "weather" })).not.toContain("files.list_directory");
    expect(find("weather", { server: "weather" })).toHaveLength(2);
    expect(find("weather", { server: "files" })).toEqual([]);
    expect(find("weather", { server: "unknown" })).toEqual([]);
  });

  test("returns no more hits than the limit", () => {
    expect(find("file", { limit: 2 })).toHaveLength(2);
    expect(find("file", { limit: 0 })).toEqual([]);
  });

  test("scores the best hit 1 and the others no higher", () => {
    const scores = index.search("weather forecast for a city").hits.map((hit) => hit.score);
    expect(scores[0]).toBe(1);
    expect(scores).toEqual([...scores].sort((one, two) => two - one));
  });

  test("marks only hits that match little of the query as weak", () => {
    const good = index.search("weather forecast").hits[0];
    expect(good?.isWeak).toBe(false);
    const poor = index.search("generate polyphonic music scores").hits;
    expect(poor.length).toBeGreaterThan(0);
    expect(poor.every((hit) => hit.isWeak)).toBe(true);
  });

  test("selects only the calculator for a sum", () => {
    const strong = index.search("Calculate 5 + 3").hits.filter((hit) => !hit.isWeak);
    expect(strong.map((hit) => hit.tool.server)).toEqual(["calculator", "calculator"]);
  });

  test("reports the words that matched nothing, with similar words", () => {
    const outcome = index.search("zygote forcast");
    expect(outcome.unmatchedWords).toEqual(["zygote", "forcast"]);
    expect(outcome.near).toEqual([{ word: "forcast", near: ["forecast"] }]);
  });

  test("finds nothing if nothing fits", () => {
    expect(index.search("zygote qwertz")).toEqual({
      hits: [],
      unmatchedWords: ["zygote", "qwertz"],
      near: [],
    });
  });

  test("does not treat a proper name as a typo", () => {
    expect(index.search("something about Wether").hits).toEqual([]);
  });

  test("does not report numbers or parts of a path as unmatched", () => {
    expect(index.search("read /srv/zygote/qwertz.txt 1234").unmatchedWords).toEqual([]);
  });

  test("ranks the same regardless of the order of the tools", () => {
    const reversed = buildSearchIndex([...tools].reverse());
    for (const query of ["file", "get", "list the files", "send a message, then read a file"]) {
      expect(reversed.search(query)).toEqual(index.search(query));
      expect(index.search(query)).toEqual(index.search(query));
    }
  });

  test("finds words of scripts without spaces", () => {
    const chinese = buildSearchIndex([
      tool("a", "one", "获取城市天气预报"),
      tool("b", "two", "发送电子邮件"),
    ]);
    expect(chinese.search("天气").hits[0]?.tool.name).toBe("one");
    expect(chinese.search("邮件").hits[0]?.tool.name).toBe("two");
  });

  test("finds accented words with and without the accents", () => {
    const french = buildSearchIndex([tool("a", "one", "Réserver un hôtel"), tool("b", "two", "Louer")]);
    expect(french.search("hotel").hits[0]?.tool.name).toBe("one");
    expect(french.search("RÉSERVER").hits[0]?.tool.name).toBe("one");
  });

  test.each([
    ["an empty query", ""],
    ["white space", " \n\t "],
    ["stop words only", "the of and"],
    ["emoji", "🎉👩‍👩‍👧‍👦"],
    ["half of a surrogate pair", "\ud83c"],
    ["punctuation only", `${"?".repeat(50_000)}${"/".repeat(50_000)}`],
    ["100 KB without a space", "aB".repeat(50_000)],
  ])("answers %s with no hit and no exception", (_, query) => {
    expect(index.search(query).hits).toEqual([]);
  });

  test("answers a query of 100 KB from its beginning", () => {
    expect(first(`weather forecast ${"lorem ipsum dolor. ".repeat(6_000)}`)).toBe("weather.get_forecast");
  });

  test("treats the names of object members as ordinary words", () => {
    const odd = buildSearchIndex([
      tool("constructor", "__proto__", "toString"),
      tool("b", "hasOwnProperty", "valueOf"),
    ]);
    expect(odd.search("constructor").hits[0]?.tool.name).toBe("__proto__");
    expect(odd.search("has own property").hits[0]?.tool.name).toBe("hasOwnProperty");
  });

  test("accepts a schema of any form", () => {
    const schemas = [
      true,
      false,
      {},
      { properties: null },
      { properties: { a: true, b: { items: 1, enum: [1] } } },
    ];
    const odd = buildSearchIndex(
      schemas.map((inputSchema, number) => ({
        server: "s",
        name: `name${number}`,
        description: "",
        inputSchema,
      })),
    );
    expect(odd.search("name4").hits[0]?.tool.name).toBe("name4");
  });

  test("works without any tools", () => {
    expect(buildSearchIndex([]).search("weather")).toEqual({
      hits: [],
      unmatchedWords: ["weather"],
      near: [],
    });
  });
});

const scores = Float64Array.from({ length: 500 }, (_, index) => (index * 7919) % 101);

const sorted = (isBefore: (one: number, two: number) => boolean): number[] =>
  [...scores.keys()]
    .filter((index) => (scores[index] ?? 0) > 0)
    .sort((one, two) => (scores[two] ?? 0) - (scores[one] ?? 0) || (isBefore(one, two) ? -1 : 1));

test.each([0, 1, 7, 100, 499, 1_000])(
  "selectBest() with limit %i is the head of the sorted list",
  (limit) => {
    const isBefore = (one: number, two: number): boolean => one > two;
    expect(selectBest(scores, limit, isBefore)).toEqual(sorted(isBefore).slice(0, limit));
  },
);

test("selectBest() keeps the order of equal scores and leaves out zeros", () => {
  expect(selectBest(Float64Array.of(2, 0, 3, 2, -1), 10)).toEqual([2, 0, 3]);
});
