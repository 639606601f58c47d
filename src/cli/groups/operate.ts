// Commands that keep a store in order: formats, retention, moving runs, events out. Data only: it must never import a command's code,
// only say where it is.
import type { DeliverOptions } from "../commands/operate/deliver.ts";
import type { EnginesOptions } from "../commands/operate/engines.ts";
import type { ExportCommandOptions } from "../commands/operate/export.ts";
import type { GcOptions } from "../commands/operate/gc.ts";
import type { HoldOptions, ReleaseOptions } from "../commands/operate/hold.ts";
import type { ImportCommandOptions } from "../commands/operate/import.ts";
import type { MigrateOptions } from "../commands/operate/migrate.ts";
import type { ProjectCommandOptions } from "../commands/operate/project.ts";
import type { WebhooksOptions } from "../commands/operate/webhooks.ts";
import type { WorkflowsOptions } from "../commands/operate/workflows.ts";
import { defineCommand, type CommandSpec, type OptionTable } from "../command.ts";
import { dryRunOption, jsonOption, limitOption, reasonOption, storeOptions, yesOption, type WhoOptions } from "../shared-options.ts";

const whoOptions: OptionTable<WhoOptions> = {
  by: { flags: "--by <who>", summary: "who does it; recorded" },
  reason: { flags: "--reason <text>", summary: "why; recorded" },
};

export const operateCommands: readonly CommandSpec[] = [
  defineCommand<MigrateOptions>({
    name: "migrate",
    args: "",
    group: "Operate",
    summary: "update the store's schema to this version",
    options: { ...dryRunOption, sql: { flags: "--sql", summary: "print the statements instead" }, ...jsonOption, ...storeOptions },
    example: "pawl migrate --dry-run",
    load: async () => (await import("../commands/operate/migrate.ts")).migrateCommand,
  }),
  defineCommand<GcOptions>({
    name: "gc",
    args: "",
    group: "Operate",
    summary: "remove what ended runs no longer need: payloads, then logs, then keys",
    options: {
      keepPayloads: { flags: "--keep-payloads <duration>", summary: "how long payloads are kept after a run's end, such as 30d" },
      keepRuns: { flags: "--keep-runs <duration>", summary: "how long logs are kept" },
      keepKeys: { flags: "--keep-keys <duration>", summary: "how long a late duplicate of a start or a message is recognised" },
      ...dryRunOption,
      ...yesOption,
      ...jsonOption,
      ...storeOptions,
    },
    example: "pawl gc --keep-payloads 30d --keep-runs 90d --keep-keys 400d --dry-run",
    load: async () => (await import("../commands/operate/gc.ts")).gcCommand,
  }),
  defineCommand<WorkflowsOptions>({
    name: "workflows",
    args: "[list|pause|resume] [workflow]",
    group: "Operate",
    summary: "list the workflows that engines have published; pause or resume one",
    options: { ...reasonOption, ...jsonOption, ...storeOptions },
    example: "pawl workflows pause order --reason 'bank is down'",
    load: async () => (await import("../commands/operate/workflows.ts")).workflowsCommand,
  }),
  defineCommand<EnginesOptions>({
    name: "engines",
    args: "[list|drain] [engine]",
    group: "Operate",
    summary: "list the engines of this tenant; drain one before its process is stopped",
    options: { ...reasonOption, ...jsonOption, ...storeOptions },
    example: "pawl engines",
    load: async () => (await import("../commands/operate/engines.ts")).enginesCommand,
  }),
  defineCommand<HoldOptions>({
    name: "hold",
    args: "[run...]",
    group: "Operate",
    summary: "keep runs from being removed by gc; without a run, list the holds",
    options: { ...whoOptions, ...limitOption, ...jsonOption, ...storeOptions },
    example: "pawl hold o-1 --by ann --reason 'case 17'",
    load: async () => (await import("../commands/operate/hold.ts")).holdCommand,
  }),
  defineCommand<ReleaseOptions>({
    name: "release",
    args: "<run...>",
    group: "Operate",
    summary: "end the hold of runs",
    options: { ...whoOptions, ...jsonOption, ...storeOptions },
    example: "pawl release o-1 --by ann --reason 'case 17 is closed'",
    load: async () => (await import("../commands/operate/hold.ts")).releaseCommand,
  }),
  defineCommand<ExportCommandOptions>({
    name: "export",
    args: "[run...]",
    group: "Operate",
    summary: "write runs to a file for another store: copies of ended ones, or, with --move, live ones with their families",
    options: {
      output: { flags: "-o, --output <file>", summary: "the file to write; compressed if it ends in .gz (default: pawl-export.jsonl.gz)" },
      all: { flags: "--all", summary: "all runs" },
      move: { flags: "--move", summary: "take them out of this store: they continue where the file is imported" },
      continue: { flags: "--continue <id>", summary: "finish a move that was interrupted" },
      undo: { flags: "--undo <id>", summary: "take a move back, if its file was never imported" },
      yes: { flags: "-y, --yes", summary: "do not ask for confirmation; overwrite an existing file" },
      ...jsonOption,
      ...storeOptions,
    },
    example: "pawl export --all --move -o runs.jsonl.gz",
    load: async () => (await import("../commands/operate/export.ts")).exportCommand,
  }),
  defineCommand<ImportCommandOptions>({
    name: "import",
    args: "<file>",
    group: "Operate",
    summary: "add the runs of an export to this store; importing the same file again adds nothing",
    options: { ...jsonOption, ...storeOptions },
    example: "pawl import runs.jsonl.gz --store postgres://db/shop",
    load: async () => (await import("../commands/operate/import.ts")).importCommand,
  }),
  defineCommand<WebhooksOptions>({
    name: "webhooks",
    args: "<action> [endpoint|url]",
    group: "Operate",
    summary: "endpoints that events are sent to: list, add, remove, pause, resume, rotate, test, replay, dead, deliveries",
    options: {
      id: { flags: "--id <id>", summary: "add: the endpoint's id (default: generated)" },
      event: { flags: "--event <glob|id>", summary: "add: only event types like this; replay: this event", many: true },
      fromStart: { flags: "--from-start", summary: "add: also send existing events" },
      scheme: { flags: "--scheme <hmac|ed25519>", summary: "add, rotate: how to sign (default: hmac)" },
      secret: { flags: "--secret <file|->", summary: "add, rotate: your own secret, from a file or standard input" },
      attempts: { flags: "--attempts <n>", summary: "add: attempts before an event is given up (default: 16)" },
      timeout: { flags: "--timeout <duration>", summary: "add: how long one attempt may take (default: 20s)" },
      overlap: { flags: "--overlap <duration>", summary: "rotate: how long the old secret also signs (default: 1d)" },
      dead: { flags: "--dead", summary: "replay, deliveries: events that were given up" },
      run: { flags: "--run <run>", summary: "replay: the events of this run" },
      since: { flags: "--since <time>", summary: "replay: everything since then, such as 2026-01-31T12:00:00Z" },
      status: { flags: "--status <state>", summary: "deliveries: delivered, waiting or dead", many: true },
      allowInsecure: { flags: "--allow-insecure", summary: "add, test: allow http:" },
      allowPrivate: { flags: "--allow-private", summary: "test: allow loopback and private addresses" },
      reason: { flags: "--reason <text>", summary: "pause: why" },
      ...limitOption,
      ...jsonOption,
      ...storeOptions,
    },
    example: "pawl webhooks add https://example.com/hooks --event 'pawl.run.*'",
    load: async () => (await import("../commands/operate/webhooks.ts")).webhooksCommand,
  }),
  defineCommand<DeliverOptions>({
    name: "deliver",
    args: "",
    group: "Operate",
    summary: "send events to the endpoints, until interrupted",
    options: {
      once: { flags: "--once", summary: "end when nothing is due" },
      concurrency: { flags: "--concurrency <n>", summary: "runs at a time, for one endpoint (default: 4)" },
      keep: { flags: "--keep <duration>", summary: "how long delivered events stay in the ledger (default: 7d)" },
      allowInsecure: { flags: "--allow-insecure", summary: "allow http:" },
      allowPrivate: { flags: "--allow-private", summary: "allow loopback and private addresses" },
      jsonl: { flags: "--jsonl", summary: "print events that were given up, one JSON document per line" },
      ...storeOptions,
    },
    example: "pawl deliver --store postgres://db/shop",
    load: async () => (await import("../commands/operate/deliver.ts")).deliverCommand,
  }),
  defineCommand<ProjectCommandOptions>({
    name: "project",
    args: "",
    group: "Operate",
    summary: "keep projections of all runs and raise alerts, until interrupted",
    options: {
      policy: { flags: "--policy <mark|freeze>", summary: "for an invalid event: ignore it and mark the run, or freeze the run" },
      name: { flags: "--name <name>", summary: "the projector's name (default: projector)" },
      once: { flags: "--once", summary: "end when nothing waits" },
      rebuild: { flags: "--rebuild", summary: "first rebuild all projections from the logs" },
      fromSnapshot: { flags: "--from-snapshot", summary: "first bring all projections up to date" },
      v1Until: { flags: "--v1-until <time>", summary: "accept events of version 1 that were persisted before this time" },
      json: { flags: "--json", summary: "print alerts, one JSON document per line" },
      ...storeOptions,
    },
    example: "pawl project --policy mark",
    load: async () => (await import("../commands/operate/project.ts")).projectCommand,
  }),
];
