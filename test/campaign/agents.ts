// Agents of 50 turns, killed with SIGKILL at random moments, with tools of every class. Their tools write each call to a file that no engine reads. A call that
// was made is never made again unless its class permits it, also when the model asks again; a reply that is recorded is never asked for again; each
// call names the recorded output that asked for it. A person answers what is in doubt: give it up.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "../../src/client.ts";
import type { Cause } from "../../src/agents.ts";
import type { RunEventRecord } from "../../src/index.ts";
import { startChild, type Child } from "../support/child-process.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { compareWithLangGraph } from "./agents-langgraph.ts";
import type { Violation } from "./check.ts";
import { onEachStore, seeded, type Part, type Report, type Task } from "./engine-processes.ts";
import type { AgentDuty } from "./programs/agent-engine.ts";
import { readLines, turns, type AgentLine } from "./programs/agent-script.ts";
import { insist } from "./programs/insist.ts";

const program = "test/campaign/programs/agent-engine.js";
/** Nothing moved for this long: it will not move any more. */
const stillMs = 60_000;

type Client = Awaited<ReturnType<typeof connect>>;

async function field(task: Task): Promise<Report> {
  const dir = mkdtempSync(join(tmpdir(), "pawl-campaign-"));
  const ground = await openTestDatabase(task.store, dir);
  const client = await insist(() => connect({ store: ground.url }));
  await ground.sql("create table agent_rows (agent varchar(40), nr varchar(20))");
  const random = seeded(task.seed);
  // Enough work for every kill to strike some.
  const agents = Array.from({ length: Math.max(2, Math.ceil(task.faults / 4)) }, (_, n) => `agent-${task.seed}-${n}`);
  const duty: AgentDuty = {
    store: ground.url,
    ledger: join(dir, "ledger"),
    agents,
    ...(task.bug === undefined ? {} : { sendsAgain: true }),
  };
  const start = (): Child => startChild(program, { args: [JSON.stringify(duty)] });
  const person = new Person(client);
  let struck = 0;
  try {
    for (; struck < task.faults; struck++) {
      const child = start();
      await Promise.race([child.waitForLine("ready").catch(() => {}), child.ended]);
      const until = readLines(duty.ledger).length + 5 + random(60);
      for (let waited = 0; waited < 4_000 && readLines(duty.ledger).length < until; waited += 25) {
        await pause(25);
        if (waited % 200 === 0) await person.answer();
      }
      child.signal("SIGKILL");
      await child.ended;
    }
    const last = start();
    let died = false;
    const ended = last.ended.then((e) => ((died = true), e));
    await untilOver(client, agents, duty.ledger, person, () => died);
    if (died) task.say(`the last engine has ended by itself: ${(await ended).stderr.slice(-500)}`);
    last.send("stop");
    await ended;
    const rows = await ground.sql("select agent, nr, count(*) as n from agent_rows group by agent, nr");
    return await judge(client, agents, readLines(duty.ledger), rows, struck, person.answered, task.say);
  } finally {
    await client.close();
    await ground.remove();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Gives up what is in doubt: the model then reads that nobody knows. */
class Person {
  readonly #client: Client;
  answered = 0;
  constructor(client: Client) {
    this.#client = client;
  }
  async answer(): Promise<void> {
    const open = await this.#client.decisions().catch(() => []);
    for (const d of open) {
      const done = await this.#client
        .resolve(d.decisionId, { fail: true, by: "ann", reason: "nobody knows" }, { timeoutMs: 0 })
        .catch(() => null);
      if (done !== null) this.answered++;
    }
  }
}

async function untilOver(client: Client, agents: readonly string[], ledger: string, person: Person, died: () => boolean): Promise<void> {
  for (let [seen, since] = [-1, Date.now()]; Date.now() - since < stillMs && !died(); await pause(200)) {
    await person.answer();
    const states = await Promise.all(agents.map(async (id) => (await client.get(id))?.status));
    if (states.every((s) => s === "COMPLETED" || s === "FAILED" || s === "CANCELLED")) return;
    const now = readLines(ledger).length;
    if (now !== seen) [seen, since] = [now, Date.now()];
  }
}

interface Started {
  readonly model?: object;
  readonly tool?: { readonly name: string };
}

async function judge(
  client: Client,
  agents: readonly string[],
  lines: readonly AgentLine[],
  rows: readonly Readonly<Record<string, unknown>>[],
  kills: number,
  inDoubt: number,
  tell: (text: string) => void,
): Promise<Report> {
  const violations: Violation[] = [];
  let [resent, asked, caused] = [0, 0, 0];
  for (const row of rows)
    if (Number(row["n"]) > 1)
      violations.push({ kind: "duplicate", what: `${String(row["agent"])}: ${String(row["nr"])} has ${String(row["n"])} rows` });
  for (const id of agents) {
    const say = (kind: Violation["kind"], what: string): void => void violations.push({ kind, what: `${id}: ${what}` });
    const run = await client.get(id);
    if (run === undefined) say("lost", "it does not exist");
    if (run?.status !== "COMPLETED") say("lost", `it is ${run?.status ?? "nowhere"}`);
    const mine = lines.filter((l) => l.agent === id);
    resent += judgeCalls(mine, rows, id, say);
    const events: RunEventRecord[] = [];
    for (let page = await client.events(id); page.length > 0; page = await client.events(id, { after: events.at(-1)!.runSeq }))
      events.push(...page);
    asked += judgeModel(mine, events, kills, say);
    caused += await judgeCauses(client, id, mine, events, say);
  }
  tell(`${asked} model calls in ${agents.length * (turns + 1)} turns and ${kills} kills; ${caused} effects looked up by their key`);
  const effects = lines.filter((l) => l.what === "tool").length + rows.length;
  return { faults: kills, runs: agents.length, effects, resent, inDoubt, violations };
}

type Say = (kind: Violation["kind"], what: string) => void;

/** Counts what was sent again as its class permits. */
function judgeCalls(mine: readonly AgentLine[], rows: readonly Readonly<Record<string, unknown>>[], id: string, say: Say): number {
  const sends = new Map<string, { tool: string; keys: string[] }>();
  for (const l of mine) {
    if (l.what !== "tool") continue;
    const known = sends.get(l.call) ?? { tool: l.tool, keys: [] };
    known.keys.push(l.key);
    sends.set(l.call, known);
  }
  let resent = 0;
  for (const [call, { tool, keys }] of sends) {
    if (keys.length === 1) continue;
    if (tool === "reads") resent += keys.length - 1;
    else if (tool === "keyed" && new Set(keys).size === 1) resent += keys.length - 1;
    else say("duplicate", `${tool} ${call} was sent ${keys.length} times`);
  }
  if (rows.filter((r) => r["agent"] === id).length === 0) say("lost", "none of its rows is there");
  return resent;
}

/**
 * A reply that is recorded is not asked for again: each ask of a turn is one that the log knows, and none follows the recorded reply. One model step for each
 * turn, in their order.
 */
function judgeModel(mine: readonly AgentLine[], events: readonly RunEventRecord[], kills: number, say: Say): number {
  const asks = mine.flatMap((l) => (l.what === "model" ? [l.turn] : []));
  if (asks.length > turns + 1 + kills)
    say("duplicate", `the model was asked ${asks.length} times in ${turns + 1} turns and ${kills} kills`);
  const steps = events.flatMap((e) => (e.eventType === "StepStarted" && (e.payload as Started).model !== undefined ? [e.stepId!] : []));
  const sends = new Map(steps.map((id) => [id, 1]));
  const recorded = new Set<string>();
  for (const e of events) {
    if (e.eventType === "StepCompleted" && sends.has(e.stepId!)) recorded.add(e.stepId!);
    if ((e.eventType as string) !== "pawl.StepRedispatched") continue;
    const { stepId = "" } = e.payload as { stepId?: string };
    if (recorded.has(stepId)) say("duplicate", `${stepId}: sent again after its reply was recorded`);
    if (sends.has(stepId)) sends.set(stepId, sends.get(stepId)! + 1);
  }
  for (let turn = 0; turn <= turns; turn++) {
    const asked = asks.filter((t) => t === turn).length;
    const known = sends.get(steps[turn] ?? "") ?? 0;
    if (asked > known) say("duplicate", `turn ${turn}: the model was asked ${asked} times; the log knows ${known}`);
  }
  return asks.length;
}

interface ReplyPart {
  readonly type: string;
  readonly id?: string;
  readonly tool?: string;
  readonly input?: { readonly call?: string };
}

/** For each call of a tool, and for each effect that the file has, what `pawl why` reads names a recorded output that holds this call. */
async function judgeCauses(
  client: Client,
  id: string,
  mine: readonly AgentLine[],
  events: readonly RunEventRecord[],
  say: Say,
): Promise<number> {
  const replies = new Map<string, readonly ReplyPart[]>();
  for (const e of events) {
    const { result } = (e.payload ?? {}) as { readonly result?: { readonly content?: [] } };
    if (e.eventType === "StepCompleted" && result?.content !== undefined) replies.set(e.stepId ?? "", result.content);
  }
  const all = await client.causes(id);
  const partOf = (c: Cause | undefined): ReplyPart | undefined => {
    const part = replies.get(c?.by.stepId ?? "")?.[c?.by.part ?? -1];
    return part?.type === "tool-call" && part.tool === c?.effect.tool && part.id === c?.by.toolCallId ? part : undefined;
  };
  const ofStep = new Map(all.map((c) => [c.effect.stepId, c]));
  for (const e of events) {
    const called = (e.payload as Started | undefined)?.tool?.name;
    if (e.eventType !== "StepStarted" || called === undefined) continue;
    if (partOf(ofStep.get(e.stepId ?? ""))?.tool !== called) say("broken", `${e.stepId}: no recorded output is named that asked for it`);
  }
  const ofKey = new Map<string, Cause[]>();
  for (const c of all) if (c.effect.key !== undefined) ofKey.set(c.effect.key, [...(ofKey.get(c.effect.key) ?? []), c]);
  const calls = mine.flatMap((l) => (l.what === "tool" && l.tool !== "reads" ? [l] : [])); // what may be repeated has no key in the ledger
  for (const [n, l] of calls.entries()) {
    // By its key, as the command asks, for some; the others in what it reads.
    const named = n % 20 === 0 ? await client.causes(l.key).catch(() => []) : (ofKey.get(l.key) ?? []);
    const asked = named.filter((c) => partOf(c)?.input?.call === l.call && c.effect.tool === l.tool);
    if (asked.length === 0) say("broken", `${l.tool} ${l.call}: pawl why ${l.key} names no output that asked for it`);
  }
  return calls.length;
}

export const agents: Part = {
  name: "agents",
  stores: ["sqlite", "postgres"],
  canary: { bug: "sends calls again", shows: ["duplicate"], faults: 3 },
  async run(task) {
    const report = await onEachStore(task, { perField: 25, atATime: 2 }, field);
    if (task.store !== "sqlite" || task.bug !== undefined) return report;
    return { ...report, violations: [...report.violations, ...(await compareWithLangGraph(task))] };
  },
};
