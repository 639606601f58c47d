// Agents of 50 turns, killed with SIGKILL at random moments, with tools of every class. Their tools write each call to a file that no engine reads. A call that
// was made is never made again unless its class permits it, also when the model asks again; a reply that is recorded is never asked for again; each
// call names the recorded output that asked for it. A person answers what is in doubt: give it up.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "../../src/client.ts";
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
    return await judge(client, agents, readLines(duty.ledger), rows, struck, person.answered);
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
): Promise<Report> {
  const violations: Violation[] = [];
  let resent = 0;
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
    judgeModel(mine, events, kills, say);
    await judgeCauses(client, id, events, say);
  }
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

/** A reply that is recorded is not asked for again: each ask is one that the log knows. */
function judgeModel(mine: readonly AgentLine[], events: readonly RunEventRecord[], kills: number, say: Say): void {
  const asked = mine.filter((l) => l.what === "model").length;
  if (asked > turns + 1 + kills) say("duplicate", `the model was asked ${asked} times in ${turns + 1} turns and ${kills} kills`);
  const models = new Set(
    events.filter((e) => e.eventType === "StepStarted" && (e.payload as Started).model !== undefined).map((e) => e.stepId),
  );
  const again = events.filter(
    (e) => (e.eventType as string) === "pawl.StepRedispatched" && models.has((e.payload as { stepId?: string }).stepId ?? ""),
  );
  if (asked > models.size + again.length)
    say("duplicate", `the model was asked ${asked} times; the log has ${models.size} calls and ${again.length} re-sends`);
}

/** For each call of a tool, what `pawl why` reads names a recorded output that holds this call. */
async function judgeCauses(client: Client, id: string, events: readonly RunEventRecord[], say: Say): Promise<void> {
  const replies = new Map<string, readonly { readonly type: string; readonly id?: string; readonly tool?: string }[]>();
  for (const e of events) {
    const { result } = (e.payload ?? {}) as { readonly result?: { readonly content?: [] } };
    if (e.eventType === "StepCompleted" && result?.content !== undefined) replies.set(e.stepId ?? "", result.content);
  }
  const causes = new Map((await client.causes(id)).map((c) => [c.effect.stepId, c]));
  for (const e of events) {
    const called = (e.payload as Started | undefined)?.tool?.name;
    if (e.eventType !== "StepStarted" || called === undefined) continue;
    const by = causes.get(e.stepId ?? "")?.by;
    const part = replies.get(by?.stepId ?? "")?.[by?.part ?? -1];
    if (part?.type !== "tool-call" || part.tool !== called || part.id !== by?.toolCallId)
      say("broken", `${e.stepId}: no recorded output is named that asked for it`);
  }
}

export const agents: Part = {
  name: "agents",
  stores: ["sqlite", "postgres"],
  canary: { bug: "sends calls again", shows: ["duplicate"], faults: 3 },
  async run(task) {
    const report = await onEachStore(task, { perField: 25, atATime: 2 }, field);
    if (task.store === "sqlite" && task.bug === undefined) await compareWithLangGraph(task);
    return report;
  },
};
