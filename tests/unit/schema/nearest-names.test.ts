// What "did you mean" offers.
import { describe, expect, it } from "vitest";
import { nearestNames } from "../../../src/schema/index.js";

describe("nearestNames()", () => {
  it("finds a name with letters swapped, dropped or added", () => {
    expect(nearestNames("gihtub", ["github", "slack"])).toEqual(["github"]);
    expect(nearestNames("titl", ["title", "body"])).toEqual(["title"]);
    expect(nearestNames("mial", ["mail", "chat"])).toEqual(["mail"]);
    expect(nearestNames("countt", ["count", "mode"])).toEqual(["count"]);
  });

  it("puts another spelling of the same name first", () => {
    expect(nearestNames("createIssue", ["create_issues", "create_issue", "close_issue"])[0]).toBe(
      "create_issue",
    );
  });

  it("finds a name that the word is the beginning of", () => {
    expect(nearestNames("searchRepos", ["search_repositories", "search_code"])[0]).toBe(
      "search_repositories",
    );
  });

  it("finds a name made of the same words in another order", () => {
    expect(nearestNames("issues_list", ["list_issue", "create_comment"])).toEqual(["list_issue"]);
  });

  it("finds nothing if nothing is near", () => {
    expect(nearestNames("weather", ["github", "slack", "x"])).toEqual([]);
    expect(nearestNames("", ["github"])).toEqual([]);
    expect(nearestNames("id", ["to", "at"])).toEqual([]);
  });

  it("returns no more than the limit", () => {
    expect(nearestNames("item", ["item1", "item2", "item3", "item4"])).toHaveLength(3);
    expect(nearestNames("item", ["item1", "item2", "item3"], 1)).toHaveLength(1);
  });

  it("gives the same answer whatever the order of the candidates", () => {
    expect(nearestNames("item", ["item3", "item1", "item2"])).toEqual(
      nearestNames("item", ["item2", "item3", "item1"]),
    );
  });
});
