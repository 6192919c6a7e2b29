// `npm run bench:repair`: programs over real tools, each with one mistake: how many are refused before any side effect.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { indirectMistakes, makeIndirect } from "./indirect-mistakes.mjs";
import { createRandom, typescript } from "./make-programs.mjs";
import { python } from "./make-python-programs.mjs";
import { measureSpeed, readChildMemory } from "./measure-speed.mjs";
import { sampleValue } from "./sample-values.mjs";
import { createStrictChecker, propertyCodes } from "./strict-compiler.mjs";

const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { values } = parseArgs({
  options: {
    dist: { type: "string", default: join(checkout, "dist") },
    corpus: { type: "string", default: join(checkout, "..", "shared", "corpus", "servers") },
    each: { type: "string", default: "150" },
    seed: { type: "string", default: "1" },
    show: { type: "boolean", default: false },
    "no-strict": { type: "boolean", default: false },
    language: { type: "string", default: "typescript" },
    checker: { type: "string", default: "off" },
  },
});
const isPython = values.language === "python";
const { makeCorrect, makeMistake, mistakes, toLongProgram, writeArguments } = isPython ? python : typescript;
const load = (path) => import(pathToFileURL(join(resolve(values.dist), path)).href);

const readCorpus = () => {
  if (existsSync(values.corpus))
    return readdirSync(values.corpus).map((file) => ({
      name: file.replace(/\.json$/, ""),
      tools: JSON.parse(readFileSync(join(values.corpus, file), "utf8")).tools,
    }));
  const golden = join(checkout, "tests", "golden");
  return readdirSync(golden).map((name) => ({
    name,
    tools: JSON.parse(readFileSync(join(golden, name, "tools.json"), "utf8")),
  }));
};

const quantile = (numbers, share) =>
  [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? 0;
const percent = (part, whole) => (whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`);

const main = async () => {
  const [
    { bindArguments, toServerCatalog, toServerIdentifiers, validateArguments },
    {
      assignFunctionNames,
      renderCallModule,
      renderPythonModule,
      renderPythonSignature,
      renderServerDeclarations,
      ...codegen
    },
    { checkProgram, closeChecker, prepareProgram, renderDiagnostics },
    native,
    { nearestNames },
  ] = await Promise.all([
    load("catalog/index.js"),
    load("codegen/index.js"),
    load("checker/index.js"),
    load("checker/typescript/types/native-compiler.js"),
    load("schema/index.js"),
  ]);
  const renderSignature = isPython
    ? ({ tool, identifier, functionName = tool.functionName }) =>
        renderPythonSignature({ tool, name: `${identifier}.${functionName}`, maxLength: 200 })
    : codegen.renderSignature;
  const language = isPython ? "python" : "typescript";
  /** A catalog in the form that the language's check expects. */
  const toServer = (catalog, fingerprint) => ({
    catalog,
    fingerprint,
    source: isPython ? "" : renderServerDeclarations({ catalog }).source,
    ...(isPython ? { functionNames: assignFunctionNames(catalog) } : {}),
  });
  const listings = readCorpus();
  const identifiers = toServerIdentifiers(listings.map(({ name }) => name));
  const servers = listings.map(({ name, tools }) => {
    const catalog = toServerCatalog(
      { server: name, tools, resources: [], resourceTemplates: [], prompts: [] },
      identifiers.get(name),
    );
    return toServer(catalog, name);
  });
  const random = createRandom(Number(values.seed));
  const isRight = (tool, value) => {
    try {
      validateArguments(tool, value);
      return true;
    } catch {
      return false;
    }
  };
  const tools = servers.flatMap((server) =>
    server.catalog.tools.map((tool) => ({ server, catalog: server.catalog, tool })),
  );
  // Only tools whose arguments can be generated: a program that the host would refuse is not correct.
  const candidates = tools.filter(({ tool }) =>
    isRight(tool, sampleValue(tool.inputSchema, tool.inputSchema)),
  );
  const shuffled = candidates
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
  const each = Number(values.each);
  const programs = [];
  for (const kind of [...mistakes, ...indirectMistakes]) {
    let made = 0;
    for (const candidate of shuffled) {
      if (made >= each) break;
      const program = indirectMistakes.includes(kind)
        ? makeIndirect(random, candidate, { kind, isWrong: true, language })
        : makeMistake(random, candidate, kind);
      if (program === undefined || !isRight(candidate.tool, program.value)) continue;
      // An object without any of the tool's argument names counts as its first argument, so the word is not a mistake.
      const { given } = program;
      if (given !== undefined && bindArguments(candidate.tool, [given]) !== given) continue;
      programs.push({ ...program, ...candidate });
      made++;
    }
  }
  const wanted = programs.length;
  for (const candidate of shuffled.concat(shuffled)) {
    if (programs.length >= 2 * wanted) break;
    const kind = indirectMistakes[programs.length % (3 * indirectMistakes.length)];
    const program =
      (kind === undefined
        ? undefined
        : makeIndirect(random, candidate, { kind, isWrong: false, language })) ??
      makeCorrect(random, candidate);
    if (isRight(candidate.tool, program.value)) programs.push({ ...program, ...candidate });
  }
  programs.sort((a, b) =>
    a.catalog.server < b.catalog.server ? -1 : a.catalog.server > b.catalog.server ? 1 : 0,
  );

  const world = readFileSync(join(resolve(values.dist), "checker", "world.d.mts"), "utf8");
  const strict = values["no-strict"] || isPython ? undefined : createStrictChecker({ ...native, world });
  const rows = new Map();
  const times = [];
  for (const { kind, right, text, server, catalog, adapters, adapterNames } of programs) {
    const row = rows.get(kind) ?? {
      count: 0,
      ours: 0,
      warned: 0,
      named: 0,
      tokens: [],
      strict: 0,
      suppressed: 0,
    };
    rows.set(kind, row);
    row.count++;
    const { imports } = await prepareProgram(text, { language, isSession: false });
    const start = performance.now();
    const request = {
      language,
      // A Python type checker is searched on PATH.
      pythonTypes: {
        checker: values.checker,
        isRequested: true,
        renderModule: renderPythonModule,
        renderCallModule,
      },
      text,
      imported: imports.map(({ specifier }) => specifier),
      isSession: false,
      servers: [server],
      identifiers,
      nearestNames,
      renderSignature,
      adapters,
      adapterNames,
    };
    const { diagnostics } = await checkProgram(request);
    times.push(performance.now() - start);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    if (errors.length > 0) {
      row.ours++;
      row.tokens.push(countTokens(renderDiagnostics(errors.slice(0, 1))));
      if (renderDiagnostics(errors).includes(right)) row.named++;
    } else if (diagnostics.length > 0) row.warned++;
    if (values.show && (kind === "correct") === errors.length > 0)
      console.log(`--- ${kind} (${right}) ${catalog.server}\n${text}\n=> ${renderDiagnostics(diagnostics)}`);
    if (strict !== undefined) {
      const messages = await strict.check({ catalog, source: server.source, text });
      if (messages.length > 0) row.strict++;
      if (messages.some(({ code }) => !propertyCodes.has(code))) row.suppressed++;
    }
  }
  strict?.close();
  const check = async (request) => {
    const { imports } = await prepareProgram(request.text, { language, isSession: false });
    return checkProgram({
      ...request,
      language,
      imported: imports.map(({ specifier }) => specifier),
      isSession: false,
      nearestNames,
      renderSignature,
    });
  };
  const toCalled = (catalog) => (tool) => ({
    identifier: catalog.identifier,
    functionName: isPython ? assignFunctionNames(catalog).get(tool) : tool.functionName,
    args: writeArguments(sampleValue(tool.inputSchema, tool.inputSchema)),
  });
  const many = [...new Map(candidates.map(({ tool }) => [tool.name, tool])).values()].slice(0, 500);
  const big = toServerCatalog(
    { server: "big", tools: many, resources: [], resourceTemplates: [], prompts: [] },
    "big",
  );
  const bigServer = toServer(big, "big");
  const one = await measureSpeed({
    servers: [bigServer],
    identifiers: new Map([["big", "big"]]),
    tools: big.tools.slice(0, 11).map(toCalled(big)),
    check,
    toLongProgram,
  });
  const some = [0, 1, 2].map((at) => candidates[at * 700]);
  const over = await measureSpeed({
    servers: some.map(({ server }) => server),
    identifiers,
    tools: some
      .flatMap(({ catalog, tool }) => Array.from({ length: 4 }, () => toCalled(catalog)(tool)))
      .slice(0, 11),
    check,
    toLongProgram,
  });
  const memory = readChildMemory();
  await closeChecker();

  const all = [...rows].filter(([kind]) => kind !== "correct").map(([, row]) => row);
  const sum = (key) => all.reduce((total, row) => total + row[key], 0);
  const tokens = all.flatMap((row) => row.tokens);
  const others = strict === undefined ? [] : ["strict", "suppressed"];
  const head = [
    "mistake",
    "programs",
    "refused",
    "only warned of",
    "right name in the message",
    "tokens p50 / max",
  ];
  const otherHeads =
    others.length === 0 ? [] : ["strict compiler as it is", "… property errors suppressed", "no check"];
  const print = (cells) => console.log(`| ${cells.join(" | ")} |`);
  print([...head, ...otherHeads]);
  console.log(`|---|${"--:|".repeat(head.length - 1 + otherHeads.length)}`);
  for (const [kind, row] of [...rows].filter(([name]) => name !== "correct"))
    print([
      kind,
      row.count,
      percent(row.ours, row.count),
      percent(row.warned, row.count),
      percent(row.named, row.ours),
      `${quantile(row.tokens, 0.5)} / ${quantile(row.tokens, 1)}`,
      ...others.map((key) => percent(row[key], row.count)),
      ...(others.length === 0 ? [] : [kind === "unknown import" ? "100 %" : "0 %"]),
    ]);
  print([
    "**all**",
    sum("count"),
    percent(sum("ours"), sum("count")),
    percent(sum("warned"), sum("count")),
    percent(sum("named"), sum("ours")),
    `${quantile(tokens, 0.5)} / ${quantile(tokens, 1)}`,
    ...others.map((key) => percent(sum(key), sum("count"))),
    ...(others.length === 0 ? [] : [percent(rows.get("unknown import")?.count ?? 0, sum("count"))]),
  ]);
  const correct = rows.get("correct");
  print([
    "correct programs refused",
    correct.count,
    correct.ours,
    correct.warned,
    "",
    "",
    ...others.map((key) => correct[key]),
    ...(others.length === 0 ? [] : [0]),
  ]);
  console.log(
    `\n${servers.length} servers, ${tools.length} tools; one check: p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms (a server's declarations are read with its first program)`,
  );
  const format = ({ first, warm }) =>
    `p50 ${quantile(warm, 0.5).toFixed(1)} ms, p95 ${quantile(warm, 0.95).toFixed(1)} ms, first ${first.toFixed(0)} ms`;
  console.log(`30 lines, one server of ${big.tools.length} tools: ${format(one)}`);
  console.log(`30 lines, three of ${servers.length} servers with ${tools.length} tools: ${format(over)}`);
  if (memory.length > 0)
    console.log(
      `The compiler's process: ${memory.map((megabytes) => megabytes.toFixed(0)).join(", ")} MB resident`,
    );
};

await main();
