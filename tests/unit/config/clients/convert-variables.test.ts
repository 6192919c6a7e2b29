// Converts each client's variable references to ours and reports those that it cannot convert.
import { describe, expect, it } from "vitest";
import { convertVariables } from "../../../../src/config/clients/to-own-entry.js";

describe("convertVariables()", () => {
  it.each([
    ["${VAR}", "${VAR}"],
    ["${VAR:-x}", "${VAR:-x}"],
    ["${env:VAR}", "${env:VAR}"],
    ["Bearer {env:VAR}", "Bearer ${VAR}"],
    ["$env:VAR/x", "${VAR}/x"],
    ["${workspaceFolder}/a", "${workspaceFolder}/a"],
    ["$VAR", "$VAR"],
  ])("converts %s to %s", (written, expected) => {
    expect(convertVariables(written)).toEqual({ text: expected, prompted: [] });
  });

  it("treats $NAME as a variable only if the client does", () => {
    expect(convertVariables("$VAR and ${OTHER} cost $5", true).text).toBe("${VAR} and ${OTHER} cost $5");
  });

  it.each([
    ["${input:github-token}", "GITHUB_TOKEN"],
    ["${input:2nd key}", "_2ND_KEY"],
    ["${{ secrets.GITHUB_TOKEN }}", "GITHUB_TOKEN"],
  ])("turns a value that the client prompts for into a variable: %s", (written, name) => {
    expect(convertVariables(`a ${written}`)).toEqual({ text: `a \${${name}}`, prompted: [name] });
  });

  it.each(["{file:~/.key}", "${command:extension.token}", "${config:a.b}"])(
    "reports %s, which it cannot convert",
    (written) => {
      expect(convertVariables(`x ${written}`).unknown).toBe(written);
    },
  );
});
