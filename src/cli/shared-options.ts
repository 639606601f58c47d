// Options that several commands take: one word means the same everywhere. Each has a type, for the code that reads it, and a table, for
// the help. Data only; an option that only one command takes is declared with that command.
import type { OptionTable } from "./command.ts";

export interface StoreOptions {
  readonly store?: string;
  readonly tenant?: string;
  readonly url?: string;
  readonly token?: string;
}
export interface JsonOption {
  readonly json?: boolean;
}
export interface JsonlOption {
  readonly jsonl?: boolean;
}
export interface ParamOption {
  readonly param?: readonly string[];
}
export interface ReasonOption {
  readonly reason?: string;
}
export interface DryRunOption {
  readonly dryRun?: boolean;
}
export interface YesOption {
  readonly yes?: boolean;
}
export interface TimeoutOption {
  readonly timeout?: string;
}
export interface TagOption {
  readonly tag?: readonly string[];
}
export interface LimitOption {
  readonly limit?: string;
}
export interface CursorOption {
  readonly cursor?: string;
}
export interface WhoOptions {
  readonly by?: string;
  readonly reason?: string;
}
/** Of a command that changes runs. */
export interface ControlOptions extends ReasonOption, YesOption, DryRunOption, TimeoutOption, JsonOption, StoreOptions {}

export const storeOptions: OptionTable<StoreOptions> = {
  store: {
    flags: "--store <url>",
    summary: "the store: sqlite:<path>, postgres://… or mysql://… (default: PAWL_STORE, else the nearest .pawl folder, here or above)",
  },
  tenant: {
    flags: "--tenant <tenant[/project[/environment]]>",
    summary: "whose runs (default: PAWL_TENANT, else default/default/default)",
  },
  url: { flags: "--url <url>", summary: "a server in place of the store, such as https://pawl.example.com (default: PAWL_URL)" },
  token: { flags: "--token <token>", summary: "the token for that server (default: what the file PAWL_TOKEN_FILE holds)" },
};
export const jsonOption: OptionTable<JsonOption> = { json: { flags: "--json", summary: "print JSON" } };
export const jsonlOption: OptionTable<JsonlOption> = { jsonl: { flags: "--jsonl", summary: "print one JSON document per line" } };
export const paramOption: OptionTable<ParamOption> = {
  param: { flags: "-P, --param <k=v>", summary: "one member of the value, as JSON or text; a.b=1 sets a nested one", many: true },
};
export const reasonOption: OptionTable<ReasonOption> = { reason: { flags: "--reason <text>", summary: "why; recorded in the run's log" } };
export const dryRunOption: OptionTable<DryRunOption> = {
  dryRun: { flags: "--dry-run", summary: "say what would be done, and do nothing" },
};
export const yesOption: OptionTable<YesOption> = { yes: { flags: "-y, --yes", summary: "do not ask for confirmation" } };
export const timeoutOption: OptionTable<TimeoutOption> = {
  timeout: { flags: "--timeout <duration>", summary: "how long to wait, such as 30s or 5m; then exit code 7" },
};
export const tagOption: OptionTable<TagOption> = { tag: { flags: "--tag <k=v>", summary: "a tag", many: true } };
export const limitOption: OptionTable<LimitOption> = { limit: { flags: "--limit <n>", summary: "at most this many" } };
export const cursorOption: OptionTable<CursorOption> = { cursor: { flags: "--cursor <cursor>", summary: "continue where a list ended" } };
export const controlOptions: OptionTable<ControlOptions> = {
  ...reasonOption,
  ...yesOption,
  ...dryRunOption,
  ...timeoutOption,
  ...jsonOption,
  ...storeOptions,
};
