// A server's process inherits only the variables that every program needs.
import { describe, expect, it } from "vitest";
import { searchPathOf, toChildEnvironment, withSearchPath } from "../../../src/upstream/child-environment.js";

describe.skipIf(process.platform === "win32")("toChildEnvironment() (needs a Unix system)", () => {
  it("inherits the few variables that every program needs", () => {
    const needed = {
      ...{ PATH: "/bin", HOME: "/home/me", USER: "me", LOGNAME: "me", SHELL: "/bin/sh", TERM: "dumb" },
      ...{ LANG: "C", LC_ALL: "C", LC_TIME: "C", TMPDIR: "/tmp" },
    };
    const ours = { ...needed, AWS_SECRET_ACCESS_KEY: "x", NODE_OPTIONS: "--inspect", SSH_AUTH_SOCK: "x" };
    expect(toChildEnvironment(ours, {})).toEqual(needed);
  });

  it("lets the definition add and override variables", () => {
    expect(toChildEnvironment({ HOME: "/a", PATH: "/bin" }, { HOME: "/b", KEY: "k" })).toEqual({
      HOME: "/b",
      PATH: "/bin",
      KEY: "k",
    });
  });

  it("inherits no exported shell functions and no unset variables", () => {
    expect(toChildEnvironment({ TERM: "() { :; }; evil", HOME: undefined }, {})).toEqual({});
  });
});

describe("withSearchPath()", () => {
  it("appends folders, each once", () => {
    const environment = withSearchPath({ PATH: "/a:/b" }, ["/b", "/c"]);
    expect(searchPathOf(environment)).toEqual(["/a", "/b", "/c"]);
  });

  it("creates a search path if there is none", () => {
    expect(withSearchPath({}, ["/a"])).toEqual({ PATH: "/a" });
  });
});
