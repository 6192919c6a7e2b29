// Describes what stands between a Python guest and the machine.
import type { ExecutorReport } from "../../../contracts/index.js";
import type { WallChoice } from "./choose-wall.js";
import { dataLibraries, type Interpreter } from "./interpreter.js";

const always = ["own process", "empty environment", "memory, file and time limits of the kernel"];
const everyGap = ["timing side channels between runs on one machine"];

const gapsOf = {
  bubblewrap: [],
  self: [
    "names, sizes and dates of the machine's files are visible, their contents are not",
    "there is no /tmp to write to",
    "the network and process lists are shared with the machine, but no system call can use them",
  ],
  seatbelt: ["not tested on a real Mac", "memory is limited only by the interpreter's own accounting"],
} as const;

export const toReport = (interpreter: Interpreter, choice: WallChoice): ExecutorReport => {
  const version = interpreter.version.join(".");
  if (choice.kind === undefined)
    return {
      isAvailable: false,
      reason: `Cannot run Python ${version}: no wall can be put up (${choice.missing.join("; ") || `none is known for ${process.platform}`})`,
      fix: 'Install bubblewrap (Linux), or choose the executor "container" or "python-lite".',
      walls: [],
      gaps: [],
    };
  const lacking = dataLibraries.filter((name) => !interpreter.libraries.includes(name));
  const isRoot =
    process.getuid?.() === 0 && choice.kind !== "seatbelt" && !choice.walls.includes("no root user");
  const gaps = [
    ...gapsOf[choice.kind],
    ...(isRoot ? ["the user stays root, without its capabilities: other users cannot read this Python"] : []),
    ...everyGap,
  ];
  return {
    isAvailable: true,
    walls: [...(choice.kind === "bubblewrap" ? ["bubblewrap"] : []), ...choice.walls, ...always],
    gaps: choice.walls.some((wall) => wall.includes("threads")) ? gaps : ["the number of threads", ...gaps],
    ...(choice.missing.length > 0 ? { reason: choice.missing.join("; "), fix: "Install bubblewrap." } : {}),
    missingLibraries: lacking,
  };
};
