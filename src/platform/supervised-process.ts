// A program of Pawl's own in a process that its parent watches and talks to: messages both ways, and an end that comes with the parent's,
// however that one ends. What the program prints goes to the parent's standard error. It must never leave a process behind.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

export interface SupervisedEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface SupervisedProcess<Down> {
  readonly pid: number;
  readonly ended: Promise<SupervisedEnd>;
  /** Nothing happens when it has ended. */
  send(message: Down): void;
  kill(): void;
}

export function startSupervised<Down extends object, Up>(
  module: URL,
  arg: string,
  env: Readonly<Record<string, string | undefined>>,
  onMessage: (message: Up) => void,
): SupervisedProcess<Down> {
  const around: NodeJS.ProcessEnv = { ...process.env };
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) delete around[name];
    else around[name] = value;
  }
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(module), arg], {
    env: around,
    stdio: ["ignore", 2, 2, "ipc"],
  });
  child.on("message", (m) => onMessage(m as Up));
  const ended = new Promise<SupervisedEnd>((resolve) => {
    child.on("error", () => resolve({ code: 1, signal: null }));
    child.on("exit", (code, signal) => resolve({ code, signal }));
  });
  return {
    pid: child.pid ?? 0,
    ended,
    send: (message) => {
      if (child.connected) child.send(message, () => {}); // it may end while the message is on its way
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

export interface ParentChannel<Down, Up> {
  send(message: Up): Promise<void>;
  onMessage(fn: (message: Down) => void): void;
  /** Called once, when the parent has ended or let go. */
  onGone(fn: () => void): void;
}

/** In the program: its parent. Ctrl-C of a terminal reaches both; what follows is the parent's to say. */
export function parentChannel<Down, Up>(): ParentChannel<Down, Up> {
  process.on("SIGINT", () => {});
  return {
    send: (message) =>
      new Promise((resolve) => {
        if (process.send === undefined || !process.connected) return resolve();
        process.send(message, undefined, {}, () => resolve());
      }),
    onMessage: (fn) => void process.on("message", (m) => fn(m as Down)),
    onGone: (fn) => void process.once("disconnect", fn),
  };
}

const lookMs = 500;
/** How often the parent must be missing in a row: time to end in order. */
const missedMax = 10;

/** Ends this process after its parent's end even if its own code never returns: another thread looks. */
export function endWithParent(): void {
  const source = `
const { ppid } = process;
const gone = () => {
  if (process.ppid !== ppid) return true;
  try { process.kill(ppid, 0); return false; } catch (e) { return e.code === "ESRCH"; }
};
let missed = 0;
setInterval(() => {
  missed = gone() ? missed + 1 : 0;
  if (missed >= ${missedMax}) process.kill(process.pid, "SIGKILL");
}, ${lookMs});
`;
  new Worker(source, { eval: true, execArgv: [], stdout: false, stderr: false }).unref();
}

export function ownPid(): number {
  return process.pid;
}

/** Whether a process with this id runs on this machine. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (e) {
    return (e as NodeJS.ErrnoException).code === "EPERM"; // somebody else's
  }
}
