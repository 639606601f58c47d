// From arguments to a command and back to an exit code. commander reads the words; this file makes it from the list of
// commands, sends what it prints through the terminal, and turns its refusals into usage errors with a code. No command's
// logic is here.
import { Command, CommanderError, Option } from "commander";
import { isPawlError, PawlError } from "../errors/error.ts";
import { columns, colourAllowed, writeErr, writeOut } from "../platform/terminal.ts";
import type { CommandSpec } from "./command.ts";
import { commands } from "./command-list.ts";
import { exitCodes, reportError } from "./output/report-error.ts";
import { ownVersion } from "./package-files.ts";
import { storeOptions } from "./shared-options.ts";

export async function runProgram(args: readonly string[]): Promise<number> {
  let code: number = exitCodes.ok;
  const program = build((c) => (code = c));
  try {
    if (args.length === 0) {
      program.outputHelp();
      return exitCodes.ok;
    }
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (e) {
    if (e instanceof CommanderError && e.exitCode === 0) return exitCodes.ok; // help or version was asked for
    const json = args.includes("--json") || args.includes("--jsonl");
    const exit = reportError(e instanceof CommanderError ? usageErrorOf(e, args) : e, json);
    if (!json && isPawlError(e, "PAWL1008")) writeErr(textNote(args));
    return exit;
  }
}

/** -P reads what looks like JSON as JSON: it says how to write text. */
function textNote(args: readonly string[]): string {
  const values = args.flatMap((a, i) => (/^(?:-P|--param)$/.test(args[i - 1] ?? "") ? [a.split("=", 2)] : []));
  const [name, value] = values.find(([, v = ""]) => /^(?:-?\d[\d.eE+-]*|true|false|null)$/.test(v)) ?? [];
  return name === undefined ? "" : `  note  -P reads ${value} as JSON; for text write -P '${name}="${value}"'\n`;
}

function build(answered: (code: number) => void): Command {
  const program = new Command("pawl");
  program
    .description("Durable execution for TypeScript. Run it, kill it, run it again: it continues.")
    .version(ownVersion(), "-V, --version", "print the version")
    .enablePositionalOptions() // after a command's name, --version is that command's own
    .option(storeOptions.store.flags, storeOptions.store.summary)
    .option(storeOptions.tenant.flags, storeOptions.tenant.summary)
    .option(storeOptions.url.flags, storeOptions.url.summary)
    .option(storeOptions.token.flags, storeOptions.token.summary)
    .helpCommand("help [command]", "show the options of a command")
    .addHelpText(
      "after",
      "\nIds are workflow ids (their latest run) or run ids; - reads ids from standard input.\n" +
        "Data goes to standard output, everything else to standard error. Exit codes: 0 ok, 1 unexpected, 2 usage, 4 not found,\n" +
        "5 conflict, 6 run failed, 7 timed out, 8 needs a decision, 9 check failed, 10 store unreachable, 11 schema, 130 interrupted.\n",
    );
  redirectOutput(program);
  for (const spec of commands) program.addCommand(commandOf(spec, answered));
  return program;
}

function commandOf(spec: CommandSpec, answered: (code: number) => void): Command {
  const command = new Command(spec.name);
  command.description(spec.summary).helpGroup(`${spec.group}:`);
  for (const word of spec.args === "" ? [] : spec.args.split(" ")) command.argument(word);
  for (const o of spec.options) {
    const option = new Option(o.flags, o.summary);
    if (o.many === true) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
    command.addOption(option);
  }
  command.addHelpText("after", `\nExample:\n  ${spec.example}\n`);
  command.action(async () => {
    const handle = await spec.load();
    // The one place where options lose their type: commander takes no flag that the command did not declare.
    answered(await handle(command.args, command.optsWithGlobals<never>()));
  });
  redirectOutput(command);
  return command;
}

/** commander's own exits and writes: the first become errors, the second go through the terminal. */
function redirectOutput(command: Command): void {
  command.exitOverride();
  command.configureOutput({
    writeOut,
    writeErr,
    getOutHelpWidth: columns,
    getErrHelpWidth: columns,
    getOutHasColors: () => colourAllowed("out"),
    getErrHasColors: () => colourAllowed("err"),
    outputError: () => {}, // reported once, with its code
  });
}

function usageErrorOf(e: CommanderError, args: readonly string[]): PawlError {
  const named = commands.find((c) => c.name === args.find((a) => !a.startsWith("-")));
  const detail = e.message.replace(/^error: /, "").replaceAll(/\s*\n\s*/g, " ");
  return new PawlError("PAWL4011", detail, { data: { help: `pawl help${named === undefined ? "" : ` ${named.name}`}` } });
}
