// What is built: commands that write a workflow or try one. Data only: it must never import a command's code, only say where
// it is.
import type { CommandSpec } from "../command.ts";
import { json, param, store } from "../shared-options.ts";

export const buildCommands: readonly CommandSpec[] = [
  {
    name: "init",
    args: "[file]",
    group: "Build",
    summary: "write an example workflow and a .pawl folder here",
    options: [json],
    example: "pawl init hello.ts",
    load: async () => (await import("../commands/build/init.ts")).initCommand,
  },
  {
    name: "crashtest",
    args: "<file[#name]>",
    group: "Build",
    summary: "kill a workflow of a file in every window of every step, and count what happened",
    options: [
      param,
      { flags: "--input <json|@file|->", summary: "the input: JSON, a file, or standard input" },
      { flags: "--signal <name=json>", summary: "a signal that the run waits for", many: true },
      { flags: "--step <stepId>", summary: "kill only in this step", many: true },
      { flags: "--window <A-E>", summary: "kill only in this window", many: true },
      { flags: "--expect-end <end>", summary: "how the run ends by itself: COMPLETED (default), FAILED, CANCELLED or decision" },
      { flags: "--setup <file>", summary: "a file that exports setup(db) and reset(db): makes your tables before each run" },
      { flags: "--timeout <duration>", summary: "how long one process may take (default: 60s)" },
      json,
      {
        flags: "--store <url>",
        summary: "a server to test on, in a schema or database of its own: postgres://…, mysql://… (default: throw-away SQLite files)",
      },
    ],
    example: "pawl crashtest ./order.ts -P orderId=o-1",
    load: async () => (await import("../commands/build/crashtest.ts")).crashtestCommand,
  },
  {
    name: "replay",
    args: "<file[#name]> [run...]",
    group: "Build",
    summary: "run a file's code over the logs of runs, without effects, and name those that would diverge",
    options: [{ flags: "--live", summary: "all unfinished runs of the file's workflows" }, json, store],
    example: "pawl replay ./order.ts --live",
    load: async () => (await import("../commands/build/replay.ts")).replayCommand,
  },
];
