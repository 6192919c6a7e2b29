// At a real terminal: choosing from a list, confirming file changes, and trust.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { fixturePath } from "../../support/fixture-servers.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { hasTerminal, openTerminal, openTerminalLine } from "../../support/terminal.js";

const bin = fileURLToPath(new URL("../../../bin/mcp-coordinator.mjs", import.meta.url));

/** The code that a prompt showed last. */
const codeIn = (text: string): string =>
  text
    .match(/Type [0-9a-f]{8} to allow/g)
    ?.at(-1)
    ?.split(" ")[1] ?? "";

const openPerson = async () => {
  const root = await temporaryFolder();
  const [home, project] = [join(root, "home"), join(root, "project")];
  for (const folder of [join(home, ".cursor"), project]) mkdirSync(folder, { recursive: true });
  return { home, project };
};

/** A configuration with the server `ledger`, and a rule for approval. Returns the file with the calls that the server has seen. */
const writeLedger = (config: string, rule: string): string => {
  const seen = join(dirname(config), "seen.txt");
  writeFileSync(seen, "");
  const args = [fixturePath("ledger"), "--file", seen];
  const mcpServers = { ledger: { command: process.execPath, args } };
  writeFileSync(config, JSON.stringify({ mcpServers, coordinator: { approve: [rule] } }));
  return seen;
};

describe.skipIf(!hasTerminal)("at a terminal (needs script)", () => {
  test("a run asks the person, again if an answer is invalid, and shows each call that needs approval", async () => {
    const { home, project } = await openPerson();
    const seen = writeLedger(join(project, "asking.json"), "ledger.write");
    const code = `const to = await ask("Where\\u001b[2J to?", { choices: ["north", "south"] });
await ledger.write({ value: to });
return to;`;
    const terminal = openTerminal(["run", "-e", code, "--config", "asking.json"], home, project);
    await terminal.press("[1-2]", "3\n");
    await terminal.press("[1-2]", "2\n");
    await terminal.press("to allow, Enter to refuse:", "y\n");
    await terminal.press("to allow, Enter to refuse:", "yes\n");
    await terminal.press("to allow, Enter to refuse:", `${codeIn(terminal.read())}\n`);
    expect(await terminal.ended).toBe(0);
    expect(terminal.read()).toContain('ledger.write {"value":"south"}');
    expect(terminal.read().match(/That is not the code\. Nothing was allowed\./g)).toHaveLength(2);
    expect(readFileSync(seen, "utf8")).toBe('write "south"\n');

    const left = openTerminal(["run", "-e", code, "--config", "asking.json"], home, project);
    await left.press("[1-2]", "\u0004");
    expect(await left.ended).toBe(5);
    expect(left.read()).toContain("The run waits for an answer");
  });

  test("resume shows the exact calls, accepts only the code that it shows, and prints a command that works when pasted", async () => {
    const { home, project } = await openPerson();
    const config = "it's asking.json";
    const seen = writeLedger(join(project, config), "ledger.write");
    const run = ["run", "-e", "await ledger.write({ value: 7 }); return 8", "--config", config];
    const first = openTerminal([...run, "--workspace", "acme"], home, project);
    await first.press("to allow, Enter to refuse:", "\u0004");
    expect(await first.ended).toBe(5);
    const [, id = ""] = /resume ([0-9a-f]{12})/.exec(first.read()) ?? [];
    const [, printed = ""] = /^ {2}(.*mcp-coordinator.*? --yes [0-9a-f]{8})\r?$/m.exec(first.read()) ?? [];
    expect(printed).toContain(
      `resume ${id} --workspace acme --config '${join(project, config).replace("'", "'\\''")}' `,
    );

    const other = openTerminal(
      ["resume", id, "--workspace", "acme", "--config", config, "--yes", "00000000"],
      home,
      project,
    );
    expect(await other.ended).toBe(1);
    expect(other.read()).toContain('1. ledger.write {"value":7}');
    expect(other.read()).toContain("the code does not belong to what the");
    expect(readFileSync(seen, "utf8")).toBe("");

    const asked = openTerminal(["resume", id, "--workspace", "acme", "--config", config], home, project);
    await asked.press("to allow, Enter to refuse:", "\u0004");
    expect(await asked.ended).toBe(5);
    expect(asked.read()).toContain('1. ledger.write {"value":7}');

    const pasted = openTerminalLine(printed, home, project);
    expect(await pasted.ended).toBe(0);
    expect(readFileSync(seen, "utf8")).toBe("write 7\n");
    const again = openTerminalLine(printed, home, project);
    expect(await again.ended).toBe(1);
    expect(again.read()).toContain("it does not wait for an answer");
    expect(readFileSync(seen, "utf8")).toBe("write 7\n");
  });

  test("call also asks for the code if the settings require approval", async () => {
    const { home, project } = await openPerson();
    const seen = writeLedger(join(project, "asking.json"), "writes");
    const words = ["call", "ledger", "write", "value=1", "--config", "asking.json"];
    const env = { PATH: process.env.PATH, HOME: home };
    const type = (...given: readonly string[]) =>
      spawnSync(process.execPath, [bin, ...given], { cwd: project, env, encoding: "utf8" });
    type("trust", "--yes", "--config", "asking.json");
    const piped = type(...words);
    expect(piped.status).toBe(1);
    expect(piped.stderr).toContain("it needs approval");
    expect(readFileSync(seen, "utf8")).toBe("");
    const terminal = openTerminal(words, home, project);
    await terminal.press("to allow, Enter to refuse:", "y\n");
    await terminal.press("to allow, Enter to refuse:", `${codeIn(terminal.read())}\n`);
    expect(terminal.read()).toContain("The call waits for an answer");
    expect(await terminal.ended).toBe(0);
    expect(readFileSync(seen, "utf8")).toBe("write 1\n");
  });

  test("init lets a person choose with keys, asks about writes, and shows the change", async () => {
    const { home, project } = await openPerson();
    const file = join(home, ".cursor/mcp.json");
    writeFileSync(
      file,
      JSON.stringify({ mcpServers: { one: { command: "one" }, two: { command: "two" } } }, undefined, 2),
    );
    const terminal = openTerminal(["init"], home, project);
    await terminal.press("Enter continues", "\u001b[B");
    await terminal.press("❯ ◉ two", " ");
    await terminal.press("❯ ◯ two", "\r");
    await terminal.press("Ask you before a program writes?", "n");
    await terminal.press("Do it?", "d");
    await terminal.press('+    "coordinator"', "y");
    expect(await terminal.ended).toBe(0);
    expect(terminal.read()).toContain("moved 1 server to ~/.config/mcp-coordinator/config.json");
    expect(terminal.read()).toContain("Programs write without asking you.");
    const own = JSON.parse(readFileSync(join(home, ".config/mcp-coordinator/config.json"), "utf8"));
    expect(own.coordinator).toEqual({ approve: [] });
    expect(Object.keys(JSON.parse(readFileSync(file, "utf8")).mcpServers)).toEqual(["coordinator", "two"]);
  });

  test.each(["\u001b", "\u0003"])("init changes nothing after %j", async (key) => {
    const { home, project } = await openPerson();
    writeFileSync(join(home, ".cursor/mcp.json"), '{ "mcpServers": { "one": { "command": "one" } } }');
    const terminal = openTerminal(["init"], home, project);
    await terminal.press("Enter continues", key);
    await terminal.ended;
    expect(terminal.read()).toContain("Nothing was changed");
    expect(existsSync(join(home, ".config"))).toBe(false);
  });

  test("the first command in a folder shows what it would start, asks, and continues", async () => {
    const { home, project } = await openPerson();
    const entry = { command: process.execPath, args: [fixturePath("echo")] };
    writeFileSync(join(project, ".mcp.json"), JSON.stringify({ mcpServers: { echo: entry } }));
    const refused = openTerminal(["call", "echo", "echo", "text=hello"], home, project);
    await refused.press("Trust it as it is?", "n");
    expect(await refused.ended).toBe(1);
    const terminal = openTerminal(["call", "echo", "echo", "text=hello"], home, project);
    await terminal.press("Trust it as it is?", "y");
    expect(await terminal.ended).toBe(0);
    expect(terminal.read()).toMatch(/^hello\r?$/m);
    const again = openTerminal(["call", "echo", "echo", "text=hello"], home, project);
    expect(await again.ended).toBe(0);
    expect(again.read()).not.toContain("Trust it");
  });

  test.each([
    [0, ["servers"]],
    [3, ["servers", "--connect"]],
    [3, ["tools"]],
    [0, ["search", "say", "it", "again"]],
    [0, ["run", "-e", 'return await echo.echo({ text: "a" })']],
    [1, ["run", "-e", "return await echo.eco({})"]],
    [3, ["call", "broken", "anything"]],
    [0, ["stats"]],
    [1, ["check", "-e", 'const { identifier } = await shop.create({ txt: "a note", text: "another" });']],
    [0, ["search", "create", "--server", "shop"]],
    [0, ["policy", "check"]],
    [0, ["init", "--dry-run"]],
    [1, ["connect", "curser"]],
    [2, ["run", "--no-such-option-that-anybody-would-ever-think-of-typing-on-a-keyboard"]],
  ] as const)("output fits 80 columns, and the exit code is %i: %j", async (code, words) => {
    const { home, project } = await openPerson();
    const entry = (name: string) => ({ command: process.execPath, args: [fixturePath(name)] });
    const mcpServers = { echo: entry("echo"), broken: entry("crashes-at-start"), shop: entry("shop") };
    for (const file of ["mine.json", ".cursor/mcp.json"])
      writeFileSync(join(home, file), JSON.stringify({ mcpServers }));
    const terminal = openTerminal([...words, "--config", "~/mine.json"], home, project);
    expect(await terminal.ended).toBe(code);
    // A diff has the lines of its file.
    const lines = (terminal.read().split("\n--- ")[0] ?? "").split(/\r?\n|\r/);
    expect(lines.join("").length).toBeGreaterThan(20);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test("serve says at a terminal that it waits for a client, and ends with 130 at Ctrl-C", async () => {
    const { home, project } = await openPerson();
    const terminal = openTerminal(["serve"], home, project);
    await terminal.press("Waiting for an MCP client", "\u0003");
    expect(await terminal.ended).toBe(130);
  });

  test("every prompt accepts Enter for its default, and Ctrl-C ends the command with 130 and changes nothing", async () => {
    const { home, project } = await openPerson();
    const entry = { command: process.execPath, args: [fixturePath("echo")] };
    const client = join(home, ".cursor", "mcp.json");
    const before = JSON.stringify({ mcpServers: { echo: entry } });
    writeFileSync(client, before);
    writeFileSync(join(project, "mcp.json"), before);

    const declined = openTerminal(["trust"], home, project);
    await declined.press("[y/N]", "\r");
    expect(await declined.ended).toBe(1);
    const stopped = openTerminal(["trust"], home, project);
    await stopped.press("[y/N]", "\u0003");
    expect(await stopped.ended).toBe(130);
    expect(stopped.read()).not.toContain("Trusted");

    const init = openTerminal(["init", "--client", "cursor"], home, project);
    await init.press("Enter continues", "\u0003");
    expect(await init.ended).toBe(130);
    expect(readFileSync(client, "utf8")).toBe(before);

    const taken = openTerminal(["init", "--client", "cursor", "--yes"], home, project);
    expect(await taken.ended).toBe(0);
    const changed = readFileSync(client, "utf8");
    expect(changed).not.toBe(before);
    const kept = openTerminal(["eject"], home, project);
    await kept.press("[Y/n/d]", "\u0003");
    expect(await kept.ended).toBe(130);
    expect(readFileSync(client, "utf8")).toBe(changed);
    const agreed = openTerminal(["eject"], home, project);
    await agreed.press("[Y/n/d]", "d");
    await agreed.press("[Y/n/d]", "\r");
    expect(await agreed.ended).toBe(0);
    expect(agreed.read()).toContain("+++ ");
    expect(readFileSync(client, "utf8")).toBe(before);
  });
});
