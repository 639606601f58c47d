// The sentence an auditor wants, per effect, computed from the log: how often it may have been sent, whether it took effect,
// and why that is known; with every assumption it rests on, numbered. It never says "once" without its class and its
// assumptions, and wherever the log does not prove something it says so. Pure: it asks no store and no clock.
import type { GuaranteeClass } from "../core/model.ts";
import type { EffectCause } from "./causes.ts";
import type { EffectHistory } from "./effect-history.ts";
import { countKey, countText, type KeyUse } from "./key-count.ts";
import { countRunChain, isAdopted, type RunChainPart } from "./run-chain-count.ts";

export type EffectVerdict = "once" | "at-most-once" | "at-least-once" | "in-doubt" | "not-at-all";

export interface EffectProof {
  readonly runId: string;
  readonly stepId: string;
  readonly name: string;
  readonly class: GuaranteeClass;
  readonly key?: string;
  readonly verdict: EffectVerdict;
  readonly sentence: string;
  /** How often its function may have been called, at most, over all runs of the run chain. */
  readonly sends: number;
  /** The runs of the run chain that may have sent it, oldest first. */
  readonly sentBy: readonly string[];
  /** Sends on a person's order, although an earlier run had completed it. */
  readonly orders?: readonly { readonly runId: string; readonly by: string; readonly reason: string }[];
  /** The recorded output that asked for it, where a model or a plan did. */
  readonly cause?: EffectCause;
  /** The runSeqs of the events that say so, in the log of `runId`. */
  readonly events: readonly number[];
  /** Numbers of the assumptions that this sentence rests on. */
  readonly assumptions: readonly number[];
}

export interface Proof {
  readonly verdict: "once" | "at-most-once" | "at-least-once" | "in-doubt";
  readonly sentence: string;
  readonly effects: readonly EffectProof[];
  /** Of a part: how many effects follow those that are shown. */
  readonly more?: number;
  /** Of a proof by key: how often the key was sent, by all operations that used it. */
  readonly key?: KeyUse;
  /** Numbered from 1, in this order. */
  readonly assumptions: readonly string[];
}

/** What is true of the store, as far as proofs are concerned. */
export interface ProofStore {
  readonly name: string;
  readonly durable: boolean;
  readonly unsafe: readonly string[];
  readonly moved: boolean;
  readonly incarnation: number;
}
export interface ProofRun {
  readonly runId: string;
  /** The run chain that it belongs to: runs that retry or restart each other share it. Runs of a chain come oldest first. */
  readonly runChain: string;
  readonly histories: readonly EffectHistory[];
  /** Null: the log's chain holds; else what is wrong with it. */
  readonly brokenChain: string | null;
  /** Keys that other operations used with other arguments. */
  readonly reused: ReadonlySet<string>;
  /** Keys that several operations used, and what is to be said of that; absent: nobody looked. */
  readonly shared?: ReadonlyMap<string, string>;
}

/** Assumptions are said once, however many effects rest on them. */
class Assumptions {
  readonly all: string[] = [];
  number(text: string): number {
    const at = this.all.indexOf(text);
    return at >= 0 ? at + 1 : this.all.push(text);
  }
}

/** `missing`: runs of these run chains whose logs are not available. `key`: the proof is about this key. */
export function proofOf(
  store: ProofStore,
  runs: readonly ProofRun[],
  about: string,
  missing: readonly string[] = [],
  key: string | null = null,
): Proof {
  const assumed = new Assumptions();
  const general = storeAssumptions(store).map((t) => assumed.number(t));
  const broken = new Map(runs.flatMap((r) => (r.brokenChain === null ? [] : [[r.runChain, brokenText(r)]])));
  const operations = groupByEffect(runs).map((parts) => ({
    parts,
    statement: runChainStatement(parts, missing, broken.get(parts[0]!.run.runChain)),
  }));
  const effects = operations.map(({ parts, statement }) => effectProof(parts, statement, assumed, general));
  const used = operations.filter(({ parts }) => key !== null && parts.at(-1)!.history.key === key);
  const use = countKey(
    key ?? "",
    runs.every((r) => !r.reused.has(key ?? "")),
    used.map(({ parts, statement }) => ({ parts, verdict: statement.verdict })),
  );
  if (use.deduplicated)
    for (const { parts } of used) for (const t of repeatBound({ ...parts.at(-1)!.history, sends: 2 }).assumes) assumed.number(t);
  const verdict = worstVerdict([
    ...effects.map((e) => e.verdict),
    ...(key === null ? [] : [use.verdict]),
    ...(broken.size > 0 ? [unknownVerdict] : []),
  ]);
  const first = [...broken.values(), ...(key === null ? [] : [use.sentence])].map((t) => `${t}; `).join("");
  return {
    verdict,
    sentence: `${first}${summaryText(effects, about, assumed.all.length)}`,
    effects,
    ...(key === null ? {} : { key: use }),
    assumptions: assumed.all,
  };
}

const unknownVerdict: EffectVerdict = "in-doubt";
function brokenText({ runId, brokenChain }: ProofRun): string {
  return `the log of run ${runId} was altered or has a gap (${brokenChain}), so nothing it says is proved: pawl doctor --verify`;
}

function storeAssumptions(s: ProofStore): string[] {
  const out = [
    `the ${s.name} store kept what it acknowledged, and nobody who can write to it rewrote the log: the chain alone shows damage and partial change only`,
  ];
  if (!s.durable) out.push("the store is held in memory: nothing is known of any earlier process");
  for (const u of s.unsafe) out.push(`the store was opened with the unsafe setting ${u}, and no power was lost`);
  if (s.moved)
    out.push(
      "the store is not the file or server it was recorded as: if it was restored from a backup, effects after that backup are missing",
    );
  if (s.incarnation > 1)
    out.push(`the store was restored ${s.incarnation - 1} time(s): effects between a backup and its restore are missing`);
  return out;
}

interface ProofPart extends RunChainPart {
  readonly run: ProofRun;
  readonly statement: ProofStatement;
}

/** What the runs of a run chain say of one effect: known by its key, or by its step where it has none. Oldest run first. */
function groupByEffect(runs: readonly ProofRun[]): ProofPart[][] {
  const found = new Map<string, ProofPart[][]>();
  const all: ProofPart[][] = [];
  for (const run of runs)
    for (const history of run.histories) {
      const statement = singleRunStatement(history);
      const part = { run, runId: run.runId, history, statement, verdict: statement.verdict };
      const id = JSON.stringify([run.runChain, history.kind, history.key ?? null, history.key === undefined ? history.stepId : null]);
      const same = found.get(id) ?? [];
      // Two steps of one run are two effects, whatever their keys.
      const others = same.filter((g) => g.at(-1)!.runId !== run.runId);
      const group = others.find((g) => g.at(-1)!.history.stepId === history.stepId) ?? others[0];
      if (group !== undefined) group.push(part);
      else {
        const made = [part];
        all.push(made);
        found.set(id, [...same, made]);
      }
    }
  return all;
}

function effectProof(
  parts: readonly ProofPart[],
  statement: ProofStatement,
  assumed: Assumptions,
  general: readonly number[],
): EffectProof {
  const { run, history: s } = parts.at(-1)!;
  const count = countRunChain(parts);
  const last = s.unconfirmed.at(-1);
  const later = last === undefined ? "" : `; read back later, ${last.verifier} did not confirm it: ${last.reason}`;
  const others = s.key === undefined ? undefined : run.shared?.get(s.key);
  const remark = others === undefined ? "" : `; ${others}`;
  const orders = parts.flatMap(({ runId, history }) => (history.rerun === undefined ? [] : [{ runId, ...history.rerun }]));
  const reused =
    s.key !== undefined && run.reused.has(s.key)
      ? [`key ${s.key} was used by another operation with other arguments, and the receiver tells them apart`]
      : [];
  return {
    runId: run.runId,
    stepId: s.stepId,
    name: s.name,
    class: s.class,
    ...(s.key === undefined ? {} : { key: s.key }),
    verdict: statement.verdict,
    sentence: `${s.name}${s.kind === "compensation" ? " (compensation)" : ""}${s.key === undefined ? "" : ` for ${s.key}`} ${statement.text}${later}${remark} (${s.class}).`,
    sends: parts.length === 1 ? s.sends : count.sends,
    sentBy: count.senders,
    ...(orders.length === 0 ? {} : { orders }),
    ...(s.cause === undefined ? {} : { cause: s.cause }),
    events: s.events,
    assumptions: [...general, ...[...statement.assumes, ...unconfirmedText(s), ...reused].map((t) => assumed.number(t))],
  };
}

/** A verifier that did not find a recorded effect: either it was undone since, or the record rests on less than it seems to. */
function unconfirmedText(s: EffectHistory): string[] {
  return s.unconfirmed.flatMap(({ runSeq, verifier, reason, answer }) => {
    const against = `${s.name} took effect as recorded, although ${verifier} did not confirm it at event ${runSeq}: ${reason}`;
    return answer === null
      ? [against]
      : [against, `${answer.by ?? "somebody"} was right to answer ${answer.answer} to that: ${answer.reason ?? ""}`];
  });
}

interface ProofStatement {
  readonly verdict: EffectVerdict;
  readonly text: string;
  readonly assumes: readonly string[];
}

/** Over all runs of the run chain; of one run alone, what that one says. */
function runChainStatement(parts: readonly ProofPart[], missing: readonly string[], broken: string | undefined): ProofStatement {
  const sole = parts.length === 1 ? parts[0]!.statement : null;
  const statement = sole ?? countedStatement(parts);
  if (broken !== undefined)
    return { verdict: unknownVerdict, text: `${statement.text}, as its log says; but ${broken}`, assumes: statement.assumes };
  if (missing.length === 0) return statement;
  const lost = `; what run ${missing.join(", ")} of its line sent is not known, since its log is not here`;
  const verdict = statement.verdict === "once" || statement.verdict === "at-least-once" ? "at-least-once" : "in-doubt";
  return { ...statement, verdict, text: `${statement.text}${lost}` };
}

function countedStatement(parts: readonly ProofPart[]): ProofStatement {
  const { verdict, sends, senders, twice } = countRunChain(parts);
  const { history: s, statement } = parts.findLast((p) => !isAdopted(p.history)) ?? parts.at(-1)!;
  const runs =
    senders.length === 1 ? `by run ${senders[0]}` : `in ${senders.length} of the ${parts.length} runs of its line that called it`;
  const times = sends === 0 ? "was not sent" : sends === 1 ? `was sent once, ${runs}` : `was sent at most ${sends} times, ${runs}`;
  const orders = parts.flatMap(({ history }) =>
    history.rerun === undefined ? [] : [`again on the order of ${history.rerun.by}: ${history.rerun.reason}`],
  );
  const what = {
    once: "took effect once",
    "at-most-once": "took effect at most once",
    "at-least-once": "may have taken effect more than once",
    "not-at-all": "did not take effect",
    "in-doubt": "whether it took effect is not known",
  }[verdict];
  const text = `${[times, ...orders].join(", ")}; ${what}. The last run says that it ${statement.text}`;
  const keyed = s.class === "KEYED" && senders.length > 1 && !twice ? repeatBound({ ...s, sends: 2 }).assumes : [];
  const asked = s.class === "VERIFIED" && senders.length > 1 && !twice ? repeatBound({ ...s, sends: 2 }).assumes : [];
  return { verdict, text, assumes: [...new Set([...parts.flatMap((p) => p.statement.assumes), ...keyed, ...asked])] };
}

function singleRunStatement(s: EffectHistory): ProofStatement {
  const calls = "a call of its function performs the effect at most once, and not after it has ended";
  if (s.awaitingApproval !== null) return neverSentStatement(s);
  const times = s.sends === 1 ? "was attempted once" : `was attempted at most ${s.sends} times`;
  const leave = s.answers.find((a) => a.answer === "approve");
  const sent = leave === undefined ? times : `was approved by ${leave.by ?? "somebody"} because ${leave.reason ?? ""}, ${times}`;
  const people = s.answers
    .filter(isAboutEffect)
    .map((a) => `${a.by ?? "somebody"} was right that it ${answerText(a.answer)}: ${a.reason ?? ""}`);
  if (s.doubt !== null)
    return { verdict: "in-doubt", text: `${sent}; whether it took effect is not known: ${s.doubt.reason}`, assumes: people };
  if (s.end === null) return { verdict: "in-doubt", text: `${sent} and is under way`, assumes: people };
  if (s.class === "ATOMIC") {
    if (!s.end.ok) return { verdict: "not-at-all", text: "was rolled back: its rows are not there", assumes: [] };
    if (s.end.via === "adopted" && s.repeatOf !== undefined) return { verdict: "once", text: takenOver(s.repeatOf), assumes: [] };
    return { verdict: "once", text: "took effect once, because its rows and the step's outcome are one commit of the store", assumes: [] };
  }
  const { limit, why, assumes } = repeatBound(s);
  if (s.end.ok) {
    const how =
      s.end.via === "verify"
        ? "verify found it done"
        : s.end.via === "decision"
          ? "a person said so"
          : s.end.via === "kept"
            ? "its result was kept before its process died"
            : s.end.via === "adopted"
              ? "the run before this one recorded it"
              : "its outcome is recorded";
    if (s.end.via === "adopted" && s.repeatOf !== undefined)
      return {
        verdict: limit ? "once" : "at-least-once",
        text: `${takenOver(s.repeatOf)}${why}`,
        assumes: [calls, ...assumes, ...people],
      };
    const once = limit ? "once" : "at least once";
    const via = s.end.via === "verify" ? [trustText(s)] : [];
    return {
      verdict: limit ? "once" : "at-least-once",
      text: `${sent} and took effect ${once}, because ${how}${why}`,
      assumes: [calls, ...assumes, ...via, ...people],
    };
  }
  if (tookEffect(s.end.category))
    return {
      verdict: limit ? "once" : "at-least-once",
      text: `${sent} and took effect${limit ? " once" : ""}, but its result cannot be had${why}`,
      assumes: [calls, ...assumes, ...people],
    };
  if (certainlyNot(s))
    return {
      verdict: "not-at-all",
      text: `${sent} and did not take effect`,
      assumes: [calls, ...people],
    };
  const most = limit ? "at most once" : "perhaps more than once";
  return {
    verdict: limit ? "at-most-once" : "at-least-once",
    text: `${sent}, ended as ${s.end.category}, and took effect ${most}${why}`,
    assumes: [calls, ...assumes, ...people],
  };
}

function takenOver(repeatOf: string): string {
  return `was not sent: step ${repeatOf} of this run did it, and this call took its result over`;
}

/** An answer about what happened, and not about what may. */
function isAboutEffect(a: { readonly answer: string }): boolean {
  return a.answer !== "approve" && a.answer !== "refuse" && a.answer !== "retry";
}
function neverSentStatement(s: EffectHistory): ProofStatement {
  const no = s.answers.find((a) => a.answer === "refuse");
  const text =
    no !== undefined
      ? `was refused by ${no.by ?? "somebody"} because ${no.reason ?? ""}, and never sent`
      : s.end === null
        ? "waits for approval and was not sent"
        : "was given up before anybody approved it, and never sent";
  return { verdict: "not-at-all", text, assumes: [] };
}

function answerText(answer: string): string {
  const texts: Readonly<Record<string, string>> = {
    happened: "happened",
    "did-not-happen": "did not happen",
    complete: "is completed with the given result",
    resolve: "is settled without a result",
    skip: "is to be skipped",
  };
  return texts[answer] ?? "is to be given up";
}
function trustText(s: EffectHistory): string {
  return `verify of ${s.name} tells the truth about the receiver`;
}
function declaredAtText(s: EffectHistory): string {
  return s.declaredAt === undefined ? "" : ` at ${s.declaredAt}`;
}
function tookEffect(category: string): boolean {
  return category === "RESULT_UNAVAILABLE" || category === "RESULT_INVALID" || category === "NOT_ENCODABLE";
}

/** Every attempt ended before the effect, or a person said that nothing happened. */
function certainlyNot(s: EffectHistory): boolean {
  const last = s.failures.at(-1);
  if (last === undefined) return false;
  if (last.via !== undefined) return true;
  // After a person's word only what came later counts.
  const from = s.failures.findLastIndex((f) => f.via === "decision") + 1;
  return s.failures.slice(from).every((f) => f.category === "NOT_SENT") && s.sends <= s.failures.filter((f) => f.unclaimed !== true).length;
}

/** Whether it cannot have happened twice, and what that rests on. */
function repeatBound(s: EffectHistory): { readonly limit: boolean; readonly why: string; readonly assumes: readonly string[] } {
  const single = s.sends === 1;
  switch (s.class) {
    case "KEYED": {
      const window = s.dedupMs === undefined || s.dedupMs === Number.MAX_SAFE_INTEGER ? "for ever" : `for ${durationText(s.dedupMs)}`;
      const assumes = [`the receiver of ${s.name} honours key ${s.key ?? ""} ${window}, as its dedup declares${declaredAtText(s)}`];
      return single
        ? { limit: true, why: "", assumes: [] }
        : { limit: true, why: ", and every send had the same key inside the receiver's window", assumes };
    }
    case "VERIFIED": {
      const assumes = [
        trustText(s),
        `no request of ${s.name} arrives later than ${durationText(s.timeoutMs + s.settleMs)} after it was sent, as its timeout and settle declare${declaredAtText(s)}`,
      ];
      return single
        ? { limit: true, why: "", assumes: [] }
        : { limit: true, why: ", and before each further send verify said that nothing had happened", assumes };
    }
    case "AT-MOST-ONCE":
      return {
        limit: true,
        why: single ? "" : ", and each further send followed a failure before the effect or a person's word",
        assumes: [],
      };
    default:
      return { limit: single, why: single ? "" : ", and its class lets it run again", assumes: [] };
  }
}

function durationText(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000} h`;
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`;
}

const verdictOrder = ["in-doubt", "at-least-once", "at-most-once", "once"] as const;
function worstVerdict(verdicts: readonly EffectVerdict[]): Proof["verdict"] {
  return verdictOrder.find((v) => verdicts.includes(v)) ?? "at-most-once";
}

function summaryText(effects: readonly EffectProof[], about: string, assumptions: number): string {
  const count = (v: EffectVerdict): number => effects.filter((e) => e.verdict === v).length;
  const parts = [
    [count("once"), "took effect once"],
    [count("at-most-once"), "at most once"],
    [count("at-least-once"), "at least once"],
    [count("not-at-all"), "not at all"],
    [count("in-doubt"), "not known"],
  ] as const;
  const text = parts
    .filter(([n]) => n > 0)
    .map(([n, what]) => `${n} ${what}`)
    .join(", ");
  const under = `under ${assumptions} assumption${assumptions === 1 ? "" : "s"}`;
  return effects.length === 0
    ? `${about} has no effects, ${under}.`
    : `of ${countText(effects.length, "effect")} of ${about}, ${text}, ${under}.`;
}
