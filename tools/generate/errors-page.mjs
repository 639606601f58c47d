// The page of all error codes, made from the catalogue: one table per group of codes, each with its name and what to do. The words
// between the tables are here. It must never say of a code what the catalogue does not.
import { codesIn } from "./catalogue.mjs";

/** By the first digit of the code. */
const groups = new Map([
  ["1", ["Workflow code", "How a workflow is written: names, values, steps, replay."]],
  ["2", ["Effects and decisions", "What happened outside, and what a person must decide."]],
  ["3", ["The store", "The database: opening it, writing to it, transactions."]],
  ["4", ["Requests", "Calls of the client and of the command line: starts, signals, decisions, appends, exports, keys, webhooks."]],
  ["5", ["Configuration", "Options, files, drivers, tests."]],
]);

/** @param {string} catalogue the source text of src/errors/catalogue.ts */
export function errorsPage(catalogue) {
  const codes = [...codesIn(catalogue)];
  const sections = [...groups].map(([digit, [title, about]]) => {
    const rows = codes
      .filter(([code]) => code[4] === digit)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, { name, fix }]) => `| [${code}](errors/${code}.md) | ${name} | ${fix.replaceAll("|", "\\|")} |`);
    return `## ${title}\n\n${about}\n\n| code | name | what to do |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
  });
  return `# Errors

Everything that Pawl throws or records as a failure is a \`PawlError\`, and workflow code catches a \`StepError\`, which is one. Each has a stable
\`code\`, a message, an \`outcome\` (\`none\`: nothing was written, \`applied\`, or \`unknown\`), a \`fix\`, and \`data\` for programs. A code has one
meaning. Its page says what happened, why, what is known and what to do; \`pawl explain CODE\` prints it. Some errors have a name of the
run-event contract as their \`code\`, and their number as \`page\`: \`SignalAcceptanceIndeterminate\` (PAWL4004),
\`CheckpointOwnershipCapabilityError\` (PAWL3006), \`SCHEMA_VALIDATION_FAILED\` (PAWL4020), \`INVALID_TRANSITION\` (PAWL4021),
\`RUN_ALREADY_EXISTS\` (PAWL4022), \`AUTHZ_REASON_REQUIRED\` (PAWL4090) and \`AUTHZ_TENANT_FORBIDDEN\` (PAWL4092). Three more are about effects:
\`ActivityReconciliationIndeterminateError\` (nobody can say whether it happened: PAWL2001, PAWL2002, PAWL2003),
\`ActivityReconciliationConflictError\` (what is known contradicts itself: PAWL2014, PAWL1071) and \`ActivityReconciliationCapabilityError\` (the store
cannot record it first: PAWL2013). Where the contract's name is that of a class, it is also the error's \`name\`. A failure that a run recorded has
the same \`code\`, and the page in \`data.page\`.

This page is made from the catalogue by \`npm run generate\`.

${sections.join("\n")}`;
}
