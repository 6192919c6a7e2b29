// `serve`: runs the coordinator as an MCP server over stdio or HTTP.
import type { Command } from "../command.js";
import { readText, usage } from "../read-words.js";
import { toPlainText } from "../render/plain-text.js";

const httpOptions = ["host", "token-env"];

export const serve: Command = {
  name: "serve",
  usage: [
    "serve [--workspace WORKSPACE] [--require-trust]",
    "serve --http PORT [--host HOST] [--token-env VARIABLE]",
  ],
  description:
    "Over stdio, stdout carries only the protocol; it ends when the client closes stdin. With --http it listens on this machine only, unless --host is given, and requires a token from every caller. The first start generates a token and shows it once (see callers). Changes to the configuration take effect while it runs. Tools are listed in the background, a few servers at a time; everything else starts on first use.",
  examples: [
    ["mcp-coordinator serve --config ~/mcp.json", "The command for a client's configuration"],
    ["mcp-coordinator serve --http 8808", "The same over HTTP, at http://127.0.0.1:8808/mcp"],
  ],
  options: {
    workspace: {
      type: "string",
      value: "WORKSPACE",
      summary: "The workspace whose files and memory programs see",
    },
    http: { type: "string", value: "PORT", summary: "Listen on this port; 0 takes a free one" },
    host: { type: "string", value: "HOST", summary: "Listen on this address (default 127.0.0.1)" },
    "token-env": {
      type: "string",
      value: "VARIABLE",
      summary: "The environment variable with your own token",
    },
    "require-trust": {
      type: "boolean",
      summary: "Start only trusted servers, also from a file given with --config",
    },
    "no-token": { type: "boolean", summary: "Require no token; only on this machine" },
  },
  run: async (context) => {
    const { open, options, screen, signal } = context;
    const onNote = (text: string): void => screen.note(toPlainText(text));
    const trustsEdits = !options.facts.has("require-trust");
    const workspace = readText(options, "workspace");
    const openOptions = workspace === undefined ? {} : { settings: { workspace } };
    if (readText(options, "http") !== undefined) {
      const [{ serveHttp }, coordinator] = await Promise.all([import("./serve-http.js"), open(openOptions)]);
      await coordinator.stayCurrent({ onNote, trustsEdits });
      return serveHttp(context, coordinator);
    }
    const stray = httpOptions.find((name) => readText(options, name) !== undefined);
    if (stray !== undefined || options.facts.has("no-token"))
      throw usage("serve", `"--${stray ?? "no-token"}" is given without "--http PORT"`, "serve");
    const [{ serveStdioSurface }, coordinator] = await Promise.all([
      import("../../mcp-server/index.js"),
      open({ isUnattended: true, ...openOptions }),
    ]);
    await coordinator.stayCurrent({ onNote, trustsEdits });
    const names = coordinator.serverNames.join(", ") || "none";
    if (screen.isVerbose) onNote(`Serving over stdio; servers: ${names}`);
    await serveStdioSurface(coordinator, { signal, onActivity: screen.isVerbose ? onNote : undefined });
    return 0;
  },
};
