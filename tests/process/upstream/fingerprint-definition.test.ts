// The fingerprint changes with what starts the server, without revealing it.
import { expect, it } from "vitest";
import { fingerprintDefinition } from "../../../src/upstream/upstream-requests.js";
import { stdioFixture } from "../../support/fixture-servers.js";

it("fingerprintDefinition() does not depend on the order of variables", () => {
  const one = stdioFixture("echo", { env: { A: "1", B: "2" } });
  const other = stdioFixture("echo", { env: { B: "2", A: "1" } });
  expect(fingerprintDefinition(one)).toBe(fingerprintDefinition(other));
});

it("fingerprintDefinition() changes with every part of the target, and not with the name", () => {
  const definitions = [
    stdioFixture("echo"),
    stdioFixture("chatty"),
    stdioFixture("echo", { args: ["x"] }),
    stdioFixture("echo", { env: { A: "1" } }),
    stdioFixture("echo", { env: { A: "2" } }),
    stdioFixture("echo", { cwd: "/tmp" }),
    stdioFixture("echo", { command: "bun" }),
  ];
  expect(new Set(definitions.map(fingerprintDefinition)).size).toBe(definitions.length);
  expect(fingerprintDefinition(stdioFixture("echo", { name: "other" }))).toBe(
    fingerprintDefinition(stdioFixture("echo")),
  );
});
