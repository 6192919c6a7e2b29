// No text of a program, skill or adapter crashes or blocks the host: it is refused, or it runs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Language } from "../../src/contracts/index.js";
import { errorTable } from "../../src/contracts/index.js";
import { type OpenFixture, openFixture } from "../support/open-fixture.js";
import { type HostileText, hostileTexts, writeText } from "./support/hostile-texts.js";

let over: OpenFixture;
let library: string;

beforeAll(async () => {
  library = mkdtempSync(join(tmpdir(), "coordinator-library-"));
  over = await openFixture({}, { libraryFolder: library });
  // Loading modules on first use is not part of the measurement.
  await over.run("return 0");
  await over.coordinator.checkCode({ code: "return 0", language: "python" });
});
afterAll(async () => {
  await over.close();
  rmSync(library, { recursive: true, force: true });
});

const table = (language: Language): [string, HostileText][] => Object.entries(hostileTexts[language]);

let honest = 0;

/** Does the work while another caller's new program runs; neither may fail because of the other. */
const survive = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const number = ++honest;
  const [result, other] = await Promise.all([
    work(),
    over.run(`const number: number = ${number}; return number;`),
  ]);
  expect(other).toMatchObject({ status: "completed", value: number });
  expect(await over.run(`return ${number} + 1`)).toMatchObject({ value: number + 1 });
  return result;
};

/** Refused with a code that is documented for programs, never with an internal error. */
const expectRefusal = (code: string | undefined): void => {
  expect(Object.keys(errorTable)).toContain(code);
  expect(["INTERNAL", "SANDBOX_UNAVAILABLE"]).not.toContain(code);
};

describe.each(["typescript", "python"] as const)("a program in %s", (language) => {
  it.each(table(language))("with %s is refused or checked", async (_title, text) => {
    const checked = await survive(() =>
      over.coordinator
        .checkCode({ code: writeText(text), language })
        .catch((error: { code: string }) => error),
    );
    if ("code" in checked) expectRefusal(checked.code);
    else expect(checked.diagnostics.length).toBeLessThan(10);
  });
});

it.each(table("typescript"))("a program with %s is refused or runs", async (_title, text) => {
  const { status, error } = await survive(() => over.run(writeText(text)));
  if (status !== "completed") expectRefusal(error?.code);
});

describe.each(["typescript", "python"] as const)("skills.save() of a text in %s", (language) => {
  it.each(table(language))("with %s is refused or saved", async (_title, text) => {
    const program = `
const { head, open, count, middle, close, tail } = ${JSON.stringify(text)};
const code = head + open.repeat(count) + middle + close.repeat(count) + tail;
try {
  await skills.save({ name: "hostile", description: "d", language: "${language}", code });
  return "saved";
} catch (error) {
  return error.code ?? error.message;
}`;
    const { value, error } = await survive(() => over.run(program));
    expect(error).toBeUndefined();
    if (value !== "saved") expectRefusal(value as string);
  });
});

const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

it.each(["nested parentheses", "nested generics", "a long sum", "many negations"])(
  "an adapter and a skill with %s in their files are refused",
  async (title) => {
    const text = writeText(hostileTexts.typescript[title] as HostileText).replace(
      "return ",
      "export const a = ",
    );
    put(join(library, "servers", "echo", "hostile.ts"), text);
    const adapter = await survive(() => over.run('import { a } from "servers/echo/hostile"; return a;'));
    expectRefusal(adapter.error?.code);
    const name = title.replaceAll(" ", "-");
    put(join(over.folder, "state", "skills", name, "scripts", "main.ts"), text);
    const skill = await survive(() => over.run(`import { a } from "skills/${name}"; return a;`));
    expectRefusal(skill.error?.code);
    expect((await over.coordinator.listSkills()).length).toBeGreaterThan(0);
  },
);

it("a skill whose file is one huge comment is listed", async () => {
  const text = writeText(hostileTexts.typescript["one huge comment above a function"] as HostileText);
  put(join(over.folder, "state", "skills", "commented", "scripts", "main.ts"), text);
  const listed = await survive(() => over.coordinator.listSkills());
  expect(listed.map(({ name }) => name)).toContain("commented");
});
