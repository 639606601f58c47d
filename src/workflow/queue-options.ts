// The queue of a task, checked when the task is defined: its name, a priority, how long it may wait for a worker; and the id that workers
// claim by. Only named work can run in another process, so an inline step has no such option.
import { durationMs, type Duration } from "../core/duration.ts";
import { checkOptions } from "../core/guarantee.ts";
import { checkName } from "../core/names.ts";
import { PawlError } from "../errors/error.ts";

export interface CheckedQueue {
  readonly queue: string;
  readonly priority: number | null;
  readonly withinMs: number | null;
}

/** What every store can hold and orders alike. */
const queueNameForm = /^[\x21-\x7e]{1,128}$/;
const queueOptions: ReadonlySet<string> = new Set(["name", "priority", "within"]);

export function checkQueueName(name: unknown, what: string): string {
  const queue = checkName(name, what);
  if (!queueNameForm.test(queue))
    throw new PawlError("PAWL5001", `${what} must be 1 to 128 printable ASCII characters without spaces, not ${JSON.stringify(queue)}`);
  return queue;
}

export function checkPriority(priority: unknown, what: string): number {
  if (typeof priority !== "number" || !Number.isInteger(priority) || priority < -9 || priority > 9)
    throw new PawlError("PAWL5001", `${what} must be a whole number from -9 (waits longest) to 9 (comes first)`);
  return priority;
}

/** `what` names the task in errors. */
export function checkQueue(given: unknown, what: string): CheckedQueue {
  if (typeof given === "string") return { queue: checkQueueName(given, `the queue of ${what}`), priority: null, withinMs: null };
  if (typeof given !== "object" || given === null)
    throw new PawlError("PAWL5001", `the queue of ${what} is a name, or { name, priority, within }`);
  checkOptions(given, queueOptions, `the queue of ${what}`);
  const { name, priority, within } = given as { name?: unknown; priority?: unknown; within?: Duration };
  const withinMs = within === undefined ? null : durationMs(within, `within of ${what}`);
  if (withinMs === 0) throw new PawlError("PAWL5001", `within of ${what} leaves no time to wait; leave it out to wait without a limit`);
  return {
    queue: checkQueueName(name, `the queue of ${what}`),
    priority: priority === undefined ? null : checkPriority(priority, `the priority of ${what}`),
    withinMs,
  };
}

/** What workers claim by: `name`, or `name@version`. */
export function taskId(name: string, version: string | undefined): string {
  if (version === undefined) return name;
  checkName(version, `the version of task ${name}`);
  const id = `${name}@${version}`;
  return checkName(id, `name and version of task ${name} together`);
}
