// What a command is: its words, its options, and where its code is. Code is loaded only when its command is called, so that
// `pawl version` opens no store and imports no engine. A command declares the options that it reads as a type, and a table must describe
// each of them under its own flag: a command can read nothing that it did not declare. Types and data only.

/** How a member is written as a flag: "dryRun" is "dry-run". */
type FlagName<S extends string> = S extends `${infer C}${infer R}`
  ? `${C extends Lowercase<C> ? C : `-${Lowercase<C>}`}${FlagName<R>}`
  : "";
type ShortFlag = "" | `-${string}, `;
/** As commander reads it: "--watch" for a boolean, "--limit <n>" for a text or a list of texts. */
type Flags<K extends string, V> = [V] extends [boolean] ? `${ShortFlag}--${FlagName<K>}` : `${ShortFlag}--${FlagName<K>} <${string}>`;

interface TypedOption<K extends string, V> {
  readonly flags: Flags<K, V>;
  readonly summary: string;
  /** It may be given more than once. */
  readonly many?: V extends readonly string[] ? true : never;
  /** What `--no-…` means, for a boolean that can be turned off. */
  readonly negated?: V extends boolean ? string : never;
}

/** A description of every option in O, and of no other. */
export type OptionTable<O> = { readonly [K in keyof O & string]-?: TypedOption<K, NonNullable<O[K]>> };

export interface OptionSpec {
  readonly flags: string;
  readonly summary: string;
  readonly many?: boolean;
}

/** Does the work and returns the exit code. */
export type CommandHandler<O> = (args: readonly string[], o: O) => Promise<number>;

export type CommandGroup = "Build" | "Inspect" | "Control" | "Verify" | "Operate" | "Help";

interface CommandWords {
  readonly name: string;
  /** Operands, as commander reads them: "<run> <name>". */
  readonly args: string;
  readonly group: CommandGroup;
  readonly summary: string;
  readonly example: string;
}

export interface CommandSpec extends CommandWords {
  readonly options: readonly OptionSpec[];
  load(): Promise<CommandHandler<never>>;
}

/** One command, its options checked against what its code reads. */
export function defineCommand<O>(
  c: CommandWords & { readonly options: OptionTable<O>; readonly load: () => Promise<CommandHandler<O>> },
): CommandSpec {
  return { ...c, options: Object.values<TypedOption<string, unknown>>(c.options).flatMap(withNegation) };
}

function withNegation({ negated, ...o }: { readonly flags: string; readonly summary: string; readonly negated?: string }): OptionSpec[] {
  return negated === undefined ? [o] : [o, { flags: o.flags.replace("--", "--no-"), summary: negated }];
}
