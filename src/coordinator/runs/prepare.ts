// Parses a program and the adapters and skills that it imports, applies the guardrails on code, and starts the servers that it names.
import type { PreparedProgram } from "../../checker/index.js";
import { prepareProgram } from "../checks/checker.js";
import { collectAdapters, type ReachedAdapters } from "../checks/collect-adapters.js";
import type { Host } from "../host/host.js";
import type { AdmittedRun } from "./admit.js";
import { guardCode } from "./guard-run.js";
import type { RunRights } from "./run-rights.js";

export interface PreparedRun {
  readonly program: PreparedProgram;
  readonly adapters: ReachedAdapters;
  readonly rights: RunRights;
}

export const prepare = async (run: AdmittedRun): Promise<PreparedRun> => {
  const { host, request, language, rights } = run;
  const program = await prepareProgram(host.requester, request.code, {
    language,
    isSession: request.session !== undefined,
  });
  const adapters = await collectAdapters(host, program, { language, codeBytes: rights.limits.codeBytes });
  await guardCode(run, adapters);
  connectImported(host, [program, ...adapters.modules], rights.servers);
  return { program, adapters, rights };
};

/** An imported server will be used soon: start it while the program is checked. */
const connectImported = (
  host: Host,
  modules: readonly PreparedProgram[],
  allowed: readonly string[] | undefined,
): void => {
  for (const { path } of modules.flatMap(({ imports }) => imports)) {
    const name = path.split("/")[1];
    const server = host.configuration.servers.find(
      (one) => one.name === name || host.identifiers.get(one.name) === name,
    );
    if (server !== undefined && allowed?.includes(server.name) !== false) host.upstreams.connect(server.name);
  }
};
