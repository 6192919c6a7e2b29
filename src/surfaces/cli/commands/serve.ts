// `serve`: the coordinator as an MCP server over stdin and stdout, or over HTTP.
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
    "Over stdio, stdout carries the protocol and nothing else; it ends when the client closes stdin. With --http it listens on this machine only, unless --host says otherwise, and asks every caller for a token: made at the first start, shown once (see callers). Edits of the configuration take effect while it runs. Servers are asked in the background, a few at a time, what they offer; all else starts when it is used.",
  examples: [
    ["mcp-coordinator serve --config ~/mcp.json", "The line for a client's configuration"],
    ["mcp-coordinator serve --http 8808", "The same over HTTP, at http://127.0.0.1:8808/mcp"],
  ],
  options: {
    workspace: { type: "string", value: "WORKSPACE", summary: "Whose files and memory programs see" },
    http: { type: "string", value: "PORT", summary: "Listen on this port; 0 takes a free one" },
    host: { type: "string", value: "HOST", summary: "Listen on this address, 127.0.0.1 if not given" },
    "token-env": {
      type: "string",
      value: "VARIABLE",
      summary: "The environment variable with your own token",
    },
    "require-trust": {
      type: "boolean",
      summary: "Start only what a person has trusted, also from a file that is named",
    },
    "no-token": { type: "boolean", summary: "Ask for no token; only on this machine" },
  },
  run: async (context) => {
    const { open, options, screen, signal } = context;
    const onNote = (text: string): void => screen.note(toPlainText(text));
    const trustsEdits = !options.facts.has("require-trust");
    const workspace = readText(options, "workspace");
    const openOptions = workspace === undefined ? {} : { settings: { workspace } };
    if (readText(options, "http") !== undefined) {
      const [{ serveHttp }, coordinator] = await Promise.all([import("../serve-http.js"), open(openOptions)]);
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
