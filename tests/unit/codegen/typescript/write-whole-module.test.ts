import { expect, it } from "vitest";
import { writeWholeModule } from "../../../../src/codegen/index.js";

it("writeWholeModule() exports functions and servers under the names that were asked for", async () => {
  const { path, source } = writeWholeModule({
    names: ["listTools", "github", "odd-name", "default", "github"],
    functions: ["listTools"],
  });
  const servers = { "\u0000discovery": { listTools: "looks" }, github: "one", "odd-name": "two" };
  Object.assign(globalThis, { servers });
  const module = (await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(source)}`
  )) as object;
  Reflect.deleteProperty(globalThis, "servers");

  expect(path).toBe("servers");
  expect({ ...module }).toEqual({ default: servers, github: "one", listTools: "looks", "odd-name": "two" });
});
