// The part of docs/cli.md that is generated from the commands.

const code = (text) => `\`${text}\``;

const row = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

const table = (head, rows) => [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

const toOption = ([name, { short, value, summary }]) => [
  [
    ...(short === undefined ? [] : [code(`-${short}`)]),
    code(`--${name}${value === undefined ? "" : ` ${value}`}`),
  ].join(", "),
  summary,
];

const toOptionTable = (options) => table(["Option", "Meaning"], Object.entries(options).map(toOption));

const toCommand = ({ name, summary, usage, description, options, examples }) =>
  [
    `### ${name}`,
    `${summary}.`,
    ["```", ...usage.map((line) => `mcp-coordinator ${line}`), "```"].join("\n"),
    ...(description === undefined ? [] : [description]),
    ...(Object.keys(options).length === 0 ? [] : [toOptionTable(options)]),
    ["```sh", ...examples.flatMap(([line, meaning]) => [`# ${meaning}`, line]), "```"].join("\n"),
  ].join("\n\n");

/** Every command in its group, then shared options and exit codes. */
export const toCommandDocument = ({ groups, sharedOptions, exitCodes }) =>
  [
    table(
      ["", "Commands"],
      groups.map(({ title, commands }) => [
        title,
        commands.map(({ name }) => `[${code(name)}](#${name})`).join(" "),
      ]),
    ),
    ...groups.flatMap(({ title, commands }) => [`## ${title}`, ...commands.map(toCommand)]),
    "## Options of every command",
    toOptionTable(sharedOptions),
    "## Exit codes",
    table(["Code", "Meaning"], exitCodes),
  ].join("\n\n");
