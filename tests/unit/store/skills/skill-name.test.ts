// Names and categories of skills.
import { expect, it } from "vitest";
import { toCategory, toSkillName } from "../../../../src/store/files/skills/skill-tree.js";

it.each([
  ["Db Backup", "db-backup"],
  ["dbBackup", "db-backup"],
  ["db_backup", "db-backup"],
  ["  Café  del  Mar ", "cafe-del-mar"],
  ["a", "a"],
])("toSkillName() turns %j into %j", (title, name) => {
  expect(toSkillName(title)).toBe(name);
});

it.each([
  "",
  "..",
  "../up",
  "a/b",
  "a\\b",
  "/etc/passwd",
  ".hidden",
  "a.b",
  "con",
  "NUL",
  "a\u0000b",
  "名前",
  "x".repeat(65),
  "versions",
  "node_modules",
  "a\u2215b",
])("toSkillName() refuses %j", (title) => {
  expect(() => toSkillName(title)).toThrow(expect.objectContaining({ code: "NAME_INVALID" }));
});

it.each(["..", "a/../b", "/a", "a//b", "a/b/c/d", "a/.git"])("toCategory() refuses %j", (category) => {
  expect(() => toCategory(category)).toThrow(expect.objectContaining({ code: "NAME_INVALID" }));
});

it("toCategory() keeps nested folders", () => {
  expect(toCategory("Research/Web Pages")).toBe("research/web-pages");
});
