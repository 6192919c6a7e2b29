// Each client's references become ours; what has no counterpart is named.
import { describe, expect, it } from "vitest";
import { convertVariables } from "../../../src/clients/convert-variables.js";

describe("convertVariables()", () => {
  it.each([
    ["${VAR}", "${VAR}"],
    ["${VAR:-x}", "${VAR:-x}"],
    ["${env:VAR}", "${env:VAR}"],
    ["Bearer {env:VAR}", "Bearer ${VAR}"],
    ["$env:VAR/x", "${VAR}/x"],
    ["${workspaceFolder}/a", "${workspaceFolder}/a"],
    ["$VAR", "$VAR"],
  ])("%s is %s", (written, expected) => {
    expect(convertVariables(written)).toEqual({ text: expected, asked: [] });
  });

  it("takes $NAME for a variable only where the client does", () => {
    expect(convertVariables("$VAR and ${OTHER} cost $5", true).text).toBe("${VAR} and ${OTHER} cost $5");
  });

  it.each([
    ["${input:github-token}", "GITHUB_TOKEN"],
    ["${input:2nd key}", "_2ND_KEY"],
    ["${{ secrets.GITHUB_TOKEN }}", "GITHUB_TOKEN"],
  ])("makes a variable of what the client asks for: %s", (written, name) => {
    expect(convertVariables(`a ${written}`)).toEqual({ text: `a \${${name}}`, asked: [name] });
  });

  it.each(["{file:~/.key}", "${command:extension.token}", "${config:a.b}"])(
    "names %s, which has no counterpart",
    (written) => {
      expect(convertVariables(`x ${written}`).unknown).toBe(written);
    },
  );
});
