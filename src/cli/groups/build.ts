// Commands for writing and testing a workflow. Data only: it must never import a command's code, only say where
// it is.
import type { ConformOptions } from "../commands/build/conform.ts";
import type { CrashCommandOptions } from "../commands/build/crash.ts";
import type { CrashtestOptions } from "../commands/build/crashtest.ts";
import type { DevCommandOptions } from "../commands/build/dev.ts";
import type { InitOptions } from "../commands/build/init.ts";
import type { ReplayOptions } from "../commands/build/replay.ts";
import { defineCommand, type CommandSpec } from "../command.ts";
import { jsonOption, paramOption, storeOptions } from "../shared-options.ts";

export const buildCommands: readonly CommandSpec[] = [
  defineCommand<InitOptions>({
    name: "init",
    args: "[file]",
    group: "Build",
    summary: "write an example workflow and create a .pawl folder here",
    options: jsonOption,
    example: "pawl init hello.ts",
    load: async () => (await import("../commands/build/init.ts")).initCommand,
  }),
  defineCommand<DevCommandOptions>({
    name: "dev",
    args: "<file...>",
    group: "Build",
    summary: "run the workflows of files with an API and a dashboard, and reload them when they change",
    options: {
      listen: { flags: "--listen <address>", summary: "address and port, on this machine only (default: 127.0.0.1:7350)" },
      open: { flags: "--open", summary: "no token is needed" },
      ...jsonOption,
      store: storeOptions.store,
      tenant: storeOptions.tenant,
    },
    example: "pawl dev ./order.ts",
    load: async () => (await import("../commands/build/dev.ts")).devCommand,
  }),
  defineCommand<CrashCommandOptions>({
    name: "crash",
    args: "<run> <step>",
    group: "Build",
    summary: "kill the process of a running pawl dev in one window of a step, and show what followed",
    options: {
      at: { flags: "--at <A-E>", summary: "the window: A before the start is recorded … E after the outcome is (docs/dev.md)" },
      timeout: { flags: "--timeout <duration>", summary: "how long to wait for what follows (default: 60s)" },
      ...jsonOption,
    },
    example: "pawl crash order-17 charge --at D",
    load: async () => (await import("../commands/build/crash.ts")).crashCommand,
  }),
  defineCommand<CrashtestOptions>({
    name: "crashtest",
    args: "<file[#name]>",
    group: "Build",
    summary: "kill a workflow of a file in every window of every step, and count what happened",
    options: {
      ...paramOption,
      input: { flags: "--input <json|@file|->", summary: "the input: JSON, a file, or standard input" },
      signal: { flags: "--signal <name=json>", summary: "a signal that the run waits for", many: true },
      step: { flags: "--step <stepId>", summary: "kill only in this step", many: true },
      window: { flags: "--window <A-E>", summary: "kill only in this window", many: true },
      expectEnd: {
        flags: "--expect-end <end>",
        summary: "how the run ends without a kill: COMPLETED (default), FAILED, CANCELLED or decision",
      },
      setup: { flags: "--setup <file>", summary: "a file that exports setup(db) and reset(db): creates your tables before each run" },
      timeout: { flags: "--timeout <duration>", summary: "how long one process may take (default: 60s)" },
      ...jsonOption,
      store: {
        flags: "--store <url>",
        summary: "a server to test on, in its own schema or database: postgres://…, mysql://… (default: temporary SQLite files)",
      },
    },
    example: "pawl crashtest ./order.ts -P orderId=o-1",
    load: async () => (await import("../commands/build/crashtest.ts")).crashtestCommand,
  }),
  defineCommand<ReplayOptions>({
    name: "replay",
    args: "<file[#name]> [run...]",
    group: "Build",
    summary: "run a file's code with the logs of runs, without effects, and name the runs that would diverge",
    options: { live: { flags: "--live", summary: "all unfinished runs of the file's workflows" }, ...jsonOption, ...storeOptions },
    example: "pawl replay ./order.ts --live",
    load: async () => (await import("../commands/build/replay.ts")).replayCommand,
  }),
  defineCommand<ConformOptions>({
    name: "conform",
    args: "",
    group: "Build",
    summary: "drive a worker in any language through every rule of the worker protocol",
    options: {
      worker: { flags: "--worker <command>", summary: "the command that starts your worker; it gets PAWL_URL and PAWL_TOKEN" },
      only: { flags: "--only <transcript>", summary: "only this transcript, by its name" },
      timeout: { flags: "--timeout <duration>", summary: "how long one transcript may take (default: 20s)" },
      ...jsonOption,
    },
    example: "pawl conform --worker 'python3 worker.py'",
    load: async () => (await import("../commands/build/conform.ts")).conformCommand,
  }),
];
