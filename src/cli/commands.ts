// The list of all commands: the one place that names them. The program, its help, the completion scripts and the test of
// docs/cli.md are made from it. It must never import a command's code, only say where it is.
import type { CommandSpec, OptionSpec, Perform } from "./command.ts";

const store: OptionSpec = {
  flags: "--store <url>",
  summary: "the store: sqlite:<path> (default: PAWL_STORE, else the nearest .pawl upward)",
};
const json: OptionSpec = { flags: "--json", summary: "print JSON" };
const jsonl: OptionSpec = { flags: "--jsonl", summary: "print one JSON document per line" };
const ids: OptionSpec = { flags: "--ids", summary: "print run ids only, one per line" };
const reason: OptionSpec = { flags: "--reason <text>", summary: "why; recorded in the run's log" };
const yes: OptionSpec = { flags: "-y, --yes", summary: "do not ask" };
const dryRun: OptionSpec = { flags: "--dry-run", summary: "say what would be done, and do nothing" };
const param: OptionSpec = { flags: "-P, --param <k=v>", summary: "a member of the value; JSON or text, dots nest", many: true };
const timeout: OptionSpec = { flags: "--timeout <duration>", summary: "how long to wait, as 30s or 5m; then exit code 7" };
const tag: OptionSpec = { flags: "--tag <k=v>", summary: "a tag", many: true };
const limit: OptionSpec = { flags: "--limit <n>", summary: "at most this many" };

const control = async (verb: "cancel" | "pause" | "resume" | "terminate"): Promise<Perform> =>
  (await import("./commands/control.ts")).control(verb);
const changing: readonly OptionSpec[] = [reason, yes, dryRun, timeout, json, store];

export const commands: readonly CommandSpec[] = [
  {
    name: "init",
    args: "[file]",
    group: "Build",
    summary: "write an example workflow and a .pawl folder here",
    options: [json],
    example: "pawl init hello.ts",
    load: async () => (await import("./commands/init.ts")).init,
  },
  {
    name: "run",
    args: "<file[#name]|workflow>",
    group: "Act",
    summary: "run a workflow of a file in this process, or start one by name for an engine that serves it",
    options: [
      param,
      { flags: "--input <json|@file|->", summary: "the input: JSON, a file, or standard input" },
      { flags: "--id <id>", summary: "the run's id; the same id attaches or resumes" },
      { flags: "--key <key>", summary: "idempotency key of the start" },
      { flags: "--on-conflict <attach|reject|restart>", summary: "what to do when the id has a run" },
      { flags: "--delay <duration>", summary: "start later" },
      { flags: "--deadline <duration>", summary: "fail the run when it takes longer" },
      tag,
      { flags: "--wait", summary: "wait for the end (the default for files)" },
      { flags: "--no-wait", summary: "only record the start" },
      timeout,
      json,
      store,
    ],
    example: "pawl run ./order.ts -P orderId=o-1 -P cents=500 --id o-1",
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    name: "ls",
    args: "[query...]",
    group: "Look",
    summary: "list runs, newest first; a query is a status, or part of an id or of a workflow's name",
    options: [
      { flags: "--status <status>", summary: "only this status", many: true },
      { flags: "--workflow <name>", summary: "only this workflow" },
      tag,
      limit,
      { flags: "--cursor <cursor>", summary: "go on where a list ended" },
      json,
      jsonl,
      ids,
      store,
    ],
    example: "pawl ls running --workflow order",
    load: async () => (await import("./commands/ls.ts")).ls,
  },
  {
    name: "inspect",
    args: "<run>",
    group: "Look",
    summary: "show a run as a tree: steps, tries, guarantees, what it waits for",
    options: [{ flags: "-w, --watch", summary: "draw again until the run has ended" }, json, store],
    example: "pawl inspect o-1 --watch",
    load: async () => (await import("./commands/inspect.ts")).inspect,
  },
  {
    name: "events",
    args: "<run>",
    group: "Look",
    summary: "print a run's log",
    options: [
      { flags: "-f, --follow", summary: "go on until the run has ended" },
      { flags: "--after <runSeq>", summary: "only events after this one" },
      limit,
      json,
      jsonl,
      store,
    ],
    example: "pawl events o-1 -f",
    load: async () => (await import("./commands/events.ts")).events,
  },
  {
    name: "tail",
    args: "",
    group: "Look",
    summary: "print the events of all runs as they happen, until interrupted",
    options: [limit, { flags: "--workflow <name>", summary: "only this workflow" }, jsonl, store],
    example: "pawl tail --limit 20",
    load: async () => (await import("./commands/tail.ts")).tail,
  },
  {
    name: "signal",
    args: "<run> <name>",
    group: "Act",
    summary: "send a signal; it is kept until the run takes it",
    options: [
      param,
      { flags: "--payload <json|@file|->", summary: "the payload: JSON, a file, or standard input" },
      { flags: "--signal-id <id>", summary: "makes sending it again harmless" },
      dryRun,
      json,
      store,
    ],
    example: "pawl signal o-1 approved -P by=ann --signal-id mail-77",
    load: async () => (await import("./commands/signal.ts")).signal,
  },
  {
    name: "update",
    args: "<run> <name>",
    group: "Act",
    summary: "send an update and print its answer",
    options: [
      param,
      { flags: "--payload <json|@file|->", summary: "the payload: JSON, a file, or standard input" },
      { flags: "--update-id <id>", summary: "makes sending it again harmless" },
      timeout,
      dryRun,
      json,
      store,
    ],
    example: "pawl update o-1 setAddress -P city=Ulm",
    load: async () => (await import("./commands/signal.ts")).update,
  },
  {
    name: "cancel",
    args: "<run...>",
    group: "Act",
    summary: "ask runs to end: steps in flight are recorded, compensations run",
    options: changing,
    example: "pawl ls running --ids | pawl cancel - --reason 'shop closed'",
    load: () => control("cancel"),
  },
  {
    name: "pause",
    args: "<run...>",
    group: "Act",
    summary: "hold runs: nothing new begins until they are resumed",
    options: changing,
    example: "pawl pause o-1 --reason 'bank is down'",
    load: () => control("pause"),
  },
  {
    name: "resume",
    args: "<run...>",
    group: "Act",
    summary: "let paused runs go on, and runs that engines gave up",
    options: changing,
    example: "pawl resume o-1",
    load: () => control("resume"),
  },
  {
    name: "terminate",
    args: "<run...>",
    group: "Act",
    summary: "end runs at once: no compensations, open effects stay unknown",
    options: changing,
    example: "pawl terminate o-1 --reason 'test data' --yes",
    load: () => control("terminate"),
  },
  {
    name: "retry",
    args: "<run...>",
    group: "Act",
    summary: "a new run that keeps what an ended one finished",
    options: [
      { flags: "--from-step <stepId>", summary: "run this step and all later ones again" },
      { flags: "--wait", summary: "wait for the end" },
      ...changing,
    ],
    example: "pawl retry o-1 --from-step charge",
    load: async () => (await import("./commands/retry.ts")).retry,
  },
  {
    name: "doctor",
    args: "",
    group: "Trust",
    summary: "check the store, its engines, and what is stuck",
    options: [
      { flags: "--restored", summary: "the store was restored from a backup: raise its incarnation, pause what may not repeat" },
      reason,
      yes,
      dryRun,
      json,
      store,
    ],
    example: "pawl doctor",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  {
    name: "migrate",
    args: "",
    group: "Operate",
    summary: "bring the store's schema to this version",
    options: [dryRun, { flags: "--sql", summary: "print the statements instead" }, json, store],
    example: "pawl migrate --dry-run",
    load: async () => (await import("./commands/migrate.ts")).migrate,
  },
  {
    name: "explain",
    args: "[code]",
    group: "Help",
    summary: "explain an error code, by code or name; without one, list them",
    options: [json],
    example: "pawl explain PAWL4009",
    load: async () => (await import("./commands/explain.ts")).explain,
  },
  {
    name: "completion",
    args: "<bash|zsh|fish>",
    group: "Help",
    summary: "print a completion script for a shell",
    options: [],
    example: "source <(pawl completion bash)",
    load: async () => (await import("./commands/completion.ts")).completion,
  },
  {
    name: "version",
    args: "",
    group: "Help",
    summary: "print the version",
    options: [json],
    example: "pawl version",
    load: async () => (await import("./commands/version.ts")).version,
  },
];
