// Processes that stay, each running one `pawl` command after the other (programs/host.ts). A command takes one that is free, or a new one:
// no command ever waits for another. They end with this process.
import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { compiledTree } from "../support/compiled-tree.ts";

export interface Answer {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const free: ChildProcess[] = [];
const endWithParent = new URL("../support/end-with-parent.mjs", import.meta.url).href;
/** What runs on, reads standard input or imports a user's file has a process of its own. */
const alone = new Set(["run", "start", "mcp", "crashtest", "replay", "append", "webhooks", "project", "witness"]);

export function canBeHosted(args: readonly string[]): boolean {
  const word = args.find((a) => !a.startsWith("-"));
  return word !== undefined && !alone.has(word) && !args.some((a) => a === "-" || a === "--follow" || /\.m?[jt]s$/.test(a));
}

async function startHost(): Promise<ChildProcess> {
  const host = spawn(process.execPath, ["--import", endWithParent, join(compiledTree(), "test/cli/programs/host.js")], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await new Promise<void>((resolve, reject) => {
    host.once("message", () => resolve());
    host.once("exit", (code) => reject(new Error(`the host of commands did not start: ${code}`)));
  });
  host.removeAllListeners("exit");
  // It keeps nobody alive while it has nothing to do.
  host.unref();
  host.channel?.unref();
  return host;
}

export async function runHosted(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Answer> {
  const host = free.pop() ?? (await startHost());
  host.channel?.ref();
  try {
    const answer = await new Promise<Answer>((resolve, reject) => {
      const ended = (code: number | null): void => reject(new Error(`pawl ${args.join(" ")} ended the host of commands: ${code}`));
      host.once("exit", ended);
      host.once("message", (said: Answer) => {
        host.off("exit", ended);
        resolve(said);
      });
      host.send({ args, cwd, env });
    });
    free.push(host);
    return answer;
  } finally {
    host.channel?.unref();
  }
}
