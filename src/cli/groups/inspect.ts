// Commands that show something and change nothing. Data only: it must never import a command's code, only say where
// it is.
import type { WhyOptions } from "../commands/inspect/why.ts";
import type { AlertsOptions } from "../commands/inspect/alerts.ts";
import type { ConsumersOptions } from "../commands/inspect/consumers.ts";
import type { DecisionsOptions } from "../commands/inspect/decisions.ts";
import type { EffectsOptions } from "../commands/inspect/effects.ts";
import type { EventsOptions } from "../commands/inspect/events.ts";
import type { InspectOptions } from "../commands/inspect/inspect.ts";
import type { LsOptions } from "../commands/inspect/ls.ts";
import type { HistoryOptions, StateOptions } from "../commands/inspect/state.ts";
import type { TailOptions } from "../commands/inspect/tail.ts";
import { waitingKinds } from "../../core/model.ts";
import { defineCommand, type CommandSpec } from "../command.ts";
import { cursorOption, jsonlOption, jsonOption, limitOption, storeOptions, tagOption } from "../shared-options.ts";

export const inspectCommands: readonly CommandSpec[] = [
  defineCommand<WhyOptions>({
    name: "why",
    args: "<run> [step]",
    group: "Inspect",
    summary: "say what a run and each of its steps waits for; for a key, which output of a model caused the effect",
    options: { all: { flags: "--all", summary: "also steps that have completed or were skipped" }, ...jsonOption, ...storeOptions },
    example: "pawl why order-17",
    load: async () => (await import("../commands/inspect/why.ts")).whyCommand,
  }),
  defineCommand<LsOptions>({
    name: "ls",
    args: "[query...]",
    group: "Inspect",
    summary:
      "list runs, newest first; a query is what the dashboard's filter takes: a status, workflow:order, tag:k=v, or part of an id or of a workflow's name",
    options: {
      status: { flags: "--status <status>", summary: "only this status", many: true },
      workflow: { flags: "--workflow <name>", summary: "only this workflow" },
      errorCode: { flags: "--error-code <code>", summary: "only runs that failed with this code, category or error name" },
      since: { flags: "--since <time>", summary: "only runs created since then: a time, or how long ago, such as 24h" },
      until: { flags: "--until <time>", summary: "only runs created before then: a time, or how long ago, such as 1h" },
      parent: { flags: "--parent <run>", summary: "only runs that this run called" },
      waiting: { flags: "--waiting <what>", summary: `only runs that wait for this: ${waitingKinds.join(", ")}` },
      ...tagOption,
      ...limitOption,
      ...cursorOption,
      ...jsonOption,
      ...jsonlOption,
      ids: { flags: "--ids", summary: "print run ids only, one per line" },
      count: { flags: "--count", summary: "count them by status, workflow and error code, each up to 1000" },
      ...storeOptions,
    },
    example: "pawl ls running --workflow order",
    load: async () => (await import("../commands/inspect/ls.ts")).lsCommand,
  }),
  defineCommand<InspectOptions>({
    name: "inspect",
    args: "<run>",
    group: "Inspect",
    summary: "show a run as a tree: steps, attempts, guarantees, what it waits for",
    options: {
      watch: { flags: "-w, --watch", summary: "draw it again until the run has ended" },
      timeline: { flags: "--timeline", summary: "print its steps as bars of time, and the gaps of crashes" },
      check: { flags: "--check", summary: "check its log and its ledger and name their hashes; exit code 9 if something does not fit" },
      full: { flags: "--full", summary: "print input, views, and the result or error of every step completely" },
      ...jsonOption,
      ...storeOptions,
    },
    example: "pawl inspect o-1 --watch",
    load: async () => (await import("../commands/inspect/inspect.ts")).inspectCommand,
  }),
  defineCommand<EventsOptions>({
    name: "events",
    args: "<run>",
    group: "Inspect",
    summary: "print a run's log",
    options: {
      follow: { flags: "-f, --follow", summary: "follow the log until the run has ended" },
      after: { flags: "--after <runSeq>", summary: "only events after this one" },
      ...limitOption,
      ...jsonOption,
      ...jsonlOption,
      ...storeOptions,
    },
    example: "pawl events o-1 -f",
    load: async () => (await import("../commands/inspect/events.ts")).eventsCommand,
  }),
  defineCommand<TailOptions>({
    name: "tail",
    args: "",
    group: "Inspect",
    summary: "print the events of all runs as they happen, until interrupted",
    options: {
      ...limitOption,
      workflow: { flags: "--workflow <name>", summary: "only this workflow" },
      ...jsonlOption,
      ...storeOptions,
    },
    example: "pawl tail --limit 20",
    load: async () => (await import("../commands/inspect/tail.ts")).tailCommand,
  }),
  defineCommand<EffectsOptions>({
    name: "effects",
    args: "[key]",
    group: "Inspect",
    summary: "list effects of all runs, by their key or by what is known of them",
    options: {
      status: { flags: "--status <status>", summary: "completed, failed, cancelled, timed-out, indeterminate, or doubt", many: true },
      class: { flags: "--class <class>", summary: "only this guarantee" },
      receiver: { flags: "--receiver <name>", summary: "only effects on this receiver" },
      name: { flags: "--name <name>", summary: "only this step or task" },
      run: { flags: "--run <run>", summary: "only this run" },
      id: { flags: "--id <workflow-id>", summary: "only runs with this workflow id, the latest and earlier ones" },
      step: { flags: "--step <step>", summary: "only this step" },
      worker: { flags: "--worker <worker>", summary: "only what this worker or engine ran from a queue" },
      ...limitOption,
      ...cursorOption,
      ...jsonOption,
      ...jsonlOption,
      ...storeOptions,
    },
    example: "pawl effects order-42",
    load: async () => (await import("../commands/inspect/effects.ts")).effectsCommand,
  }),
  defineCommand<AlertsOptions>({
    name: "alerts",
    args: "",
    group: "Inspect",
    summary: "list the invalid events that the projector found; exit code 9 if there are any",
    options: {
      run: { flags: "--run <run>", summary: "only this run" },
      since: { flags: "--since <time>", summary: "only events persisted since this time" },
      until: { flags: "--until <time>", summary: "only events persisted before this time" },
      ...limitOption,
      ...cursorOption,
      ...jsonOption,
      ...jsonlOption,
      ...storeOptions,
    },
    example: "pawl alerts --run o-1",
    load: async () => (await import("../commands/inspect/alerts.ts")).alertsCommand,
  }),
  defineCommand<ConsumersOptions>({
    name: "consumers",
    args: "",
    group: "Inspect",
    summary: "list the consumers of the log, how far behind each of them is, and what holds it up; exit code 9 if something does",
    options: { ...jsonOption, ...jsonlOption, ...storeOptions },
    example: "pawl consumers",
    load: async () => (await import("../commands/inspect/consumers.ts")).consumersCommand,
  }),
  defineCommand<StateOptions>({
    name: "state",
    args: "<run>",
    group: "Inspect",
    summary: "where a graph stands, or stood after a superstep",
    options: {
      at: { flags: "--at <superstep>", summary: "after this superstep, by number or label; the last one unless given" },
      ...jsonOption,
      ...storeOptions,
    },
    example: "pawl state essay-1 --at 2",
    load: async () => (await import("../commands/inspect/state.ts")).stateCommand,
  }),
  defineCommand<HistoryOptions>({
    name: "history",
    args: "<run>",
    group: "Inspect",
    summary: "the supersteps of a graph, newest first",
    options: {
      before: { flags: "--before <superstep>", summary: "only supersteps before this one" },
      follow: { flags: "-f, --follow", summary: "instead: what its nodes return, superstep by superstep, until the run has ended" },
      after: { flags: "--after <superstep>", summary: "with --follow: begin after this superstep" },
      ...limitOption,
      ...jsonOption,
      ...jsonlOption,
      ...storeOptions,
    },
    example: "pawl history essay-1 --limit 10",
    load: async () => (await import("../commands/inspect/state.ts")).historyCommand,
  }),
  defineCommand<DecisionsOptions>({
    name: "decisions",
    args: "",
    group: "Inspect",
    summary: "list what a person must decide, with the possible answers; exit code 8 if there is something",
    options: { ...limitOption, ...jsonOption, ...jsonlOption, ...storeOptions },
    example: "pawl decisions",
    load: async () => (await import("../commands/inspect/decisions.ts")).decisionsCommand,
  }),
];
