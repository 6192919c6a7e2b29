// @cloudflare/codemode in a local workerd, which miniflare starts. Tools are reached through a service binding back to this process.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const worker = `
import { DynamicWorkerExecutor } from "@cloudflare/codemode";
import { createCodeTool } from "@cloudflare/codemode/ai";
import { jsonSchema, asSchema } from "ai";
const make = async (env) => {
  const listed = await (await env.HOST.fetch("http://host/tools")).json();
  const toTool = (one) => ({
    description: one.description,
    inputSchema: jsonSchema(one.inputSchema),
    ...(one.outputSchema && { outputSchema: jsonSchema(one.outputSchema) }),
    execute: async (given) => {
      const body = JSON.stringify({ key: one.key, given });
      const answer = await (await env.HOST.fetch("http://host/call", { method: "POST", body })).json();
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.value;
    },
  });
  const tools = Object.fromEntries(listed.map((one) => [one.key, toTool(one)]));
  return createCodeTool({ tools, executor: new DynamicWorkerExecutor({ loader: env.LOADER, timeout: env.LIMIT_MS }) });
};
let ready;
export default {
  async fetch(request, env) {
    const tool = await (ready ??= make(env));
    if (new URL(request.url).pathname === "/describe")
      return Response.json({ description: tool.description, inputSchema: await asSchema(tool.inputSchema).jsonSchema });
    try {
      return Response.json({ value: await tool.execute({ code: await request.text() }, {}) });
    } catch (error) {
      return Response.json({ error: String(error?.message ?? error) });
    }
  },
};`;

/** Bundling is a build step of the user's worker, so it happens once and is not measured. */
const bundleWorker = async (load, findFile) => {
  const bundle = findFile("bench-worker.mjs");
  if (!existsSync(bundle)) {
    const { build } = await load("esbuild");
    const built = await build({
      stdin: { contents: worker, resolveDir: dirname(dirname(bundle)) },
      bundle: true,
      write: false,
      format: "esm",
      target: "es2022",
      conditions: ["workerd", "worker", "import"],
      external: ["cloudflare:*", "node:*"],
      logLevel: "error",
    });
    writeFileSync(bundle, built.outputFiles[0].text);
  }
  return readFileSync(bundle, "utf8");
};

export const create = async ({ tools, limitMs, load, findFile }) => {
  // Without install scripts, the workerd package has only a launcher: name the real binary.
  process.env.MINIFLARE_WORKERD_PATH ??= findFile("@cloudflare", "workerd-linux-64", "bin", "workerd");
  const { Miniflare, Response } = await load("miniflare");
  const byKey = new Map(tools.map((one) => [one.key, one]));
  const toHost = async (request) => {
    if (new URL(request.url).pathname === "/tools") return new Response(JSON.stringify(tools));
    const { key, given } = await request.json();
    try {
      return new Response(JSON.stringify({ value: await byKey.get(key).call(given) }));
    } catch (error) {
      return new Response(JSON.stringify({ error: error.message }));
    }
  };
  const miniflare = new Miniflare({
    modules: true,
    script: await bundleWorker(load, findFile),
    bindings: { LIMIT_MS: limitMs },
    compatibilityDate: "2026-06-01",
    compatibilityFlags: ["nodejs_compat"],
    host: "127.0.0.1",
    workerLoaders: { LOADER: {} },
    serviceBindings: { HOST: toHost },
  });
  const { description, inputSchema } = await (await miniflare.dispatchFetch("http://bench/describe")).json();
  return {
    list: [{ name: "codemode", description, inputSchema }],
    run: async (code) => {
      const answer = await (
        await miniflare.dispatchFetch("http://bench/run", { method: "POST", body: code })
      ).json();
      return answer.error === undefined
        ? { value: answer.value?.result }
        : { value: answer.error, isError: true };
    },
  };
};
