// A workflow that does one remote task, and a worker over HTTP that is the test itself: it registers, polls and reports as it likes.
// Nothing here decides what is right.
import { expect } from "vitest";
import { z } from "zod";
import { remoteTask, workflow } from "../../src/workflow/define.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { serve, type Answer, type Served } from "../server/serve.ts";

let n = 0;
/** A workflow that does one remote task. */
export function mailing(o: Parameters<typeof remoteTask>[1] = { repeatable: true }): { readonly wf: AnyWorkflow; readonly task: string } {
  const name = `sendMail-${++n}`;
  const t = remoteTask({ name, input: z.object({ to: z.string() }), output: z.object({ sent: z.string() }), queue: "mails" }, o);
  const wf = workflow({ name: `mailing-${n}`, input: z.object({ to: z.string() }) }, (ctx, input) => ctx.do(t, input));
  return { wf, task: name };
}

export function startMailing(wf: AnyWorkflow, on = "memory:"): Promise<Served> {
  return serve({ workflows: [wf], on });
}
export const hello = (
  task: string,
): { lang: string; works: { task: string }[]; queues: Readonly<Record<string, { readonly concurrency: number }>> } => ({
  lang: "test",
  works: [{ task }],
  queues: { mails: { concurrency: 2 } },
});
export async function registered(s: Served, task: string): Promise<string> {
  const { status, json } = await s.post("/v1/workers", hello(task));
  expect(status).toBe(201);
  return json.workerId as string;
}
export const poll = (s: Served, id: string, holds: readonly unknown[] = [], waitMs = 20_000): Promise<Answer> =>
  s.post(`/v1/workers/${id}/poll`, { free: { mails: 2 }, waitMs, holds });

interface Held {
  readonly dispatchId: string;
  readonly token: string;
}
export const held = ({ dispatchId, token }: Held): Held => ({ dispatchId, token });
