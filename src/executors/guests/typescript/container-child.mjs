// The first process in a container for TypeScript: finds the engine's binary for this Node, then becomes the isolate child.
// With "probe" and a list of files as arguments it prints what the kernel says about the container's walls, as JSON.
import { existsSync, readFileSync } from "node:fs";

const [first, ...rest] = process.argv.slice(2);

const probe = (paths) => {
  const facts = {};
  for (const path of paths) {
    try {
      facts[path] = readFileSync(path, "utf8");
    } catch {
      // Unreadable files are left out.
    }
  }
  const hasPython = (process.env.PATH ?? "").split(":").some((folder) => existsSync(`${folder}/python3`));
  process.stdout.write(
    JSON.stringify({ languages: ["typescript", ...(hasPython ? ["python"] : [])], facts }),
  );
};

const findAddon = (enginesFolder) => {
  const [major] = process.versions.node.split(".").map(Number);
  const engine = major >= 24 ? "isolated-vm" : "isolated-vm-node22";
  const folder = `${enginesFolder}/${engine}/${process.platform}-${process.arch}`;
  const machine = process.arch === "arm64" ? "aarch64" : "x86_64";
  const libc = existsSync(`/lib/ld-musl-${machine}.so.1`) ? "musl" : "glibc";
  const addon = `${folder}/isolated-vm.abi${process.versions.modules}.${libc}.node`;
  if (existsSync(addon)) return addon;
  process.stderr.write(
    `The image's Node ${process.versions.node} (${process.arch}, ${libc}) is not 22, 24 or 26\n`,
  );
  process.exit(1);
};

if (first === "probe") probe(rest);
else {
  process.argv = [...process.argv.slice(0, 2), findAddon(first), ...rest];
  await import("./isolate-child.mjs");
}
