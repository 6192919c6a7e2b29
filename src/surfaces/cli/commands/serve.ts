// `serve`: runs the coordinator as an MCP server over stdio or HTTP.
import { withOwnCommand } from "../../../coordinator/index.js";
import type { Command, CommandContext } from "../command.js";
import { readText, usage } from "../read-words.js";
import { toPlainText } from "../render/plain-text.js";

const httpOptions = ["host", "token-env"];

/** What is offered; undefined leaves it to the setting `serves`. */
const readOffers = (options: CommandContext["options"]): "code" | "direct" | "both" | undefined => {
  const given = readText(options, "surface");
  if (given === undefined || given === "code" || given === "direct" || given === "both") return given;
  throw usage('read "--surface"', `it is "${given}", expected "code", "direct" or "both"`, "serve");
};

export const serve: Command = {
  name: "serve",
  usage: [
    "serve [--surface SURFACE] [--workspace WORKSPACE]",
    "serve --http PORT [--host HOST] [--token-env VARIABLE]",
    "serve --calls",
  ],
  description:
    "Over stdio, stdout carries only the protocol; it ends when the client closes stdin. With --http it listens on this machine only, unless --host is given, and requires a token from every caller. Each request is logged to stderr: time, caller, method, tool, status and duration, never its contents. The first start generates a token and shows it once (see callers). Changes to the configuration take effect while it runs. Tools are listed in the background, a few servers at a time; everything else starts on first use.",
  examples: [
    ["mcp-coordinator serve --config ~/mcp.json", "The command for a client's configuration"],
    ["mcp-coordinator serve --http 8808", "The same over HTTP, at http://127.0.0.1:8808/mcp"],
    ["mcp-coordinator serve --surface direct", "All tools of all servers as one MCP server"],
  ],
  options: {
    workspace: {
      type: "string",
      value: "WORKSPACE",
      summary: "The workspace whose files and memory programs see",
    },
    surface: {
      type: "string",
      value: "SURFACE",
      choices: ["code", "direct", "both"],
      summary: "code (tools for programs, the default), direct (the servers' own tools) or both",
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
    calls: { type: "boolean", summary: "Serve the generated library: one JSON line per call on stdin" },
    "no-token": { type: "boolean", summary: "Require no token; only on this machine" },
  },
  run: async (context) => {
    const { open, options, screen, signal } = context;
    const onNote = (text: string): void => screen.note(toPlainText(text));
    const trustsEdits = !options.facts.has("require-trust");
    const workspace = readText(options, "workspace");
    const offers = readOffers(options);
    const openOptions = {
      origin: "agent",
      settings: workspace === undefined ? undefined : { workspace },
    } as const;
    if (readText(options, "http") !== undefined) {
      const [{ serveHttp }, coordinator] = await Promise.all([import("./serve-http.js"), open(openOptions)]);
      await coordinator.stayCurrent({ onNote, trustsEdits });
      return serveHttp(context, coordinator, offers);
    }
    const stray = httpOptions.find((name) => readText(options, name) !== undefined);
    if (stray !== undefined || options.facts.has("no-token"))
      throw usage("serve", `"--${stray ?? "no-token"}" is given without "--http PORT"`, "serve");
    if (options.facts.has("calls")) {
      const [{ serveCalls }, coordinator] = await Promise.all([
        import("./serve-calls.js"),
        open({ isUnattended: true, ...openOptions }),
      ]);
      await serveCalls(coordinator, { input: process.stdin, output: process.stdout, signal });
      return 0;
    }
    const [{ serveStdioSurface }, coordinator] = await Promise.all([
      import("../../mcp-server/index.js"),
      open({ isUnattended: true, ...openOptions }),
    ]);
    await coordinator.stayCurrent({ onNote, trustsEdits });
    const names = coordinator.serverNames.join(", ") || "none";
    if (process.stdin.isTTY === true) {
      onNote("Waiting for an MCP client on standard input. Ctrl-C ends it");
      onNote(
        withOwnCommand(
          'Clients start this command themselves: "mcp-coordinator connect" shows how. "mcp-coordinator serve --http 8808" serves over a port instead.',
        ),
      );
    } else if (screen.isVerbose) onNote(`Serving over stdio; servers: ${names}`);
    await serveStdioSurface(coordinator, {
      signal,
      offers,
      onActivity: screen.isVerbose ? onNote : undefined,
    });
    return 0;
  },
};
