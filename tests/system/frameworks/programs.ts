// What a model would do with the tools in these tests: search, run a program that works, run one that fails, draw.
export interface Step {
  readonly name: string;
  readonly given: Readonly<Record<string, unknown>>;
}

export const steps = {
  search: { name: "search_tools", given: { query: "add two numbers" } },
  program: {
    name: "run_code",
    given: {
      code: 'import { add } from "servers/echo";\nconst { sum } = await add({ a: 40, b: 2 });\nreturn { sum };',
    },
  },
  mistake: { name: "run_code", given: { code: "return await echo.ad({ a: 1 })" } },
  call: { name: "call_tool", given: { server: "echo", tool: "add", arguments: { a: 1, b: 2 } } },
  image: {
    name: "run_code",
    given: {
      code: 'await artifact("dot.png", { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" });\nreturn "drawn"',
    },
  },
  wait: { name: "run_code", given: { code: "return await echo.slow({ ms: 20000 })" } },
  odd: { name: "run_code", given: { code: 42 } },
} as const satisfies Record<string, Step>;
