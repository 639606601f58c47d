// Programs in processes of their own: started, awaited, killed by their process id. What they write is kept; nothing is
// inherited but the environment and the folder. Anyone who starts one awaits its end or kills it: none outlives its parent's work.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningProgram {
  readonly ended: Promise<ProgramEnd>;
  kill(): void;
}

/** Runs a command of the user's with the system's shell, in a group of its own, so that `signal` reaches what the shell started. */
export function startShell(
  command: string,
  env: Readonly<Record<string, string>>,
): RunningProgram & { signal(name: "SIGTERM" | "SIGKILL"): void } {
  const child = spawn(command, { shell: true, detached: true, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const signal = (name: "SIGTERM" | "SIGKILL"): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // The whole group has ended.
    }
  };
  return { ended: endOf(child), signal, kill: () => signal("SIGKILL") };
}

/** Runs a module of Pawl's own with Node; members of `env` that are undefined are left out of the child's environment. */
export function startProgram(module: URL, args: readonly string[], env: Readonly<Record<string, string | undefined>>): RunningProgram {
  const around: NodeJS.ProcessEnv = { ...process.env };
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) delete around[name];
    else around[name] = value;
  }
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(module), ...args], {
    env: around,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { ended: endOf(child), kill: () => void child.kill("SIGKILL") };
}

function endOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<ProgramEnd> {
  let out = "";
  let err = "";
  child.stdout.on("data", (d: Buffer) => (out += String(d)));
  child.stderr.on("data", (d: Buffer) => (err += String(d)));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, out, err }));
  });
}
