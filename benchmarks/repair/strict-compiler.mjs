// What other systems do with the same compiler: plain declarations, strict settings, and a refusal for every message (or for all but some).
const configuration = JSON.stringify({
  compilerOptions: {
    target: "esnext",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["esnext"],
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  },
  files: ["program.ts", "world.d.ts"],
});

/** Messages that say a property does not exist: suppressed where results are not typed. */
export const propertyCodes = new Set([2339, 2551]);

/** Checks programs over one server at a time. */
export const createStrictChecker = ({ openNativeCompiler, findNativeCompiler, world }) => {
  const compiler = openNativeCompiler(findNativeCompiler());
  const files = new Map([["/program/tsconfig.json", configuration]]);
  const read = (path) => files.get(path);
  const check = async ({ catalog, source, text }) => {
    const { identifier, server } = catalog;
    const module = `./servers/${identifier}`;
    const lines = text
      .split("\n")
      .map((line) =>
        line
          .replace(
            /from "([./]*)servers\/([^/"]+)(?:\/index)?(\.ts)?"/,
            (_all, _dots, name) => `from "./servers/${name}"`,
          )
          .replace(
            /from "([./]*)servers\/([^/"]+)\/([^".]+)\.js"/,
            (_all, _dots, name, tool) => `from "./servers/${name}/${tool}"`,
          ),
      );
    const imports = lines.filter((line) => line.startsWith("import "));
    const rest = lines.filter((line) => !line.startsWith("import "));
    files.set(
      "/program/program.ts",
      `${imports.join("\n")}\nexport default async () => {\n${rest.join("\n")}\n};\n`,
    );
    files.set(`/program/servers/${identifier}.ts`, source);
    for (const tool of catalog.tools)
      files.set(
        `/program/servers/${identifier}/${tool.functionName}.ts`,
        `import { ${tool.functionName} } from "../${identifier}";\nexport default ${tool.functionName};\n`,
      );
    const type = `(typeof import("${module}"))["default"]`;
    files.set(
      "/program/world.d.ts",
      `${world}\ndeclare const ${identifier}: ${type};\ndeclare const servers: { readonly ${JSON.stringify(server)}: ${type} };\ndeclare function callTool(server: string, tool: string, args?: unknown): Promise<unknown>;\ndeclare function callMCPTool(name: string, args?: unknown): Promise<unknown>;\n`,
    );
    return compiler.compile({
      files: { read, paths: () => files.keys() },
      changed: [...files.keys()],
      timeoutMs: 20_000,
    });
  };
  return { check, close: () => compiler.close() };
};
