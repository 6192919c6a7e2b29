// `audit`: lists the lines of the audit, verifies its chain, or exports it.
import { resolve } from "node:path";
import type { AuditEntry } from "../../../contracts/index.js";
import type { Command, CommandContext } from "../command.js";
import { misread, readCount, readText } from "../read-words.js";
import { plural, shortenHome } from "../render/plain-text.js";

const describeEntry = ({ kind, decision, rule, approver, outcome, attempt = 1, ...entry }: AuditEntry) => {
  if (kind === "gap") return `${entry.lost} lines were lost`;
  if (kind === "pruned") return `files before line ${entry.first} were removed`;
  const tries = attempt > 1 ? `, attempt ${attempt}` : "";
  if (kind === "call") return `${outcome} in ${Math.round(entry.durationMs ?? 0)} ms${tries}`;
  const why = rule === undefined ? (decision === "refused" ? (entry.code ?? []) : []) : `rule ${rule}`;
  const by = [why, approver ?? []].flat().join(", ");
  return by === "" ? (decision ?? "") : `${decision} (${by})`;
};

const toRow = (entry: AuditEntry): readonly string[] => {
  const { n, at, kind, server, tool, caller = "" } = entry;
  const call = [server ?? [], tool ?? []].flat().join(".");
  return [String(n), at.replace(/\.\d+Z$/, "Z"), kind, call, caller, describeEntry(entry)];
};

const list = async ({ screen, open, options }: CommandContext): Promise<number> => {
  const coordinator = await open();
  const entries = await coordinator.listAudit({
    runId: readText(options, "run"),
    server: readText(options, "server"),
    caller: readText(options, "caller"),
    since: readText(options, "since"),
    limit: readCount(options, "limit", "audit"),
  });
  if (screen.isJson) screen.document(entries);
  else if (entries.length === 0) {
    const isEmpty = (await coordinator.listAudit({ limit: 1 })).length === 0;
    screen.note(
      isEmpty
        ? 'Nothing has been recorded. To record calls, set "coordinator": { "audit": "on" } in your configuration'
        : "No recorded line matches",
    );
  } else
    screen.table(entries.map(toRow), {
      head: ["LINE", "TIME", "KIND", "CALL", "CALLER", "RESULT"],
      flexible: [3, 5],
    });
  return 0;
};

const verify = async ({ screen, open, options }: CommandContext): Promise<number> => {
  const found = await (await open()).verifyAudit({ anchor: readText(options, "anchor") });
  const { isIntact, lines, files, problems, anchor } = found;
  if (screen.isJson) screen.document(found);
  else {
    for (const { file, line, problem } of problems) screen.say(screen.plain(`✗ ${file}:${line}: ${problem}`));
    screen.print(
      isIntact
        ? `${plural(lines, "line")} in ${plural(files, "file")}: intact`
        : `${plural(lines, "line")} in ${plural(files, "file")}: ${plural(problems.length, "problem")}`,
    );
    if (anchor !== undefined && isIntact) {
      screen.print(`anchor ${anchor}`);
      screen.note(
        "Keep the anchor elsewhere. With --anchor, the next verify also finds lines that were removed from the end",
      );
    }
  }
  return isIntact ? 0 : 1;
};

const exportTo = async ({ screen, open }: CommandContext, file: string): Promise<number> => {
  const { path, lines } = await (await open()).exportAudit({ path: resolve(file) });
  if (screen.isJson) screen.document({ path, lines });
  else screen.print(screen.plain(`${plural(lines, "line")} written to ${shortenHome(path)}`));
  return 0;
};

export const audit: Command = {
  name: "audit",
  usage: [
    "audit list [--run RUN_ID] [--server SERVER] [--caller CALLER]",
    "audit list [--since TIME] [--limit N]",
    "audit verify [--anchor ANCHOR]",
    "audit export FILE",
  ],
  description:
    'With "audit": "on" under "coordinator", every decision on a call and every call of a server is recorded as one line, which contains the HMAC of the line before it. Arguments and answers are never recorded. verify finds lines that were changed, removed, moved or added.',
  examples: [
    ["mcp-coordinator audit list --server mail", "The last 100 lines about one server"],
    ["mcp-coordinator audit verify", "Fails if the audit was changed"],
  ],
  options: {
    run: { type: "string", value: "RUN_ID", summary: "Only lines of this run" },
    server: { type: "string", value: "SERVER", summary: "Only lines about this server" },
    caller: { type: "string", value: "CALLER", summary: "Only lines of this caller" },
    since: { type: "string", value: "TIME", summary: "Only lines since this time, e.g. 2026-01-31T12:00Z" },
    limit: { type: "string", value: "N", summary: "Show only the newest N lines (default 100)" },
    anchor: { type: "string", value: "ANCHOR", summary: "The anchor that an earlier verify printed" },
  },
  run: async (context) => {
    const [verb = "list", file, ...more] = context.words;
    if (verb === "list" && file === undefined) return list(context);
    if (verb === "verify" && file === undefined) return verify(context);
    if (verb === "export" && file !== undefined && more.length === 0) return exportTo(context, file);
    throw misread("audit", context.words, ["list", "verify", "export FILE"]);
  },
};
