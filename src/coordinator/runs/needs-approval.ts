// Decides which calls need approval.
import type { ApprovedTool } from "../../bridge/index.js";

/** `rules`: "server.tool" with "*" for any part, "writes" for everything but reads, "destructive" for writes not declared as additive. */
export const needsApproval = (rules: readonly string[], tool: ApprovedTool): boolean =>
  rules.some((rule) => {
    if (rule === "writes") return !tool.isReadOnly;
    if (rule === "destructive") return tool.isDestructive && !tool.isReadOnly;
    const names = [tool.name, tool.functionName ?? tool.name];
    return names.some((name) => matches(rule, `${tool.server}.${name}`));
  });

/** Matches part by part between the stars, so that matching is fast for every text. */
const matches = (pattern: string, name: string): boolean => {
  const [head = "", ...parts] = pattern.split("*");
  if (parts.length === 0) return name === pattern;
  const tail = parts.pop() ?? "";
  if (!name.startsWith(head) || name.length < head.length + tail.length) return false;
  let at = head.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - at >= tail.length && name.endsWith(tail);
};
