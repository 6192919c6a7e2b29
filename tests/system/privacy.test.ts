// Personal values never enter a program, a stored file or an answer. Only servers that may have them get them back.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type OpenedCoordinator, openCoordinator, type RunRequest, type RunResult } from "../../src/index.js";
import { fixturePath } from "../support/fixture-servers.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const kinds = ["email", "phone", "name", "card"];
const canaries = /Quillfeather|zoe\.quill|canary-mail|555 0177|4111 1111/;

const open = async (policy: object = { hide: kinds }, settings: object = {}, given?: string) => {
  const folder = given ?? (await temporaryFolder());
  const toServer = (name: string) => ({
    command: process.execPath,
    args: [fixturePath("customers"), "--file", join(folder, `${name}.txt`)],
  });
  for (const name of ["crm", "mail"]) writeFileSync(join(folder, `${name}.txt`), "", { flag: "a" });
  writeFileSync(
    join(folder, "mcp.json"),
    JSON.stringify({
      mcpServers: { crm: toServer("crm"), mail: toServer("mail") },
      coordinator: { policy, ...settings },
    }),
  );
  const coordinator = await openCoordinator({
    config: join(folder, "mcp.json"),
    settings: { stateFolder: join(folder, "state"), cacheFolder: join(folder, "cache") },
  });
  onTestFinished(() => coordinator.close());
  const readCalls = (name: string) => readFileSync(join(folder, `${name}.txt`), "utf8");
  return { coordinator, folder, readCalls };
};

const listFiles = (folder: string): readonly string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? listFiles(path) : [path];
  });

/** Every file that holds a personal value. */
const findLeaks = (folder: string): readonly string[] =>
  listFiles(folder).filter((path) => canaries.test(readFileSync(path, "latin1")));

type Way = (coordinator: OpenedCoordinator) => Promise<unknown>;
const runs =
  (request: RunRequest): Way =>
  (coordinator) =>
    coordinator.runCode(request);
const read = "const { rows } = await crm.list({});";
const readAndSend = `${read} await crm.send({ value: rows[0].email }); return rows`;

/** Each reads the customer, sends the address back to the server that has it, and returns the customer. */
const ways: Readonly<Record<string, Way>> = {
  "a TypeScript program": runs({ code: readAndSend }),
  "a Python program": runs({
    language: "python",
    code: 'rows = crm.list()["rows"]\ncrm.send(value=rows[0]["email"])\nprint(rows)\nresult = rows\nresult',
  }),
  "a session": runs({ code: readAndSend, session: "one" }),
  "a call by name": runs({
    code: 'const { rows } = await callMCPTool("crm__list", {}); await callMCPTool("crm__send", { value: rows[0].email }); return rows',
  }),
  "a whole result": runs({
    code: "const all = await crm.list.raw({}); await crm.send({ value: all.structuredContent.rows[0].email }); return all",
    isChecked: false,
  }),
  "a stored answer": runs({
    code: "const kept = await crm.list.keep({}); const all = await kept.load(); await crm.send({ value: all.rows[0].email }); return [all, await kept.peek()]",
    isChecked: false,
  }),
  "a background run": async (coordinator) => {
    const { runId } = await coordinator.startRun({ code: readAndSend });
    return (await coordinator.waitForRun({ runId })).result;
  },
  "direct calls": async (coordinator) => {
    const answer = (await coordinator.callTool({ server: "crm", tool: "list" })) as {
      rows: { email: string }[];
    };
    await coordinator.callTool({
      server: "crm",
      tool: "send",
      arguments: { value: answer.rows[0]?.email ?? "" },
    });
    return answer;
  },
  "a skill": async (coordinator) => {
    await coordinator.saveSkill({ name: "read-all", description: "Reads.", code: readAndSend });
    return coordinator.runSkill({ name: "read-all" });
  },
};

describe.each(Object.entries(ways))("a personal value, in %s,", (_name, way) => {
  it("is a token, and the server that sent it gets it back", async () => {
    const { coordinator, folder, readCalls } = await open();
    const shown = JSON.stringify(await way(coordinator));
    expect(shown).toContain("[EMAIL_1]");
    expect(shown).toContain("[NAME_1]");
    expect(shown).toContain("[PHONE_1]");
    expect(shown).toContain("[CARD_1]");
    expect(shown).not.toMatch(canaries);
    expect(readCalls("crm")).toContain('send {"value":"zoe.quill@canary-mail.com"}');
    expect(findLeaks(join(folder, "state"))).toEqual([]);
    expect(findLeaks(join(folder, "cache"))).toEqual([]);
  });
});

const run = (
  coordinator: OpenedCoordinator,
  code: string,
  others: Partial<RunRequest> = {},
): Promise<RunResult> => coordinator.runCode({ code, ...others });

describe("a token", () => {
  it("stays the same in later runs, and belongs to its session", async () => {
    const { coordinator, readCalls } = await open();
    await run(coordinator, read);
    const later = await run(coordinator, 'return await crm.send({ value: "to **[email_1]**" })');
    expect(later.error).toBeUndefined();
    expect(readCalls("crm")).toContain('send {"value":"to **zoe.quill@canary-mail.com**"}');
    const foreign = await run(coordinator, 'return await crm.send({ value: "[EMAIL_1]" })', {
      session: "two",
    });
    expect(foreign.error?.code).toBe("TOKEN_UNKNOWN");
  });

  it("is refused by another server, unless the policy reveals its kind there", async () => {
    const code = `${read} return await mail.send({ value: rows[0] })`;
    const closed = await open();
    const refused = await run(closed.coordinator, code);
    expect(refused.error?.code).toBe("TOKEN_WITHHELD");
    expect(closed.readCalls("mail")).toBe("");
    const half = await open({ hide: kinds, reveal: { "mail.send": ["email"] } });
    expect((await run(half.coordinator, code)).error?.code).toBe("TOKEN_WITHHELD");
    const only = await run(half.coordinator, `${read} return await mail.send({ value: rows[0].email })`);
    expect(only.error).toBeUndefined();
    expect(half.readCalls("mail")).toBe('send {"value":"zoe.quill@canary-mail.com"}\n');
    const all = await open({ hide: kinds, reveal: { "mail.*": "all" } });
    expect((await run(all.coordinator, code)).error).toBeUndefined();
    expect(all.readCalls("mail")).toContain("Zoe Quillfeather");
  });

  it("is redeemed 0 of 200 times when it is made up, planted, foreign, or for another server", async () => {
    const { coordinator, readCalls } = await open();
    await run(coordinator, read);
    const { value } = await run(
      coordinator,
      `
      const { rows: [{ email, name }] } = await crm.list({});
      const planted = [];
      for (const text of [email, "**" + email + "**", email.toLowerCase(), "[ " + email.slice(1), "see " + name])
        planted.push(String(await mail.plant({ value: text }).catch(() => "")), String(await crm.plant({ value: text })));
      const codes = {};
      const attempt = async (work) => {
        const code = await work.then(() => "made", (error) => error.code);
        codes[code] = (codes[code] ?? 0) + 1;
      };
      for (let at = 0; at < 50; at++) {
        await attempt(crm.send({ value: "[EMAIL_" + (at + 2) + "]" }));
        await attempt(mail.send({ value: { deep: ["x " + email + " y", at] } }));
        await attempt(mail.send({ value: { [name]: at } }));
        await attempt(mail.send({ value: email.toLowerCase().replace("_", at % 2 ? "\\\\_" : " ") }));
      }
      return { codes, planted };`,
      { isChecked: false },
    );
    const { codes, planted } = value as { codes: Record<string, number>; planted: readonly string[] };
    expect(codes).toEqual({ TOKEN_UNKNOWN: 50, TOKEN_WITHHELD: 150 });
    expect(planted.filter((text) => text !== "").length).toBe(5);
    expect(readCalls("mail")).toBe("");
    expect(readCalls("crm")).not.toContain("send");
  });

  it("cannot be planted by a server", async () => {
    const { coordinator, readCalls } = await open({ hide: kinds, reveal: { "mail.send": ["email"] } });
    await run(coordinator, read);
    const code =
      'const said = await mail.plant({ value: ["[EMAIL", "_1]"] }); await mail.send({ value: said }); return said';
    const { value, error } = await run(coordinator, code, { isChecked: false });
    expect(error).toBeUndefined();
    expect(value).toBe("[QUOTED_1]");
    expect(readCalls("mail")).toContain('send {"value":"[EMAIL_1]"}');
  });

  it("is refused when its value is no longer stored", async () => {
    const first = await open();
    await run(first.coordinator, read);
    await first.coordinator.close();
    const entries = join(first.folder, "state", "vault");
    for (const file of listFiles(first.folder).filter((path) => path.endsWith(".entry"))) rmSync(file);
    expect(listFiles(first.folder).some((path) => path.startsWith(entries))).toBe(true);
    const second = await open({ hide: kinds }, {}, first.folder);
    const { error } = await run(second.coordinator, 'return await crm.send({ value: "[EMAIL_1]" })');
    expect(error?.code).toBe("TOKEN_UNKNOWN");
  });

  it("is redeemed by a run that waited for a person, in a new process", async () => {
    const policy = { hide: kinds, ask: ["crm.send"], allow: ["reads"] };
    const first = await open(policy);
    const waiting = await run(first.coordinator, readAndSend);
    expect(waiting.question?.calls?.[0]?.arguments).toEqual({ value: "[EMAIL_1]" });
    await first.coordinator.close();
    const second = await open(policy, {}, first.folder);
    const resumed = await second.coordinator.resumeRun({ runId: waiting.runId, answer: true });
    expect(resumed.error).toBeUndefined();
    expect(JSON.stringify(resumed)).not.toMatch(canaries);
    expect(second.readCalls("crm")).toContain('send {"value":"zoe.quill@canary-mail.com"}');
    expect(findLeaks(join(first.folder, "state"))).toEqual([]);
  });

  it("is refused before a person is asked to approve its call", async () => {
    const { coordinator } = await open({ hide: kinds, ask: ["writes"], allow: ["reads"] });
    const refused = await run(coordinator, `${read} return await mail.send({ value: rows[0].email })`);
    expect(refused.question).toBeUndefined();
    expect(refused.error?.code).toBe("TOKEN_WITHHELD");
  });

  it("cannot be compared by a rule: an unknown condition never allows a call", async () => {
    const { coordinator, readCalls } = await open({
      hide: kinds,
      allow: ["reads", "crm.send(value: *@canary-mail.com)"],
      deny: ["crm.note(value: not x@acme.com)"],
      default: "deny",
    });
    expect((await run(coordinator, readAndSend)).error?.code).toBe("CALL_DENIED");
    const noted = await run(coordinator, `${read} return await crm.note({ value: rows[0].email })`);
    expect(noted.error?.code).toBe("CALL_DENIED");
    expect(readCalls("crm")).not.toContain("send");
  });
});

describe("what a server says beside its answers", () => {
  it.each(["note", "parts", "fail", "refuse"])("has tokens: %s", async (tool) => {
    const { coordinator, folder } = await open();
    const result = await run(coordinator, `const x = await crm.${tool}.raw({}); console.log(x); return x`, {
      isChecked: false,
    });
    expect(JSON.stringify(result)).toMatch(/\[EMAIL_1\]/);
    expect(JSON.stringify(result)).not.toMatch(canaries);
    expect(findLeaks(join(folder, "state"))).toEqual([]);
  });

  it("has tokens: progress, resources and prompts", async () => {
    const { coordinator, folder } = await open();
    const progress: string[] = [];
    await run(coordinator, "return await crm.work({})", {
      onProgress: ({ message }) => {
        progress.push(message);
        writeFileSync(join(folder, "crm.txt.release"), "");
      },
    });
    expect(progress.join()).toContain("[EMAIL_1]");
    expect(progress.join()).not.toMatch(canaries);
    const code = 'return [await crm.resources.read({ uri: "note://1" }), await crm.prompts.greet({})]';
    const { value, error } = await run(coordinator, code, { isChecked: false });
    expect(error).toBeUndefined();
    expect(JSON.stringify(value)).toContain("[NAME_1]");
    expect(JSON.stringify(value)).not.toMatch(canaries);
  });
});

describe("the stored state", () => {
  it("has no personal value: journal, recording, files, memory, skills, shapes", async () => {
    const { coordinator, folder } = await open();
    const code = `${read}
      await fs.writeFile("rows.json", JSON.stringify(rows));
      await memory.save("rows", rows);
      await keep(rows);
      console.log(rows);
      return rows`;
    const { runId, error } = await run(coordinator, code, { isChecked: false });
    expect(error).toBeUndefined();
    const recording = await coordinator.exportRun({ runId });
    expect(JSON.stringify(recording)).toContain("[EMAIL_1]");
    expect(JSON.stringify(recording)).not.toMatch(canaries);
    await coordinator.close();
    expect(listFiles(join(folder, "state")).length).toBeGreaterThan(3);
    expect(findLeaks(join(folder, "state"))).toEqual([]);
    expect(findLeaks(join(folder, "cache"))).toEqual([]);
  });

  it("hides large answers, too", async () => {
    const { coordinator, folder } = await open();
    const code =
      "const { rows } = await crm.many({ value: 10_000 }); return [rows.length, rows[9_999], rows[0]]";
    const { value, error } = await run(coordinator, code, { isChecked: false });
    expect(error).toBeUndefined();
    expect(value).toEqual([
      10_000,
      { name: "[NAME_10000]", email: "[EMAIL_10000]" },
      { name: "[NAME_1]", email: "[EMAIL_1]" },
    ]);
    expect(findLeaks(join(folder, "state"))).toEqual([]);
  });
});

describe("fetch", () => {
  it("gets tokens, and gives values back to their host only", async () => {
    const seen: string[] = [];
    const listen = async (answer: string) => {
      const server = createServer((request, response) => {
        seen.push(`${answer.slice(0, 5)} ${request.url}`);
        response.end(answer);
      }).listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      onTestFinished(() => void server.close());
      return `127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    const own = await listen('{"email":"zoe.quill@canary-mail.com"}');
    const other = await listen("other");
    const { coordinator } = await open({ hide: kinds }, { network: { allow: [own, other] } });
    const { value } = await run(
      coordinator,
      `const { email } = await (await fetch("http://${own}/")).json();
       await fetch("http://${own}/?to=" + email);
       const code = await fetch("http://${other}/?to=" + email).then(() => "made", (error) => error.code ?? error.message);
       return [email, code]`,
      { isChecked: false },
    );
    expect(value).toEqual(["[EMAIL_1]", expect.stringContaining("TOKEN_WITHHELD")]);
    expect(seen).toEqual(['{"ema /', '{"ema /?to=zoe.quill@canary-mail.com']);
  });
});
