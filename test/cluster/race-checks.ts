// Two orchestrators asked for the same thing at the same moment. Whatever comes first, it happens once, every server says the same afterwards, and what no
// longer applies is refused and changes nothing.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { ClusterCheck, ClusterProblem } from "./report.ts";
import type { RoundRobin } from "./round-robin.ts";
import type { ClusterPlace } from "./services.ts";
import { judge } from "./verdict.ts";

const request = (reason: string) => ({ reason, requestId: randomUUID() });
type Result = Awaited<ReturnType<ClusterCheck["run"]>>;
const terminal: ReadonlySet<string> = new Set(["RunCompleted", "RunFailed", "RunCancelled", "RunTerminated"]);

/** 50 identical starts at once, half of them at each server: one run. */
export async function identicalStarts(p: ClusterPlace, client: RoundRobin, id: string): Promise<Result> {
  const n = 50;
  const answers = await Promise.all(Array.from({ length: n }, () => client.start("cluster/order", { id }, id)));
  const problems: ClusterProblem[] = [];
  if (new Set(answers.map((a) => a.json.runId)).size !== 1) problems.push({ kind: "race", what: "identical starts made several runs" });
  const created = answers.filter((a) => a.json.created === true).length;
  if (created !== 1) problems.push({ kind: "race", what: `${created} of the identical starts say that they created the run` });
  await client.ended(id);
  problems.push(...(await judge(p, [id])).problems);
  return { looked: n, said: `${n} identical starts, one run`, problems };
}

/** Resumed though it is not paused, then cancelled and terminated through both at once, and asked again afterwards. */
export async function racedControls(client: RoundRobin, prefix: string, n: number): Promise<Result> {
  const problems: ClusterProblem[] = [];
  const ids = Array.from({ length: n }, (_, i) => `${prefix}-${i}`);
  let refused = 0;
  for (const [i, id] of ids.entries()) {
    await client.start("cluster-waiting", { id }, id);
    const early = await client.ask("POST", `/runs/${id}/resume`, request("it is not paused"), i % 2);
    if (early.status !== 409 || early.json.code !== "PAWL4010")
      problems.push({
        kind: "corruption",
        what: `${id}: a run that is not paused took resume: ${early.status} ${JSON.stringify(early.json)}`,
      });
    const asked = await Promise.all([
      client.ask("POST", `/runs/${id}/${i % 2 === 0 ? "cancel" : "terminate"}`, request("raced"), 0),
      client.ask("POST", `/runs/${id}/${i % 3 === 0 ? "terminate" : "cancel"}`, request("raced"), 1),
      client.ask("POST", `/runs/${id}/signals`, { name: "go", payload: { by: "ann" }, signalId: id }, 1),
    ]);
    for (const a of asked)
      if (a.status >= 500 || a.status === 422 || a.status === 404)
        problems.push({ kind: "failed", what: `${id}: ${a.status} ${JSON.stringify(a.json)}` });
    const end = await client.ended(id);
    for (const control of ["pause", "cancel", "terminate"]) {
      const again = await client.ask("POST", `/runs/${id}/${control}`, request("too late"), i % 2);
      if (again.status < 400)
        problems.push({ kind: "corruption", what: `${id}: a settled run took ${control}: ${JSON.stringify(again.json)}` });
      else refused++;
    }
    for (const { json } of await client.everywhere(`/runs/${id}/events?limit=1000`)) {
      const ends = json.items.filter((e: { eventType: string }) => terminal.has(e.eventType)).length;
      if (ends !== 1) problems.push({ kind: "race", what: `${id}: it has ${ends} ends` });
      const own: string[] = json.items.map((e: { eventType: string }) => e.eventType).filter((type: string) => type.startsWith("Run"));
      if (own.includes("RunResumed") || !terminal.has(own.at(-1) ?? ""))
        problems.push({ kind: "corruption", what: `${id}: its log has what was refused: ${own.join(" ")}` });
    }
    for (const a of await client.everywhere(`/runs/${id}`))
      if (a.json.status !== end.json.status) problems.push({ kind: "race", what: `${id}: ${a.json.status} and ${end.json.status}` });
  }
  return {
    looked: ids.length,
    said: `${ids.length} runs cancelled, terminated and signalled at once, ${refused} later controls refused`,
    problems,
  };
}

/** Both orchestrators are told to look again while an order ends: it is final once, and both say so. */
export async function finalisers(p: ClusterPlace, client: RoundRobin, prefix: string, n: number): Promise<Result> {
  const problems: ClusterProblem[] = [];
  const ids = Array.from({ length: n }, (_, i) => `${prefix}-${i}`);
  for (const id of ids) {
    await client.start("cluster/order", { id }, id);
    let isOver = false;
    const evaluate = async (server: number): Promise<void> => {
      while (!isOver) {
        const { status, json } = await client.ask("POST", `/runs/${id}/evaluate`, {}, server);
        if (status !== 200) problems.push({ kind: "race", what: `${id}: a finaliser was answered ${status}: ${JSON.stringify(json)}` });
        await pause(5);
      }
    };
    const both = [evaluate(0), evaluate(1)];
    await client.ended(id);
    isOver = true;
    await Promise.all(both);
    for (const i of [0, 1]) {
      const { json } = await client.ask("POST", `/runs/${id}/evaluate`, {}, i);
      if (json.alreadyFinal !== true) problems.push({ kind: "race", what: `${id}: server ${i + 1} does not know that it is final` });
    }
  }
  problems.push(...(await judge(p, ids)).problems);
  return { looked: ids.length, said: `${ids.length} orders finalised by two at once`, problems };
}

/** The same report through both orchestrators at the same moment, and once more. */
export async function duplicateResult(client: RoundRobin, prefix: string, n: number): Promise<Result> {
  const problems: ClusterProblem[] = [];
  const hello = { lang: "test", works: [{ task: "cluster.raw" }], queues: { raw: { concurrency: 1 } } };
  const { workerId } = (await client.ask("POST", "/workers", hello, 0)).json;
  for (let i = 0; i < n; i++) {
    const id = `${prefix}-${i}`;
    await client.start("cluster/raw", { id }, id);
    const polled = await client.ask("POST", `/workers/${workerId}/poll`, { free: { raw: 1 }, waitMs: 20_000, holds: [] }, i % 2);
    const { dispatchId, token } = polled.json.claimed[0];
    const results = { results: [{ dispatchId, token, ok: true, result: { id, by: "test" } }] };
    const report = (server: number) => client.ask("POST", `/workers/${workerId}/results`, results, server);
    const asked = [...(await Promise.all([report(0), report(1), report(0)])), await report(1)];
    const said = asked.map((a) => a.json.noted[0].as as string);
    if (said.filter((as) => as === "recorded").length !== 1 || said.some((as) => as !== "recorded" && as !== "known"))
      problems.push({ kind: "race", what: `${id}: one report was answered ${said.join(", ")}` });
    await client.ended(id);
    const { json } = await client.ask("GET", `/runs/${id}/events?limit=1000`);
    const done = json.items.filter(
      (e: { eventType: string; stepId?: string }) => e.eventType === "StepCompleted" && e.stepId === "raw",
    ).length;
    if (done !== 1) problems.push({ kind: "race", what: `${id}: its step has ${done} outcomes` });
  }
  await client.ask("POST", `/workers/${workerId}/leave`, {}, 0);
  return { looked: n, said: `${n} results, each reported four times`, problems };
}

/** Many runs started at once, and five workers that ask one queue at once, through both orchestrators: each step is given to one of them. */
export async function herd(p: ClusterPlace, client: RoundRobin, prefix: string): Promise<Result> {
  const problems: ClusterProblem[] = [];
  const ids = Array.from({ length: 60 }, (_, i) => `${prefix}-${i}`);
  const hello = { lang: "test", works: [{ task: "cluster.raw" }], queues: { raw: { concurrency: 5 } } };
  const team = await Promise.all(
    Array.from({ length: 5 }, async () => (await client.ask("POST", "/workers", hello)).json.workerId as string),
  );
  const starts = Promise.all(ids.map((id) => client.start("cluster/raw", { id }, id)));
  const claimed = new Map<string, string>();
  const work = async (workerId: string, at: number): Promise<void> => {
    while (claimed.size < ids.length) {
      const asked = { free: { raw: 5 }, waitMs: 200, holds: [] };
      const { json } = await client.ask("POST", `/workers/${workerId}/poll`, asked, at % 2);
      const results = [];
      for (const { dispatchId, token, input } of json.claimed) {
        const before = claimed.get(dispatchId);
        if (before !== undefined) problems.push({ kind: "race", what: `${dispatchId} was given to ${before} and to ${workerId}` });
        claimed.set(dispatchId, workerId);
        results.push({ dispatchId, token, ok: true, result: { id: input.id, by: workerId } });
      }
      if (results.length > 0) await client.ask("POST", `/workers/${workerId}/results`, { results }, (at + 1) % 2);
    }
  };
  await Promise.all(team.map(work));
  await starts;
  for (const id of ids) await client.ended(id);
  for (const workerId of team) await client.ask("POST", `/workers/${workerId}/leave`, {});
  problems.push(...(await judge(p, ids, { again: false })).problems);
  return { looked: ids.length, said: `${ids.length} runs at once, five workers on one queue`, problems };
}
