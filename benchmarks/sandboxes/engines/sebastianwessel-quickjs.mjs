// `@sebastianwessel/quickjs`: a sandbox over quickjs-emscripten, on the host's thread.

export const sebastianwesselQuickjs = {
  name: "@sebastianwessel/quickjs",
  language: "typescript",
  packages: ["@sebastianwessel/quickjs@3.1.0", "@jitl/quickjs-ng-wasmfile-release-sync@0.32.0"],
  open: async ({ limits, load }) => {
    const { loadQuickJs } = await load("@sebastianwessel/quickjs");
    const { default: variant } = await load("@jitl/quickjs-ng-wasmfile-release-sync");
    const { runSandboxed } = await loadQuickJs(variant);
    const options = { executionTimeout: limits.timeoutMs, memoryLimit: limits.memoryMb * 1024 * 1024 };
    const run = async (program, tools) => {
      const code = `const { tools } = env;\nexport default await (async () => {${program}\n})();`;
      const answer = await runSandboxed(({ evalCode }) => evalCode(code), { ...options, env: { tools } });
      if (answer.ok) return answer.data;
      throw new Error(String(answer.error?.message ?? answer.error));
    };
    return { run, close: async () => {} };
  },
};
