// The diff of a change shows no secrets.
import { describe, expect, it } from "vitest";
import { listSecrets, renderChange } from "../../../../src/config/clients/edit-servers.js";

const diffOf = (after: string, secrets: readonly string[] = []): string =>
  renderChange({ path: "/c/file.json", before: "{\n}\n", after }, secrets);

describe("renderChange()", () => {
  it("returns a unified diff, and nothing for an unchanged file", () => {
    expect(renderChange({ path: "/f", before: "a\nb\n", after: "a\nc\n" }, [])).toBe(
      "--- /f\n+++ /f\n@@ -1,2 +1,2 @@\n a\n-b\n+c",
    );
    expect(renderChange({ path: "/f", before: "a\n", after: "a\n" }, [])).toBe("");
    expect(renderChange({ path: "/f", before: undefined, after: "a\n" }, [])).toMatch(/^--- \/dev\/null\n/);
  });

  it.each([
    '"GITHUB_TOKEN": "ghp_verysecret"',
    '"apiKey":"verysecret"',
    "password = 'verysecret'",
    "client_secret: verysecret",
    '"args": ["--api-key", "verysecret"]',
    '"args": ["--token=verysecret"]',
    '"Authorization": "Bearer verysecret"',
  ])("masks the value of %s", (line) => {
    expect(diffOf(`{\n  ${line}\n}\n`)).not.toContain("verysecret");
  });

  it("masks every value of a server's variables and headers, wherever it appears", () => {
    const secrets = listSecrets([{ X: 'pa"ss', Y: "${REFERENCE}", Z: "1" }, undefined]);
    const shown = diffOf(`{\n  "a": "pa\\"ss", "b": "${"${REFERENCE}"}"\n}\n`, secrets);
    expect(shown).not.toContain("ss");
    expect(shown).toContain("${REFERENCE}");
  });

  it.each([
    '"token": "${GITHUB_TOKEN}"',
    'bearer_token_env_var = "NAME"',
    '"auth": {',
    '"autoApprove": ["x"]',
    '"key": true',
  ])("does not mask %s", (line) => {
    expect(diffOf(`{\n  ${line}\n}\n`)).toContain(line);
  });
});
