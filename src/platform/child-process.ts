// Programs in processes of their own: started, awaited, killed by their process id. What they write is kept; nothing is
// inherited but the environment and the folder. Anyone who starts one awaits its end or kills it: none outlives its parent's work.
import { spawn } from "node:child_process";
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
  let out = "";
  let err = "";
  child.stdout.on("data", (d: Buffer) => (out += String(d)));
  child.stderr.on("data", (d: Buffer) => (err += String(d)));
  const ended = new Promise<ProgramEnd>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, out, err }));
  });
  return { ended, kill: () => void child.kill("SIGKILL") };
}
