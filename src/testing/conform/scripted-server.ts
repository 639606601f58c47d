// A server that speaks the worker protocol from a script: it hands out what it is given, loses answers when it is asked to, and writes down
// every request. Rules that hold at all times are checked with each request; a request that breaks one is a problem of the worker.
// It has no store and no engine.
import type { NodeRequest, NodeResponse } from "../../platform/net/listen.ts";
import type { Platform } from "../../platform/platform.ts";
import type { HandedClaim, Verb } from "./transcript.ts";

interface HeldRef {
  readonly dispatchId: string;
  readonly token: string;
}
type ReportedResult = HeldRef & Readonly<Record<string, unknown>>;

export interface SeenPoll {
  readonly holds: ReadonlySet<string>;
  readonly free: Readonly<Record<string, number>>;
}

const path = /^\/v1\/workers(?:\/([^/]+)\/(poll|beats|results|leave))?$/;

export class ScriptedServer {
  readonly token: string;
  readonly problems: string[] = [];
  readonly registered: unknown[] = [];
  readonly polls: SeenPoll[] = [];
  readonly beats: ReportedResult[] = [];
  readonly results: ReportedResult[] = [];
  left = false;
  /** Called after every request. */
  changed: () => void = () => {};

  readonly #platform: Platform;
  readonly #queue: string;
  readonly #concurrency: number;
  readonly #ready: string[] = [];
  readonly #claims = new Map<string, HandedClaim>();
  /** Claimed by an answer that arrived; each must be in the polls that follow until its result is answered. */
  readonly #held = new Set<string>();
  /** Claims with a checkpoint that was answered. */
  readonly #saved = new Set<string>();
  readonly #cancel = new Set<string>();
  readonly #lost = new Set<string>();
  readonly #faults: { on: Verb; do: "drop" | number | "known" | "late" | "lost"; times: number }[] = [];
  #workers = 0;
  #known = "";
  #openPolls = 0;
  #slowMs = 0;

  constructor(token: string, queue: string, concurrency: number, platform: Platform) {
    this.token = token;
    this.#platform = platform;
    this.#queue = queue;
    this.#concurrency = concurrency;
  }

  hand(name: string, claim: HandedClaim): void {
    this.#claims.set(name, claim);
    this.#ready.push(name);
    this.changed();
  }
  handAgain(name: string): void {
    this.#ready.push(name);
  }
  cancel(name: string): void {
    this.#cancel.add(name);
  }
  lose(name: string): void {
    this.#lost.add(name);
  }
  /** The worker's lease has ended: whatever it held is no longer its own. */
  forget(): void {
    this.#known = "";
    this.#held.clear();
  }
  fail(on: Verb, how: "drop" | number | "known" | "late" | "lost", times: number): void {
    this.#faults.push({ on, do: how, times });
  }
  answerPollAfter(ms: number): void {
    this.#slowMs = ms;
  }

  readonly listener = (request: NodeRequest, response: NodeResponse): void => {
    const chunks: Buffer[] = [];
    request.on("data", (d: Buffer) => chunks.push(d));
    request.on("end", () => {
      const found = path.exec(request.url ?? "");
      const verb = (found?.[2] ?? "register") as Verb;
      if (request.method !== "POST" || found === null) {
        this.problems.push(`${request.method} ${request.url} is not part of the protocol`);
        return this.#answer(response, 404, {});
      }
      if (request.headers.authorization !== `Bearer ${this.token}`)
        this.problems.push(`${verb}: the token is not in the authorization header`);
      let body: Record<string, unknown> = {};
      try {
        body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, unknown>;
      } catch {
        this.problems.push(`${verb}: the body is not JSON`);
      }
      this.#receive(verb, found[1], body, response);
      this.changed();
    });
  };

  #receive(verb: Verb, workerId: string | undefined, body: Record<string, unknown>, response: NodeResponse): void {
    if (verb === "register") return this.#register(body, response);
    if (workerId !== this.#known) return this.#answer(response, 404, { code: "PAWL4090", title: "this worker is not known" });
    if (verb === "poll") return this.#poll(body, response);
    if (verb === "beats") return this.#takeBeats(listOf(body["beats"]), response);
    if (verb === "results") return this.#takeResults(listOf(body["results"]), response);
    this.left = true;
    this.#answer(response, 200, {});
  }

  #register(body: Record<string, unknown>, response: NodeResponse): void {
    this.registered.push(body);
    this.#known = `worker-${++this.#workers}`;
    if (typeof body["lang"] !== "string") this.problems.push("register: lang is missing");
    if (!Array.isArray(body["works"])) this.problems.push("register: works is missing");
    const queues = body["queues"] as Record<string, { concurrency?: unknown }> | undefined;
    if (queues?.[this.#queue]?.concurrency !== this.#concurrency)
      this.problems.push(`register: queues.${this.#queue}.concurrency must be ${this.#concurrency}`);
    this.#answer(response, 201, { workerId: this.#known, leaseMs: 10_000, beatEveryMs: 100, beginWithinMs: 5_000 });
  }

  #poll(body: Record<string, unknown>, response: NodeResponse): void {
    if (this.#openPolls > 0) this.problems.push("poll: another poll was under way");
    const free = (body["free"] ?? {}) as Record<string, number>;
    const holds = new Set(listOf(body["holds"]).map((h) => this.#nameOf(h)));
    this.polls.push({ holds, free });
    for (const name of this.#held) if (!holds.has(name)) this.problems.push(`poll: ${name} is held and not in holds`);
    const places = free[this.#queue] ?? 0;
    if (places > this.#concurrency - this.#held.size)
      this.problems.push(`poll: ${places} places are asked for, ${this.#held.size} steps are held`);
    this.#openPolls++;
    const wait = this.#slowMs > 0 ? this.#slowMs : this.#ready.length > 0 && places > 0 ? 0 : Math.min(Number(body["waitMs"] ?? 0), 80);
    this.#slowMs = 0;
    const answer = (): void => {
      this.#openPolls--;
      const names = places > 0 ? this.#ready.splice(0, places) : [];
      const fault = this.#faultOf("poll");
      if (fault !== undefined) this.#ready.unshift(...names);
      else for (const name of names) this.#held.add(name);
      this.#finish(response, fault, { claimed: names.map((n) => this.#claim(n)), ...this.#stops() });
      this.changed();
    };
    this.#platform.timer(wait, answer, true);
  }

  #takeBeats(beats: readonly ReportedResult[], response: NodeResponse): void {
    const fault = this.#faultOf(
      "beats",
      beats.some((b) => "cursor" in b),
    );
    for (const b of beats) {
      const name = this.#nameOf(b);
      this.beats.push({ ...b, dispatchId: name });
      if ("cursor" in b && fault === undefined) this.#saved.add(name);
    }
    this.#finish(response, fault, this.#stops());
  }

  #takeResults(results: readonly ReportedResult[], response: NodeResponse): void {
    const fault = this.#faultOf("results");
    for (const r of results) {
      const name = this.#nameOf(r);
      if (this.#claims.get(name)?.savesFirst === true && !this.#saved.has(name))
        this.problems.push(`results: ${name} continued before its checkpoint was answered`);
      if (fault === 422) continue; // refused: what comes instead is another one
      const mine = { ...r, dispatchId: name };
      const earlier = this.results.find((x) => x.dispatchId === name);
      if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(mine))
        this.problems.push(`results: two different results of ${name}`);
      this.results.push(mine);
      if (fault !== undefined && fault !== "known" && fault !== "late" && fault !== "lost") continue;
      this.#held.delete(name);
    }
    const as = fault === "known" || fault === "late" || fault === "lost" ? fault : "recorded";
    this.#finish(response, as === fault ? undefined : fault, { noted: results.map((r) => ({ dispatchId: r.dispatchId, as })) });
  }

  #claim(name: string): Readonly<Record<string, unknown>> {
    const { beginWithinMs = 5_000, what = "run", savesFirst: _, ...rest } = this.#claims.get(name)!;
    const ids = { dispatchId: `d-${name}`, token: `t-${name}`, runId: "run-1", stepId: `step/${name}`, key: `key-${name}`, fence: "1" };
    return {
      ...ids,
      what,
      queue: this.#queue,
      class: "KEYED",
      attempt: { logical: 1, engine: 1 },
      timeoutMs: 60_000,
      beginWithinMs,
      ...rest,
    };
  }

  #nameOf(h: HeldRef): string {
    const name = String(h.dispatchId).replace(/^d-/, "");
    if (!this.#claims.has(name)) this.problems.push(`${h.dispatchId} was never handed out`);
    else if (h.token !== `t-${name}`) this.problems.push(`${h.dispatchId} has another token`);
    return name;
  }

  #stops(): { readonly cancel: readonly string[]; readonly lost: readonly string[] } {
    const ids = (names: ReadonlySet<string>): string[] => [...names].map((n) => `d-${n}`);
    return { cancel: ids(this.#cancel), lost: ids(this.#lost) };
  }

  #faultOf(on: Verb, applies = true): "drop" | number | "known" | "late" | "lost" | undefined {
    const fault = applies ? this.#faults.find((f) => f.on === on && f.times > 0) : undefined;
    if (fault === undefined || (on === "poll" && this.#ready.length === 0)) return undefined;
    fault.times--;
    return fault.do;
  }

  #finish(response: NodeResponse, fault: string | number | undefined, body: unknown): void {
    if (fault === "drop") response.destroy();
    else if (typeof fault === "number") this.#answer(response, fault, { title: "busy" });
    else this.#answer(response, 200, body);
  }

  #answer(response: NodeResponse, status: number, body: unknown): void {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  }
}

function listOf(value: unknown): readonly ReportedResult[] {
  return Array.isArray(value) ? (value as ReportedResult[]) : [];
}
