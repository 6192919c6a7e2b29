// Remembers what a check found: a program that was checked already costs nothing, here or in an earlier process.
import type { Json } from "../contracts/index.js";
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

const isResult = (found: Json | undefined): boolean => {
  const { diagnostics, manifest } = (found ?? {}) as Partial<CheckResult>;
  return Array.isArray(diagnostics) && Array.isArray(manifest?.calls);
};

/** `compiler`: another one may find something else. */
export const rememberChecks = (check: Check, compiler = ""): Check => {
  const remembered = new Map<string, Promise<CheckResult>>();

  const checkOnce = async (request: CheckRequest, key: string): Promise<CheckResult> => {
    const { memory } = request;
    if (memory === undefined) return check(request);
    const known = await memory.read(key);
    if (isResult(known)) return known as unknown as CheckResult;
    const result = await check(request);
    // What is wrong today may be right tomorrow, and is told again at little cost.
    const isClean = result.diagnostics.every(
      ({ severity, code }) => severity !== "error" && code !== "NOT_CHECKED",
    );
    if (isClean) memory.write(key, result as unknown as Json);
    return result;
  };

  return (request) => {
    const key = `${compiler}\n${toKey(request)}`;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const result = checkOnce(request, key);
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
