// Describes what stands between a Python guest and the machine.
import type { ExecutorReport } from "../../contracts/index.js";
import type { WallChoice } from "./choose-wall.js";
import { dataLibraries, type Interpreter } from "./interpreter.js";

const always = ["own process", "empty environment", "memory, file and time limits of the kernel"];
const everyGap = ["timing side channels between runs on one machine"];

const gapsOf = {
  bubblewrap: [],
  self: [
    "names, sizes and dates of the machine's files can be seen, their contents cannot",
    "there is no /tmp to write to",
    "the network and process lists are shared with the machine, though no call to use them is allowed",
  ],
  seatbelt: ["not tried on a real macOS", "memory is limited by the interpreter's own counting only"],
} as const;

export const toReport = (interpreter: Interpreter, choice: WallChoice): ExecutorReport => {
  const version = interpreter.version.join(".");
  if (choice.kind === undefined)
    return {
      isAvailable: false,
      reason: `Cannot run Python ${version}: no wall stands around it (${choice.missing.join("; ") || `none is known for ${process.platform}`})`,
      fix: 'Install bubblewrap (Linux), or choose the executor "container" or "python-lite".',
      walls: [],
      gaps: [],
    };
  const lacking = dataLibraries.filter((name) => !interpreter.libraries.includes(name));
  const isRoot =
    process.getuid?.() === 0 && choice.kind !== "seatbelt" && !choice.walls.includes("no root user");
  const gaps = [
    ...gapsOf[choice.kind],
    ...(isRoot ? ["the user stays root, without its capabilities: nobody else can read this Python"] : []),
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
