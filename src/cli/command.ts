// What a command is: its words, its options, and where its code lies. Code is loaded only when its command is called,
// so that `pawl version` opens no store and imports no engine. Types and data only.

/** Everything that any command takes, as commander hands it over. */
export interface Options {
  readonly store?: string;
  readonly tenant?: string;
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly ids?: boolean;
  readonly param?: readonly string[];
  readonly input?: string;
  readonly payload?: string;
  readonly id?: string;
  readonly key?: string;
  readonly signer?: string;
  readonly witness?: string;
  readonly every?: string;
  readonly onConflict?: string;
  readonly delay?: string;
  readonly deadline?: string;
  readonly wait?: boolean;
  readonly timeout?: string;
  readonly status?: readonly string[];
  readonly workflow?: string;
  readonly tag?: readonly string[];
  readonly limit?: string;
  readonly cursor?: string;
  readonly watch?: boolean;
  readonly follow?: boolean;
  readonly after?: string;
  readonly signalId?: string;
  readonly updateId?: string;
  readonly reason?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly fromStep?: string;
  readonly rerun?: string;
  readonly restored?: boolean;
  readonly validate?: boolean;
  readonly forget?: boolean;
  readonly sql?: boolean;
  readonly step?: readonly string[];
  readonly window?: readonly string[];
  readonly signal?: readonly string[];
  readonly expectEnd?: string;
  readonly setup?: string;
  readonly live?: boolean;
  readonly full?: boolean;
  readonly output?: string;
  readonly withoutPayloads?: boolean;
  readonly redact?: readonly string[];
  readonly sign?: string;
  readonly class?: string;
  readonly receiver?: string;
  readonly name?: string;
  readonly run?: string;
  readonly by?: string;
  readonly happened?: boolean;
  readonly didNotHappen?: boolean;
  readonly fail?: boolean;
  readonly retry?: boolean;
  readonly accept?: boolean;
  readonly approve?: boolean;
  readonly refuse?: boolean;
  readonly result?: string;
  readonly event?: readonly string[];
  readonly fromStart?: boolean;
  readonly scheme?: string;
  readonly secret?: string;
  readonly attempts?: string;
  readonly overlap?: string;
  readonly dead?: boolean;
  readonly allowInsecure?: boolean;
  readonly allowPrivate?: boolean;
  readonly once?: boolean;
  readonly concurrency?: string;
  readonly keep?: string;
  readonly policy?: string;
  readonly rebuild?: boolean;
  readonly fromSnapshot?: boolean;
  readonly v1Until?: string;
  readonly until?: string;
  readonly repair?: boolean;
  readonly verify?: boolean;
  readonly resume?: boolean;
  readonly since?: string;
  readonly keepPayloads?: string;
  readonly keepRuns?: string;
  readonly keepKeys?: string;
  readonly all?: boolean;
  readonly move?: boolean;
  readonly undo?: string;
  readonly continue?: string;
}

export interface OptionSpec {
  /** As commander reads it: "-P, --param <k=v>". */
  readonly flags: string;
  readonly summary: string;
  /** May be given more than once. */
  readonly many?: boolean;
}

/** Does the work and answers with the exit code. */
export type CommandHandler = (args: readonly string[], o: Options) => Promise<number>;

export interface CommandSpec {
  readonly name: string;
  /** Operands, as commander reads them: "<run> <name>". */
  readonly args: string;
  readonly group: "Build" | "Look" | "Act" | "Trust" | "Operate" | "Help";
  readonly summary: string;
  readonly options: readonly OptionSpec[];
  readonly example: string;
  load(): Promise<CommandHandler>;
}
