// The input of every Python rule: the program, its names, its tool uses and the servers.
import type { CheckRequest } from "../check.js";
import type { KnownServers } from "../tools/known-servers.js";
import type { SiteOptions } from "./names/find-site.js";
import type { PythonSyntax } from "./names/scope.js";
import type { PythonToolUses } from "./tools/find-tool-uses.js";

export interface PythonContext {
  readonly request: CheckRequest;
  readonly syntax: PythonSyntax;
  readonly known: KnownServers;
  readonly uses: PythonToolUses;
  readonly sites: SiteOptions;
}
