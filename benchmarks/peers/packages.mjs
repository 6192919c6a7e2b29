// The pinned packages of each peer. Install scripts do not run.

const sdk = ["@modelcontextprotocol/client@2.4.0", "@modelcontextprotocol/server@2.4.0"];

export const packagesOf = {
  direct: sdk,
  executor: ["executor@1.5.9"],
  utcp: [
    "@utcp/code-mode@1.2.12",
    "@utcp/mcp@1.1.3",
    "@utcp/sdk@1.1.2",
    "@utcp/text@1.1.0",
    "isolated-vm@6.2.0",
  ],
  tanstack: [
    "@tanstack/ai-code-mode@0.3.4",
    "@tanstack/ai-isolate-node@0.1.43",
    "@tanstack/ai@0.39.0",
    "zod@4.6.7",
  ],
  "ai-sdk": ["@ai-sdk/code-mode@1.0.42", "ai@7.0.85", "zod@4.6.7"],
  cloudflare: [
    "@cloudflare/codemode@0.5.6",
    "miniflare@4.20260730.0",
    "esbuild@0.28.2",
    "ai@7.0.169",
    "zod@4.6.7",
  ],
  mcporter: ["mcporter@0.12.3"],
};

/** The version that is measured: that of the group's first package. */
export const versionOf = (group) => packagesOf[group][0].split("@").at(-1);
