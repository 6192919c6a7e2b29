// `policy`: checks the rules on calls, explains what they say about one call, or tests them with examples.
import { dirname, isAbsolute, join } from "node:path";
import { describeIgnoredPolicy } from "../../../contracts/index.js";
import type { Command, CommandContext } from "../command.js";
import { misread, readArguments, readCall, readText } from "../read-words.js";
import { shortenHome } from "../render/plain-text.js";

type Shown = { readonly file?: string | undefined; readonly line?: number | undefined };

const placeOf = ({ file = "", line }: Shown): string => {
  if (file === "") return 'the setting "approve"';
  return line === undefined ? shortenHome(file) : `${shortenHome(file)}:${line}`;
};

const check = async ({ screen, open }: CommandContext): Promise<number> => {
  const coordinator = await open();
  // Only listed servers can prove that a rule matches something.
  await screen.during("listing the tools of every server", coordinator.listTools({}));
  const rules = await coordinator.checkPolicy();
  const { ignoredPolicies } = coordinator;
  const errors = rules.filter(({ severity }) => severity === "error");
  if (screen.isJson) screen.document({ rules, ignored: ignoredPolicies });
  else if (rules.length === 0) {
    screen.note(
      'There are no rules on calls: every call is allowed, except those that the setting "approve" asks about',
    );
    const sources = (await coordinator.listServers()).map(({ source }) => source).filter(isAbsolute);
    for (const folder of new Set(sources.map((source) => dirname(source))))
      screen.note(`Write rules to ${shortenHome(join(folder, "policy.yaml"))}`);
  } else {
    const rows = rules.map(({ answer, text, tools, role = "" }) => [answer, text, String(tools ?? ""), role]);
    screen.table(rows, { head: ["KIND", "RULE", "TOOLS", "ROLE"], flexible: [1] });
    for (const { name, severity, message, ...place } of rules)
      if (message !== undefined)
        screen.say(screen.plain(`${severity} ${placeOf(place)}: the rule "${name}" ${message}`));
  }
  for (const file of screen.isJson ? [] : ignoredPolicies) {
    const { problem, fix } = describeIgnoredPolicy(shortenHome(file));
    screen.warn(`${problem}. ${fix}`);
  }
  return errors.length === 0 ? 0 : 1;
};

const explain = async (
  { screen, open, options }: CommandContext,
  words: readonly string[],
): Promise<number> => {
  const coordinator = await open();
  const { server, tool, pairs } = await readCall(coordinator, words);
  if (tool === undefined) throw misread("policy", ["explain", ...words], ["explain SERVER TOOL"]);
  const given = await readArguments(pairs, readText(options, "arguments"), async () => {
    return (await coordinator.showTool({ server, tool })).inputSchema;
  });
  const caller = readText(options, "as");
  const labels = readText(options, "labels")?.split(",");
  const found = await coordinator.explainCall({ server, tool, arguments: given, caller, labels });
  if (screen.isJson) {
    screen.document(found);
    return 0;
  }
  screen.print(screen.plain(`${found.call}: ${found.answer}`));
  for (const { answer, name, text, because, isUncertain, ...place } of found.rules) {
    const certainty = isUncertain === true ? ", not certain for these arguments" : "";
    screen.say(screen.plain(`  ${answer} by "${name}" (${placeOf(place)}): ${text}${certainty}`));
    if (because !== undefined) screen.say(screen.plain(`    because ${because}`));
  }
  if (found.rules.length === 0) screen.print("  No rule applies: the default decides");
  return 0;
};

const test = async ({ screen, open }: CommandContext, path: string): Promise<number> => {
  const results = await (await open()).testPolicy({ path });
  const failed = results.filter(({ isPassed }) => !isPassed);
  if (screen.isJson) screen.document({ passed: results.length - failed.length, failed });
  else {
    for (const { call, line, expected, answer, problem } of failed) {
      const found = problem ?? `the policy says ${answer}`;
      screen.say(screen.plain(`✗ ${placeOf({ file: path, line })} ${call}: expected ${expected}, ${found}`));
    }
    screen.print(`${results.length - failed.length} passed, ${failed.length} failed`);
  }
  return failed.length === 0 ? 0 : 1;
};

export const policy: Command = {
  name: "policy",
  usage: ["policy check", "policy explain SERVER TOOL [key=value …] [--as CALLER]", "policy test FILE"],
  description:
    "Rules on calls and data are in policy.yaml beside the configuration, or in coordinator.policy. check lists every rule with the number of tools it selects, and every guardrail, and fails if one applies to nothing. explain shows which rules apply to a call, and what they decide. test evaluates the calls in a file, and fails if a decision differs from the expected one.",
  examples: [
    ["mcp-coordinator policy check", "Every rule, and what is wrong with it"],
    ["mcp-coordinator policy explain mail send to=ann@example.com --as ana", "What would happen, and why"],
    ["mcp-coordinator policy explain mail send --labels untrusted", "The same if the data has this label"],
    ["mcp-coordinator policy test policy-tests.yaml", "Examples: call, with, as, expect"],
  ],
  options: {
    as: { type: "string", value: "CALLER", summary: "The caller who would make the call" },
    labels: {
      type: "string",
      value: "LABELS",
      summary: "Labels of the data in the call and of data read before, separated by commas",
    },
    arguments: { type: "string", value: "JSON", summary: "The arguments as a JSON object" },
  },
  run: async (context) => {
    const [verb, ...words] = context.words;
    if (verb === "check" && words.length === 0) return check(context);
    if (verb === "explain" && words.length > 0) return explain(context, words);
    const [file] = words;
    if (verb === "test" && file !== undefined && words.length === 1) return test(context, file);
    throw misread("policy", context.words, ["check", "explain SERVER TOOL", "test FILE"]);
  },
};
