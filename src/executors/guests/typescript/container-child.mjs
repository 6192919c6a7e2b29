// The first process in a container for TypeScript: finds the engine's binary for this Node, then becomes the isolate child.
import { existsSync } from "node:fs";

const [enginesFolder, ...childArguments] = process.argv.slice(2);
const [major] = process.versions.node.split(".").map(Number);
const engine = major >= 24 ? "isolated-vm" : "isolated-vm-node22";
const folder = `${enginesFolder}/${engine}/${process.platform}-${process.arch}`;
const machine = process.arch === "arm64" ? "aarch64" : "x86_64";
const libc = existsSync(`/lib/ld-musl-${machine}.so.1`) ? "musl" : "glibc";
const addon = `${folder}/isolated-vm.abi${process.versions.modules}.${libc}.node`;

if (!existsSync(addon)) {
  process.stderr.write(
    `The image's Node ${process.versions.node} (${process.arch}, ${libc}) is not 22, 24 or 26\n`,
  );
  process.exit(1);
}
process.argv = [...process.argv.slice(0, 2), addon, ...childArguments];
await import("./isolate-child.mjs");
