// How the start of a step is recorded: what its author declared, the digest that replay compares (K17), the payload's text. A
// compensation is recorded as any effect is, and recovered by what was recorded. Nothing here is ever read back differently: a
// log written today is replayed for years.
import { settleDefaultMs, type Guarantee } from "../../core/guarantee.ts";
import type { EffectSpec, GivenByPlan } from "../calls.ts";
import { jsonValue, type StepStartedPayload } from "../../events/payload.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";

/** A start without its digest. Each call makes a new one: what is found out about the call is added to it. */
export type StepStart = { -readonly [K in keyof Omit<StepStartedPayload, "digest">]: StepStartedPayload[K] };

/** Of a node of a plan: the steps that it needs are part of its start. */
export function withNeeds(s: StepStart, given: GivenByPlan | undefined): StepStart {
  if (given !== undefined && given.needs.length > 0) s.needs = given.needs;
  return s;
}

/** The start with the digest of its call. */
export function withCallDigest(s: StepStart, input: string | null, given?: string): StepStartedPayload {
  const whole = s as StepStart & { digest: string };
  whole.digest = callDigest(s, input, given);
  return whole;
}

/** K17: what a call was: a change in any of it is a divergence. */
export function callDigest(s: StepStart, input: string | null, given?: string): string {
  const call = `["${s.kind}",${JSON.stringify(s.name)},${jsonText(s.class)},${jsonText(s.key)},${jsonText(s.signal)}`;
  // A node of a plan: also what it needs, and what that gave.
  const planned = given === undefined ? "" : `,${s.needs === undefined ? "[]" : JSON.stringify(s.needs)},"${given}"`;
  const said = `${call},${input === null ? "null" : JSON.stringify(input)}${planned}]`;
  if (input !== null || s.key !== undefined || given !== undefined) return sha256Hex(said);
  let digest = digests.get(said);
  if (digest === undefined) {
    if (digests.size >= digestsMax) digests.clear();
    digests.set(said, (digest = sha256Hex(said)));
  }
  return digest;
}
/** Of calls that say no more than a name: a program has few of them, and all its runs make the same ones. */
const digests = new Map<string, string>();
const digestsMax = 1_000;

function jsonText(s: string | undefined): string {
  return s === undefined ? "null" : JSON.stringify(s);
}

/**
 * What an author said of a step leaves in the record only what says something. Members are added, never spread: a spread costs
 * as much as a hash, and every step passes here.
 */
export function declaredOptions(
  kind: "effect" | "compensation",
  name: string,
  { guarantee: g, timeoutMs, receiver }: Pick<EffectSpec, "guarantee" | "timeoutMs" | "receiver">,
): StepStart {
  const said: StepStart = { kind, name, class: g.class };
  if (g.key === null && g.dedupMs === null && !g.verified && timeoutMs === null && receiver === null) return said;
  if (g.key !== null) said.key = g.key;
  if (receiver !== null) said.receiver = receiver;
  if (g.dedupMs !== null) said.dedupMs = g.dedupMs;
  if (g.verified) said.verified = true;
  if (g.verified || g.settleMs !== settleDefaultMs) said.settleMs = g.settleMs;
  if (timeoutMs !== null) said.timeoutMs = timeoutMs;
  return said;
}

/** The guarantee that was recorded with a start. */
export function recordedGuarantee(s: Pick<StepStart, "class" | "key" | "dedupMs" | "settleMs" | "verified">): Guarantee {
  return {
    class: s.class ?? "UNDECLARED",
    key: s.key ?? null,
    dedupMs: s.dedupMs ?? null,
    settleMs: s.settleMs ?? settleDefaultMs,
    verified: s.verified === true,
  };
}

/** Written out, not assembled from parts: every step passes here. */
export function stepStartPayload(s: StepStartedPayload, input: string | null): string {
  let out = `{"kind":"${s.kind}","name":${JSON.stringify(s.name)},"digest":"${s.digest}"`;
  if (s.class !== undefined) out += `,"class":"${s.class}"`;
  if (s.key !== undefined) out += `,"key":${JSON.stringify(s.key)}`;
  if (s.receiver !== undefined) out += `,"receiver":${JSON.stringify(s.receiver)}`;
  if (s.dedupMs !== undefined) out += `,"dedupMs":${jsonValue(s.dedupMs)}`;
  if (s.settleMs !== undefined) out += `,"settleMs":${jsonValue(s.settleMs)}`;
  if (s.verified !== undefined) out += `,"verified":${s.verified}`;
  if (s.invocation !== undefined) out += `,"invocation":"${s.invocation}"`;
  if (s.timeoutMs !== undefined) out += `,"timeoutMs":${jsonValue(s.timeoutMs)}`;
  if (s.via !== undefined) out += `,"via":"${s.via}"`;
  if (s.approve === true) out += `,"approve":true${s.question === undefined ? "" : `,"question":${JSON.stringify(s.question)}`}`;
  if (s.approved === true) out += `,"approved":true`;
  if (s.delayMs !== undefined) out += `,"delayMs":${jsonValue(s.delayMs)}`;
  if (s.until !== undefined) out += `,"until":${jsonValue(s.until)}`;
  if (s.signal !== undefined) out += `,"signal":${JSON.stringify(s.signal)}`;
  if (s.ask !== undefined) out += `,"ask":${JSON.stringify(s.ask)}`;
  if (s.needs !== undefined) out += `,"needs":${JSON.stringify(s.needs)}`;
  if (s.of !== undefined) out += `,"of":${JSON.stringify(s.of)}`;
  if (s.line !== undefined) out += `,"line":${JSON.stringify(s.line)}`;
  if (s.rerun !== undefined) out += `,"rerun":${JSON.stringify(s.rerun)}`;
  if (s.attemptOf !== undefined) out += `,"attemptOf":${JSON.stringify(s.attemptOf)}`;
  if (s.forked === true) out += `,"forked":true`;
  if (s.tool !== undefined) out += `,"tool":${JSON.stringify(s.tool)}`;
  if (s.cause !== undefined) out += `,"cause":${JSON.stringify(s.cause)}`;
  if (s.repeatOf !== undefined) out += `,"repeatOf":${JSON.stringify(s.repeatOf)}`;
  if (s.model !== undefined) out += `,"model":${JSON.stringify(s.model)}`;
  if (s.plan !== undefined) out += `,"plan":${JSON.stringify(s.plan)}`;
  if (s.child !== undefined) out += `,"child":${JSON.stringify(s.child)}`;
  if (s.continues !== undefined) out += `,"continues":${JSON.stringify(s.continues)}`;
  if (s.task !== undefined) out += `,"task":${JSON.stringify(s.task)}`;
  if (s.undo === true) out += `,"undo":true`;
  if (s.confirm === true) out += `,"confirm":true`;
  return input === null ? `${out}}` : `${out},"input":${input}}`;
}
