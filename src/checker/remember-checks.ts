// Remembers what a check found: a program that was checked already costs nothing.
import type { CheckRequest, CheckResult } from "./check.js";

const mostRemembered = 200;

type Check = (request: CheckRequest) => Promise<CheckResult>;

const toKey = ({ servers, identifiers, ...request }: CheckRequest): string =>
  JSON.stringify([
    request.text,
    request.isSession,
    request.declared ?? [],
    request.module?.file,
    (request.adapters ?? []).map((adapter) => [adapter.path, adapter.text, adapter.names ?? []]),
    [...(request.adapterNames ?? [])],
    servers.map(({ catalog, fingerprint, observedTools }) => [
      catalog.server,
      fingerprint,
      observedTools?.size,
    ]),
    [...identifiers],
    request.modules ?? [],
    request.globals ?? [],
    request.deniedModules ?? [],
    request.missingModules ?? [],
    // A check that was asked for may know more than one before a run.
    [request.pythonTypes?.checker, request.pythonTypes?.isAsked],
  ]);

export const rememberChecks = (check: Check): Check => {
  const remembered = new Map<string, Promise<CheckResult>>();
  return (request) => {
    const key = toKey(request);
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const result = check(request);
    remembered.set(key, result);
    const [oldest] = remembered.keys();
    if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
    // A compiler that failed may work the next time.
    const forget = (): void => void remembered.delete(key);
    result.then(
      ({ diagnostics }) => diagnostics.some(({ code }) => code === "NOT_CHECKED") && forget(),
      forget,
    );
    return result;
  };
};
