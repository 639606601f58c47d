// The queue of a task: what is taken, what is refused when the task is defined, and what a remote
// task leaves to its workers.
import { expect, it } from "vitest";
import { z } from "zod";
import { remoteTask, task } from "./define.ts";
import { checkQueueName } from "./queue-options.ts";
import { queuedTasksHere, taskOf } from "./registry.ts";

const input = z.number();
const refused = (code: string): object => expect.objectContaining({ code }) as object;

it("a queue is a name, or a name with priority and within; both are kept with the task", () => {
  const plain = taskOf(task({ name: "qo-plain", input }, (n) => n, { queue: "a" }));
  expect(plain.queue).toEqual({ queue: "a", priority: null, withinMs: null });
  const whole = taskOf(task({ name: "qo-whole", version: "2", input }, (n) => n, { queue: { name: "a", priority: -9, within: "10s" } }));
  expect(whole.queue).toEqual({ queue: "a", priority: -9, withinMs: 10_000 });
  expect(whole.spec(1).queued).toMatchObject({ queue: "a", task: "qo-whole@2", priority: -9, withinMs: 10_000, hasCode: true });
  expect(taskOf(task({ name: "qo-none", input }, (n) => n)).spec(1).queued).toBeNull();
});

it("a queue that cannot hold is refused when the task is defined", () => {
  const define = (queue: unknown): unknown => task({ name: "qo-bad", input }, (n) => n, { queue: queue as string });
  for (const bad of [
    "",
    1,
    null,
    {},
    { name: "a", priority: 10 },
    { name: "a", priority: 0.5 },
    { name: "a", within: 0 },
    { name: "a", rate: 1 },
  ])
    expect(() => define(bad), JSON.stringify(bad)).toThrow(expect.objectContaining({ code: expect.stringMatching(/^PAWL/) as string }));
  expect(() => define({ name: "a", priority: 10 })).toThrow(refused("PAWL5001"));
  expect(() => define("x".repeat(129))).toThrow(refused("PAWL5001"));
});

it("a queue's name is what every store can hold: printable ASCII without spaces, and the error shows what was given", () => {
  for (const name of ["images", "a", "x".repeat(128), "<b>", "eu/images:2"]) expect(checkQueueName(name, "the queue")).toBe(name);
  for (const name of ["two words", "bild\u00e4r", "\u202eodd", "x".repeat(129)])
    expect(() => checkQueueName(name, "the queue")).toThrow(
      expect.objectContaining({ code: "PAWL5001", message: expect.stringContaining(JSON.stringify(name)) as string }),
    );
});

it("two tasks on queues with one name are refused where the second is defined; versions and tasks without a queue are not", () => {
  task({ name: "qo-twice", input }, (n) => n, { queue: "a" });
  expect(() => task({ name: "qo-twice", input }, (n) => n + 1, { queue: "a" })).toThrow(refused("PAWL5012"));
  task({ name: "qo-twice", version: "2", input }, (n) => n, { queue: "a" });
  task({ name: "qo-twice", input }, (n) => n);
  expect(queuedTasksHere().map((t) => t.id)).toEqual(expect.arrayContaining(["qo-twice", "qo-twice@2"]));
});

it("a remote task has a queue and an output schema, no code here, and its workers verify and undo", () => {
  const remote = taskOf(
    remoteTask({ name: "qo-remote", input, output: z.object({ w: z.number() }), queue: "img" }, { verify: true, undo: true }),
  );
  const spec = remote.spec(4);
  expect(spec).toMatchObject({ verify: null, input: "4", guarantee: { class: "VERIFIED", verified: true }, queued: { hasCode: false } });
  expect(spec.compensate?.queued).not.toBeNull();
  expect(() => spec.queued?.resultParse?.({ w: "wide" })).toThrow(refused("PAWL1008"));
  expect(spec.queued?.resultParse?.({ w: 3 })).toEqual({ w: 3 });
  expect(queuedTasksHere().some((t) => t.id === "qo-remote")).toBe(false);
  const bad = (def: object, o: object = {}): unknown => remoteTask(def as never, o as never);
  expect(() => bad({ name: "qo-r", input, output: input })).toThrow(refused("PAWL5001"));
  expect(() => bad({ name: "qo-r", input, queue: "a" })).toThrow(refused("PAWL5001"));
  expect(() => bad({ name: "qo-r", input, output: input, queue: "a" }, { verify: () => 1 })).toThrow(refused("PAWL5001"));
  expect(() => bad({ name: "qo-r", input, output: input, queue: "a" }, { compensate: () => 1 })).toThrow(refused("PAWL5001"));
});
