// The reference of the command line as a page: every command with its operands, its options and an example, made from the list of
// commands that the program itself is made of. What a command is for, with more examples, is written by hand in docs/cli.md.

/** @typedef {{ flags: string, summary: string, many?: boolean }} Option */
/** @typedef {{ name: string, args: string, group: string, summary: string, example: string, options: readonly Option[] }} Command */

const about = new Map([
  ["Build", "Write and test a workflow."],
  ["Inspect", "Look at runs. These commands change nothing."],
  ["Control", "Start runs, send them something, stop them, answer for them."],
  ["Verify", "Check a store, prove what happened, write evidence."],
  ["Operate", "Keep a store in order, and send events to others."],
  ["Help", "About the command line itself."],
]);

/** @param {string} text */
const cell = (text) => text.replaceAll("|", "\\|");

/** @param {Command} c */
function sectionOf(c) {
  const usage = `pawl ${c.name}${c.args === "" ? "" : ` ${c.args}`}${c.options.length === 0 ? "" : " [options]"}`;
  const rows = c.options.map(
    (o) => `| \`${cell(o.flags)}\` | ${cell(o.summary)}${o.many === true ? "; may be given more than once" : ""} |`,
  );
  const table = rows.length === 0 ? "" : `\n| option | meaning |\n| --- | --- |\n${rows.join("\n")}\n`;
  const summary = `${c.summary.slice(0, 1).toUpperCase()}${c.summary.slice(1)}.`;
  return `### pawl ${c.name}\n\n${summary}\n\n\`\`\`\n${usage}\n\`\`\`\n${table}\n\`\`\`sh\n${c.example}\n\`\`\`\n`;
}

/** @param {readonly Command[]} commands */
export function cliPage(commands) {
  const groups = [...about].map(
    ([group, text]) =>
      `## ${group}\n\n${text}\n\n${commands
        .filter((c) => c.group === group)
        .map(sectionOf)
        .join("\n")}`,
  );
  return `# Commands and options

Every command of \`pawl\` with all of its options. This page is made from the commands by \`npm run generate\`. What the commands are for,
the conventions and the exit codes: [the command line](../cli.md).

${groups.join("\n")}`;
}
