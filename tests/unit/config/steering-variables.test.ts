// Which variables decide what runs, and which are secrets that may change freely.
import { describe, expect, it } from "vitest";
import { isSecretName, isSteering } from "../../../src/config/expand-variables.js";

describe("isSecretName()", () => {
  it.each([
    ...[
      "TOKEN",
      "GITHUB_TOKEN",
      "API_KEY",
      "OPENAI_API_KEY",
      "GOOGLE_API_KEY",
      "DB_PASSWORD",
      "CLIENT_SECRET",
    ],
    ...[
      "NPM_TOKEN",
      "AWS_SECRET_ACCESS_KEY",
      "AWS_SESSION_TOKEN",
      "npm_config_//registry.example/:_authToken",
    ],
    ...["Authorization", "X-Api-Key", "Cookie"],
  ])("is true for %s", (name) => {
    expect(isSecretName(name)).toBe(true);
    expect(isSteering(name)).toBe(false);
  });

  it.each(["GIT_ASKPASS", "SSH_ASKPASS", "GIT_CONFIG_KEY_0", "AWS_WEB_IDENTITY_TOKEN_FILE", "SUDO_ASKPASS"])(
    "is false for %s, which decides what runs",
    (name) => {
      expect(isSecretName(name)).toBe(false);
      expect(isSteering(name)).toBe(true);
    },
  );

  it.each(["MODE", "PORT", "DATABASE_URL", "LOG_LEVEL", "OAUTH_TOKEN_URL", "API_KEY_HELPER"])(
    "is false for %s",
    (name) => {
      expect(isSecretName(name)).toBe(false);
    },
  );
});
