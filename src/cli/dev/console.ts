// What `pawl dev` says: lines for people on a terminal, or one JSON document per line. Data only goes to standard output with --json; people read
// standard error and output alike. It decides nothing.
import { colourAllowed, writeErr, writeOut } from "../../platform/terminal.ts";
import { matrixTable } from "../../testing/matrix-table.ts";
import { paint } from "../output/colors.ts";
import { printJsonLine } from "../output/print.ts";
import { withoutControlChars } from "../output/format.ts";
import type { DivergedRun } from "./diverged.ts";
import type { CrashTrial } from "./lab.ts";
import type { LoadProblem } from "./protocol.ts";
import type { DevChild } from "./supervisor.ts";
import { tintOf } from "../output/tint.ts";

export type DevNews =
  | { readonly event: "listening"; readonly url: string; readonly link: string; readonly store: string }
  | { readonly event: "ready"; readonly why: "first" | "changed" | "restarted"; readonly child: DevChild }
  | { readonly event: "changed"; readonly paths: readonly string[] }
  | { readonly event: "failed"; readonly problem: LoadProblem; readonly serving: boolean }
  | { readonly event: "died"; readonly child: DevChild; readonly how: string }
  | { readonly event: "diverged"; readonly run: DivergedRun }
  | { readonly event: "again"; readonly workflowId: string; readonly runId: string }
  | { readonly event: "judged"; readonly trial: CrashTrial }
  | { readonly event: "link"; readonly link: string }
  | { readonly event: "help" }
  | { readonly event: "stopping" };

const typedHelp = `link                           another address of the dashboard: each works once
again [run]                    start runs that a change stopped again, on the new code
crash <run> <step> <window>    kill the process in a window (A to E) of a step
quit                           end`;

export function devConsole(json: boolean): (news: DevNews) => void {
  if (json) return printJsonLine;
  const p = paint(colourAllowed("out"));
  const say = (text: string): void => writeOut(`${text}\n`);
  const lines = (text: string): string =>
    text
      .split("\n")
      .map((l) => `  ${withoutControlChars(l)}`)
      .join("\n");
  return (news) => {
    switch (news.event) {
      case "listening":
        say(`${p.bold("dashboard")}  ${news.link}`);
        say(p.dim(`API        ${news.url}/v1   store  ${news.store}`));
        return say(p.dim("type help for what can be typed here; Ctrl-C ends"));
      case "ready": {
        const what = { first: "loaded", changed: "reloaded", restarted: "started again" }[news.why];
        return say(`${p.green("✔")} ${what}: ${news.child.workflows.join(", ")} ${p.dim(`(version ${news.child.version} of the code)`)}`);
      }
      case "changed":
        return say(p.dim(`${news.paths.map((path) => path.split(/[\\/]/).at(-1)).join(", ")} changed`));
      case "failed": {
        const { code, message, fix } = news.problem;
        say(`${p.red(p.bold(code))} the code does not load\n${lines(message)}\n  fix   ${fix}`);
        return say(news.serving ? p.yellow("the code before the change keeps running") : p.yellow("waiting for a change"));
      }
      case "died":
        return say(`${p.yellow("✝")} process ${news.child.pid} died (${news.how}); another one takes over its runs`);
      case "diverged": {
        const { workflowId, reason } = news.run;
        say(`${p.yellow("‖")} ${p.bold(workflowId)} is paused: its log and the new code disagree\n${lines(reason)}`);
        return say(`  again ${workflowId}   starts it again on the new code`);
      }
      case "again":
        return say(`${p.green("✔")} ${news.workflowId} started again on the new code`);
      case "judged": {
        const { workflowId, stepId, window, cells } = news.trial;
        say(`${p.bold(workflowId)} killed in ${stepId}, window ${window}\n\n${matrixTable(cells, tintOf(colourAllowed("out")))}`);
        return;
      }
      case "link":
        return say(news.link);
      case "help":
        return say(typedHelp);
      case "stopping":
        return writeErr("stopping\n");
    }
  };
}
