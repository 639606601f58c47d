// Options that several commands take: one word means one thing everywhere. Data only; an option that a single command takes stands
// with that command.
import type { OptionSpec } from "./command.ts";

export const store: OptionSpec = {
  flags: "--store <url>",
  summary: "the store: sqlite:<path>, postgres://…, mysql://… (default: PAWL_STORE, else the nearest .pawl upward)",
};
export const tenant: OptionSpec = {
  flags: "--tenant <tenant[/project[/environment]]>",
  summary: "whose runs (default: PAWL_TENANT, else default/default/default)",
};
export const json: OptionSpec = { flags: "--json", summary: "print JSON" };
export const jsonl: OptionSpec = { flags: "--jsonl", summary: "print one JSON document per line" };
export const ids: OptionSpec = { flags: "--ids", summary: "print run ids only, one per line" };
export const reason: OptionSpec = { flags: "--reason <text>", summary: "why; recorded in the run's log" };
export const yes: OptionSpec = { flags: "-y, --yes", summary: "do not ask" };
export const dryRun: OptionSpec = { flags: "--dry-run", summary: "say what would be done, and do nothing" };
export const param: OptionSpec = { flags: "-P, --param <k=v>", summary: "a member of the value; JSON or text, dots nest", many: true };
export const timeout: OptionSpec = { flags: "--timeout <duration>", summary: "how long to wait, as 30s or 5m; then exit code 7" };
export const tag: OptionSpec = { flags: "--tag <k=v>", summary: "a tag", many: true };
export const limit: OptionSpec = { flags: "--limit <n>", summary: "at most this many" };
export const controlOptions: readonly OptionSpec[] = [reason, yes, dryRun, timeout, json, store];
