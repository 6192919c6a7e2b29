// A new person: an empty home folder with the files of three clients, a project, and a fresh copy of this checkout on the search path.
import { execFileSync } from "node:child_process";
import {
  constants,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const serverOf = (name, ...args) => ({
  command: "node",
  args: [`../servers/${name}/dist/index.js`, ...args],
});

const write = (path, content) => {
  mkdirSync(dirname(path), { recursive: true });
  const text = typeof content === "string" ? content : `${JSON.stringify(content, undefined, 2)}\n`;
  writeFileSync(path, text);
};

/** The files that a clone has, with what `npm install` and `npm run build` add. */
const copyCheckout = (checkout, target) => {
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: checkout, encoding: "utf8" });
  for (const file of files.split("\0").filter((name) => /^(?:bin|package\.json|schema|src)/.test(name)))
    cpSync(join(checkout, file), join(target, file));
  cpSync(join(checkout, "dist"), join(target, "dist"), { recursive: true });
  symlinkSync(join(checkout, "node_modules"), join(target, "node_modules"));
};

/** `node` is the program that the person has under this name. */
export const openPerson = (checkout, node) => {
  const root = mkdtempSync(join(tmpdir(), "hour-"));
  const home = join(root, "home");
  const project = join(home, "shop");
  copyCheckout(checkout, join(home, "mcp-coordinator"));
  mkdirSync(join(root, "bin"));
  // A copy, because screens show its real path.
  copyFileSync(node, join(root, "bin", "node"), constants.COPYFILE_FICLONE);
  // What "npm install -g ." does.
  symlinkSync(
    join(home, "mcp-coordinator", "bin", "mcp-coordinator.mjs"),
    join(root, "bin", "mcp-coordinator"),
  );
  mkdirSync(join(home, "servers"));
  for (const name of ["filesystem", "memory", "everything"])
    symlinkSync(
      join(checkout, "node_modules", "@modelcontextprotocol", `server-${name}`),
      join(home, "servers", name),
    );
  write(join(project, "todo.md"), "- bread\n");
  write(join(home, ".claude.json"), { mcpServers: { filesystem: serverOf("filesystem", ".") } });
  write(join(home, ".cursor", "mcp.json"), { mcpServers: { memory: serverOf("memory") } });
  write(join(project, ".vscode", "mcp.json"), { servers: { everything: serverOf("everything") } });
  return {
    root,
    home,
    project,
    env: { PATH: `${join(root, "bin")}:/usr/bin:/bin`, HOME: home },
    close: () => rmSync(root, { recursive: true, force: true, maxRetries: 10 }),
  };
};
