// Replaces what differs between two plays or two machines, so that a stored screen changes only if the product does.

/** Which sandboxes there are, and the programs of this machine. */
const machineParts = [
  [/^SANDBOX [\s\S]*?(?=^MACHINE)/m, "(the sandboxes of this machine)\n\n"],
  [/^MACHINE[\s\S]*$/m, "(this machine)\n"],
  [/^(Everything that is needed works)[\s\S]*?\n\n/m, "$1 (and what is optional here)\n\n"],
];

const rules = [
  // At the end of a line, an id may be cut in two.
  [/(?<=--yes )[0-9a-f]+\n?[0-9a-f]*/g, (found) => found.replace(/[0-9a-f]/g, "-")],
  [/(?<=(?:resume|commit) )(?=[0-9a-f]*\n)[0-9a-f]+\n[0-9a-f]*/g, (found) => found.replace(/[0-9a-f]/g, "-")],
  [/\b[0-9a-f]{12}\b/g, "RUN-ID------"],
  [/\b[0-9a-f]{8}\b/g, "CODE----"],
  [/\b\d+(?:\.\d+)? ?(?:ms|s)\b(?! (?:until|after))/g, "TIME"],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?/g, "DATE"],
  [/\b\d{4}-\d\d-\d\d\b/g, "DATE"],
  // They count ids, and so differ a little.
  [/^(?:returned|kept) .*(?:\n.*definitions aside)?/gm, "(tokens of this run)"],
  [/^( +(?:programs|returned|searches|calls|answers|left out|saved)) +-?[\d,]+/gm, "$1 N"],
  [/\b(?:just now|\d+ (?:second|minute)s? ago)\b/g, "AGO"],
  [/\b\d+(?:\.\d+)? [kMG]?B\b/g, "SIZE"],
  [/\b\d+\.\d+\.\d+\b/g, "VERSION"],
];

/** The same line, whatever the width of a time in it was. */
const alignTimes = (line) =>
  /TIME|DATE|AGO|SIZE|VERSION|READY IN/.test(line) ? line.replace(/ {2,}/g, "  ") : line;

export const normalize = (screen, { root }) => {
  let text = `${screen.trimEnd()}\n`;
  text = text.replaceAll(root, root.replace(/[^/]{6}$/, "XXXXXX"));
  for (const [pattern, replacement] of [...machineParts, ...rules]) text = text.replace(pattern, replacement);
  return `${text.trimEnd()}\n`
    .split("\n")
    .map((line) => alignTimes(line).trimEnd())
    .join("\n");
};
