// `pawl completion`: scripts for three shells, made from the list of commands, so that they never lag behind it. Run ids
// are asked of `pawl ls --ids` when the shell needs them; a script that finds no store completes nothing, silently.
import { PawlError } from "../../../errors/error.ts";
import { writeOut } from "../../../platform/terminal.ts";
import type { CommandSpec } from "../../command.ts";
import { commands } from "../../command-list.ts";
import { exitCodes } from "../../output/report-error.ts";

/** It takes none. */
export type CompletionOptions = Readonly<Record<never, never>>;

export async function completionCommand(args: readonly string[]): Promise<number> {
  const shells: Readonly<Record<string, () => string>> = { bash, zsh, fish };
  const script = Object.hasOwn(shells, args[0] ?? "") ? shells[args[0] ?? ""] : undefined;
  if (script === undefined) throw new PawlError("PAWL4011", `completion is for bash, zsh or fish, not ${JSON.stringify(args[0])}`);
  writeOut(script());
  return exitCodes.ok;
}

function flagsOf(c: CommandSpec): string[] {
  return c.options.flatMap((o) => o.flags.split(/, | </).filter((f) => f.startsWith("-")));
}
function takesRun(c: CommandSpec): boolean {
  return c.args.startsWith("<run");
}
const names = commands.map((c) => c.name);
const withRuns = commands.filter(takesRun).map((c) => c.name);

function bash(): string {
  const cases = commands.map((c) => `    ${c.name}) words="${flagsOf(c).join(" ")}" ;;`).join("\n");
  return `# bash completion for pawl: source <(pawl completion bash)
_pawl() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names.join(" ")} help" -- "$cur"))
    return
  fi
  case "$command" in
${cases}
  esac
  case "$command" in
    ${withRuns.join("|")}) [ "\${cur#-}" = "$cur" ] && words="$words $(pawl ls --ids 2>/dev/null)" ;;
    run|init) [ "\${cur#-}" = "$cur" ] && COMPREPLY=($(compgen -f -- "$cur")) && return ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _pawl pawl
`;
}

function quoted(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(":", "\\:");
}

function zsh(): string {
  const list = commands.map((c) => `    '${c.name}:${quoted(c.summary)}'`).join("\n");
  const cases = commands.map((c) => `    ${c.name}) flags=(${flagsOf(c).join(" ")}) ;;`).join("\n");
  return `#compdef pawl
# zsh completion for pawl: source <(pawl completion zsh)
_pawl() {
  local -a list flags runs
  list=(
${list}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' list
    return
  fi
  case "$words[2]" in
${cases}
  esac
  case "$words[2]" in
    ${withRuns.join("|")}) runs=(\${(f)"$(pawl ls --ids 2>/dev/null)"}) ;;
    run|init) _files ;;
  esac
  compadd -- $flags $runs
}
compdef _pawl pawl
`;
}

function fish(): string {
  const lines = commands.flatMap((c) => {
    const summary = c.summary.replaceAll("'", "\\'");
    const here = `complete -c pawl -n '__fish_seen_subcommand_from ${c.name}'`;
    return [
      `complete -c pawl -f -n __fish_use_subcommand -a ${c.name} -d '${summary}'`,
      ...flagsOf(c).map((f) => (f.startsWith("--") ? `${here} -l ${f.slice(2)}` : `${here} -s ${f.slice(1)}`)),
      ...(takesRun(c) ? [`${here} -f -a '(pawl ls --ids 2>/dev/null)'`] : []),
    ];
  });
  return `# fish completion for pawl: pawl completion fish | source\n${lines.join("\n")}\n`;
}
